// SPDX-License-Identifier: BSD-3-Clause
//
// Where visits took turns (markers/turns.h): which times are the program's, and what is said of it.
#ifndef ROOFMARK_MARKERS_RUNTIME_TURN_TIMES_H_
#define ROOFMARK_MARKERS_RUNTIME_TURN_TIMES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "lib/fold/fold.h"
#include "lib/profile/profile.h"
#include "markers/recorder.h"

namespace roofmark::runtime {

// Takes what counting took out of the times of `thread`, the main one, which had visits inside that
// were counted: each took as much more than the mean of those that were timed. Returned: the sum of
// all visits, those outside of any other one included.
uint64_t TakeOutCounting(const markers::Turns& turns, const std::vector<PathNode>& nodes,
                         std::vector<ThreadPathTotals>& thread);

// By name, what was done of each region: some sentence parts, for kTurnsFact. `thread`: the main
// one's times.
std::string DescribeTurns(const markers::Turns& turns, const FoldInput& input,
                          const std::vector<ThreadPathTotals>& thread);

// All of it: the times of `input`, doubts of those in which other threads work, which are counted
// in all visits, the wall time and the facts of `pass`.
void JudgeTurns(const markers::Recorder& recorder, FoldInput& input, PassInfo& pass);

}  // namespace roofmark::runtime

#endif  // ROOFMARK_MARKERS_RUNTIME_TURN_TIMES_H_
