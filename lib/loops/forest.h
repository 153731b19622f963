// SPDX-License-Identifier: BSD-3-Clause
//
// Loops of the machine code, as they were executed.
#ifndef ROOFMARK_LIB_LOOPS_FOREST_H_
#define ROOFMARK_LIB_LOOPS_FOREST_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "lib/loops/flow.h"
#include "lib/loops/input.h"

namespace roofmark::loops {

struct Range {
  uint64_t begin = 0, end = 0;

  bool operator==(const Range&) const = default;
};

// Where control falls through without a branch, `from` of an edge is the byte before `to`.
struct Loop {
  uint32_t function = 0;  // index; of cold parts the parent
  uint64_t header = 0;    // where each iteration begins
  bool irreducible = false;
  std::optional<uint32_t> parent;
  uint32_t depth = 1;
  std::vector<uint32_t> pieces;  // in it, but in no loop inside
  std::vector<Edge> entries;     // from outside; those of calls that begin in the loop, too
  std::vector<Edge> back;        // from inside to the header
  std::vector<Edge> exits;       // returns and jumps to other functions, too; calls are none
};

struct Forest {
  Flow flow;
  std::vector<Loop> loops;                             // parents before children
  std::vector<std::optional<uint32_t>> loop_of_piece;  // innermost
};

Forest FindLoops(const Input& input);

}  // namespace roofmark::loops

#endif  // ROOFMARK_LIB_LOOPS_FOREST_H_
