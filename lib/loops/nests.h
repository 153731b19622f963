// SPDX-License-Identifier: BSD-3-Clause
//
// Loops of the source: what the compiler made of one loop (vector body, remainder, versions, clones
// for certain arguments, a loop that divides the iterations among threads) is one nest.
#ifndef ROOFMARK_LIB_LOOPS_NESTS_H_
#define ROOFMARK_LIB_LOOPS_NESTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lib/core/source_frame.h"
#include "lib/loops/forest.h"
#include "lib/loops/input.h"

namespace roofmark::loops {

// A loop of the machine code that belongs to a nest.
struct Part {
  uint32_t function = 0;  // index in Input::functions
  uint64_t header = 0;
  bool irreducible = false;
  uint64_t iterations = 0;  // times that its header was reached from inside
  uint64_t entries = 0;     // times that it was entered from outside of this loop
};

struct Nest {
  // `solver.c:214 in sweep()`; without source lines `libx.so+0x1f40 in sweep()`. No two are alike:
  // if one function was inlined at several places, the calls follow.
  std::string name;
  // Innermost first: the function of the loop with its line, and the calls that inlined it. Empty:
  // not known.
  SourceChain place;
  // The function of the source; of parts, clones and bodies of OpenMP constructs the parent. Index
  // in Input::functions.
  uint32_t function = 0;
  std::vector<Part> parts;  // by header
  std::optional<uint32_t> parent;
  std::vector<uint32_t> children;
  uint32_t depth = 1;         // of nests; 1: outermost
  std::vector<Range> ranges;  // of its code, children included; sorted, none touch
  // Across the border of its ranges; `from`, `to` and times. See Loop in forest.h.
  std::vector<Edge> entries, exits;
};

struct Nests {
  std::vector<Nest> nests;  // parents before children
  // Which code has which innermost nest; by begin.
  struct Place {
    uint64_t begin = 0, end = 0;
    uint32_t nest = 0;
  };
  std::vector<Place> places;
  std::vector<uint32_t> of_loop;  // nests by the loops of the forest

  std::optional<uint32_t> At(uint64_t offset) const;
};

// Takes a second for 100,000 blocks, and the time of the source lines. `forest`: FindLoops(input).
Nests FindNests(const Input& input, const Forest& forest);
Nests FindNests(const Input& input);

}  // namespace roofmark::loops

#endif  // ROOFMARK_LIB_LOOPS_NESTS_H_
