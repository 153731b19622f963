// SPDX-License-Identifier: BSD-3-Clause
//
// Where visits of inlined functions begin. Compilers move the first instructions of a call out of
// loops and past branches, copy its code where they split or divide loops, and tell of one place at
// most, which may have become part of a loop. So the places are chosen by what was executed:
//  - In one iteration of the loop around a call control reaches at most one of the places, and that
//    once. The compiler's own place comes first, then those that were executed most.
//  - Code that was executed together with few of the function's lines was moved there, and begins
//    nothing. Nor does code behind which a branch of the caller leads past the other lines.
// There are fewer visits than calls where these left no code, where a loop around them was
// unrolled, or where they share no place. Pure.
#ifndef ROOFMARK_LIB_LOOPS_INLINED_BEGINS_H_
#define ROOFMARK_LIB_LOOPS_INLINED_BEGINS_H_

#include "lib/loops/forest.h"
#include "lib/loops/inlined.h"
#include "lib/loops/input.h"
#include "lib/loops/nests.h"

namespace roofmark::loops {

// Gives each body of `inlined` its begins and calls; none to what was not executed.
void FindBegins(const Input& input, const Forest& forest, const Nests& nests, Inlined& inlined);

}  // namespace roofmark::loops

#endif  // ROOFMARK_LIB_LOOPS_INLINED_BEGINS_H_
