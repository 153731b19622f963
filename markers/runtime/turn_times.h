// SPDX-License-Identifier: BSD-3-Clause
//
// Where visits took turns (markers/turns.h): which times are the program's, and what is said of it.
// No clock is read.
#ifndef ROOFMARK_MARKERS_RUNTIME_TURN_TIMES_H_
#define ROOFMARK_MARKERS_RUNTIME_TURN_TIMES_H_

#include <cstddef>
#include <cstdint>

#include "lib/fold/fold.h"
#include "lib/profile/profile.h"
#include "markers/turns.h"

namespace roofmark::runtime {

struct TakenTurns {
  const markers::Turns& turns;
  size_t main_thread = 0;  // of FoldInput::threads; it decided
};

// Takes what counting took out of the times of the main thread, which had visits inside that were
// counted: each took as much more than the mean of those that were timed after the first one.
// Returned: the sum of all visits, those outside of any other one included.
uint64_t TakeOutCounting(const TakenTurns& taken, FoldInput& input);

// What follows from it, for `input` and `pass`: times, and what the kernel did, are of all visits,
// the first one as it was and the others scaled; times of regions in which other threads work,
// which are counted in all visits, are not valid; the wall time has no `counting_ticks`; a fact
// says what was done of which region, and which times are uncertain.
void JudgeTurns(const TakenTurns& taken, uint64_t counting_ticks, FoldInput& input, PassInfo& pass);

}  // namespace roofmark::runtime

#endif  // ROOFMARK_MARKERS_RUNTIME_TURN_TIMES_H_
