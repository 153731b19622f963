// SPDX-License-Identifier: BSD-3-Clause
//
// Which function of the source each loop is written in.
#ifndef ROOFMARK_LIB_LOOPS_LOOP_STEMS_H_
#define ROOFMARK_LIB_LOOPS_LOOP_STEMS_H_

#include <optional>
#include <vector>

#include "lib/loops/forest.h"
#include "lib/loops/input.h"
#include "lib/loops/stem.h"

namespace roofmark::loops {

// By loop: the innermost function that all of its code was written in or inlined into. Nothing: no
// line of its code is known, or there is no such function.
//
// Compilers move compares and constants of other functions into a loop, and give what they merged
// no line. Such code does not count where the loop is controlled by one function: the branches that
// begin the next iteration and those that leave the loop are of it, and so are the loops inside.
std::vector<std::optional<Stem>> FindStems(const Input& input, const Forest& forest);

}  // namespace roofmark::loops

#endif  // ROOFMARK_LIB_LOOPS_LOOP_STEMS_H_
