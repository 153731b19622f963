// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_LIB_INCORE_FINDINGS_H_
#define ROOFMARK_LIB_INCORE_FINDINGS_H_

#include <vector>

#include "lib/incore/loop_view.h"

namespace roofmark::incore {

// Of the line's time, what makes a remainder worth naming.
inline constexpr double kLeastRemainder = 0.1;

// Puts into each loop what is found in it. Remainders need all loops of a function.
void FindFindings(std::vector<LoopView>& loops);

}  // namespace roofmark::incore

#endif  // ROOFMARK_LIB_INCORE_FINDINGS_H_
