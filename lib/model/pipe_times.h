// SPDX-License-Identifier: BSD-3-Clause
//
// The least time that floating-point units need for a region's operations, each at the measured
// rate of its precision, width and kind (sections A.1.3 and A.3 of the 2008 roofline report).
//
// Units. Some pipes add, some multiply and fuse, some do both; nothing is assumed of how many there
// are of each. What was measured bounds them three ways: additions alone, multiplications (fused
// ones, and the first step of divisions and roots) alone, and all together by the most lane
// operations that any mixture reached. Two kinds of work and two sets of pipes need no other
// bounds. Divisions and roots share one divider.
#ifndef ROOFMARK_LIB_MODEL_PIPE_TIMES_H_
#define ROOFMARK_LIB_MODEL_PIPE_TIMES_H_

#include <vector>

#include "lib/model/flop_classes.h"
#include "lib/model/unit_rates.h"

namespace roofmark {

// What keeps the operations from the best the units can do. One that is cleared is cured.
struct PipeFlaws {
  bool kinds = true;    // not all fused, or additions and multiplications do not pair
  bool widths = true;   // narrower than the widest registers
  bool divides = true;  // divisions and roots; cured, they are multiplications
};

// How to read what the counters leave open. kBest: in favour of performance, so that the result is
// a true upper bound. kWorst: to the contrary, for the other end of an interval; operations of no
// known kind are additions, and every worker has the region's mix.
enum class Untold : uint8_t { kBest, kWorst };

// Seconds over all cores of the job, perfectly balanced.
struct PipeTimes {
  double pipes_s = 0, divider_s = 0;
  double instructions = 0;  // that perform FLOPs
};

// Never rises when a flaw is cured.
PipeTimes LeastPipeTimes(const std::vector<FlopClass>& classes, const UnitRates& rates,
                         const PipeFlaws& flaws, Untold untold);

// The same for any `share` (0 to 1) of the operations, whichever of them are cheapest: what a
// worker needs of which only the number of its operations is known.
PipeTimes LeastPipeTimesOfPart(const std::vector<FlopClass>& classes, const UnitRates& rates,
                               const PipeFlaws& flaws, Untold untold, double share);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_PIPE_TIMES_H_
