// SPDX-License-Identifier: BSD-3-Clause
//
// Two executions of one program need not do equally much: a solver that runs until a time is over
// does less where each step takes longer. What was counted in one of them, scaled to the other.
#ifndef ROOFMARK_LIB_PROFILE_MATCH_VISITS_H_
#define ROOFMARK_LIB_PROFILE_MATCH_VISITS_H_

#include "lib/core/metric.h"
#include "lib/profile/profile.h"

namespace roofmark {

// Metrics that JoinPasses() takes from the time pass.
bool IsOfTimePass(MetricId id);

// Scales the counts of `joined`, which are those of `work`, to the visits that `joined` has: what a
// path counted outside of the paths below it by the ratio of its own visits, and what is below by
// theirs. All paths in which something changes are marked scaled. Paths that other ranks entered
// keep what they have, and so does a path that `joined` has no visits of, but for the ratio of the
// path around it. How the counts spread over ranks is left out where the file does not name each
// rank.
void MatchVisits(const JobProfile& work, JobProfile& joined);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_PROFILE_MATCH_VISITS_H_
