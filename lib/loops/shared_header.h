// SPDX-License-Identifier: BSD-3-Clause
//
// Two loops with one header: the branch that goes on in the inner one and that of the outer one
// lead to the same instruction. Graphs alone do not tell them from one loop with two such branches,
// as `continue` makes them; so how often each was taken and the lines of the source decide.
// Source of the structure: S. S. Muchnick, "Advanced Compiler Design and Implementation", 1997,
// section 7.4 (natural loops that share their header).
#ifndef ROOFMARK_LIB_LOOPS_SHARED_HEADER_H_
#define ROOFMARK_LIB_LOOPS_SHARED_HEADER_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "lib/loops/flow.h"
#include "lib/loops/input.h"

namespace roofmark::loops {

// What leads back to a header.
struct Latch {
  uint32_t piece = 0;
  uint64_t branch = 0;
  uint64_t times = 0;
  std::vector<uint32_t>
      loop;  // pieces from which it is reached without the header, and that; sorted
};

// Which of the latches is that of an inner loop, which all others are around. Nothing: there is no
// such one, or it is not certain. It is if
//  - all others come after it, and it was taken more often than they were together;
//  - control does not leave the outer loop from the inner one;
//  - its branch is of a function that was inlined into the other's, and so is all code of the inner
//    loop, or it stands behind the other's line and no code of the inner loop is from before it.
// `body`: pieces of the outer loop, sorted.
std::optional<size_t> InnerLatch(const Input& input, const Flow& flow,
                                 const std::vector<Latch>& latches,
                                 const std::vector<uint32_t>& body);

}  // namespace roofmark::loops

#endif  // ROOFMARK_LIB_LOOPS_SHARED_HEADER_H_
