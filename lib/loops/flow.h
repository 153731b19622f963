// SPDX-License-Identifier: BSD-3-Clause
//
// The graph of control flow that was executed: pieces of straight code which are entered only at
// their begin, and the ways between them. Pure.
#ifndef ROOFMARK_LIB_LOOPS_FLOW_H_
#define ROOFMARK_LIB_LOOPS_FLOW_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "lib/loops/input.h"

namespace roofmark::loops {

struct Piece {
  uint64_t begin = 0, end = 0;
  uint64_t times = 0;
  uint32_t unit = 0;  // index of the function that it is of; for cold parts, of their parent
};

// A way from one piece to another of the same unit.
struct Way {
  uint32_t from = 0, to = 0;  // indices of pieces
  uint64_t branch = 0;        // the instruction; where it is unknown, the last byte of the piece
  uint64_t times = 0;
};

// How a unit is entered and left. Calls leave nothing, and returns enter nothing.
struct Crossing {
  uint32_t piece = 0;
  Edge edge;
};

struct Flow {
  std::vector<Piece> pieces;  // by begin
  std::vector<Way> ways;      // by `from`, then `to`
  std::vector<Crossing> entries, exits;
};

// Executed code outside of all functions is left out.
Flow MakeFlow(const Input& input);

}  // namespace roofmark::loops

#endif  // ROOFMARK_LIB_LOOPS_FLOW_H_
