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

// Takes what counting took out of the times of the main thread, which had visits inside that were
// counted: each took as much more than the mean of those that were timed after the first one.
// Returned: the sum of all visits, those outside of any other one included.
uint64_t TakeOutCounting(const markers::Recorder& recorder, FoldInput& input);

// What follows from it, for `input` and `pass`: times, and what the kernel did, are of all visits,
// the first one as it was and the others scaled; times of regions in which other threads work,
// which are counted in all visits, are not valid; the wall time has no `counting_ticks`; a fact
// says what was done of which region, and which times are uncertain.
void JudgeTurns(const markers::Recorder& recorder, uint64_t counting_ticks, FoldInput& input,
                PassInfo& pass);

}  // namespace roofmark::runtime

#endif  // ROOFMARK_MARKERS_RUNTIME_TURN_TIMES_H_
