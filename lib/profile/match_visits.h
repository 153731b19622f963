// SPDX-License-Identifier: BSD-3-Clause
//
// Two executions of one program need not do equally much: a solver that runs until a time is over
// does less where each step takes longer. What was counted in one of them, scaled to the other.
#ifndef ROOFMARK_LIB_PROFILE_MATCH_VISITS_H_
#define ROOFMARK_LIB_PROFILE_MATCH_VISITS_H_

#include <map>
#include <string>

#include "lib/core/metric.h"
#include "lib/profile/profile.h"

namespace roofmark {

// Metrics that JoinPasses() takes from the time pass.
bool IsOfTimePass(MetricId id);
// Other metrics that are more if a region is entered more often: not a number of threads.
bool GrowsWithVisits(MetricId id);

// How often code of a region that was found was executed in the time pass, over the work pass, and
// how often in the latter.
struct FoundRatio {
  double ratio = 1, counted = 0;
};
using FoundRatios = std::map<std::string, FoundRatio>;  // by path

// Scales the counts of `joined`, which are those of `work`, to the visits that `joined` has: what a
// path counted outside of the paths below it by the ratio of its own visits, and what is below by
// theirs. All paths in which something changes are marked scaled. Paths that other ranks entered
// keep what they have, and so does a path that `joined` has no visits of, but for the ratio of the
// path around it. Of what was found no time pass has visits: `found` has the ratios of what it did,
// and its visits are scaled by these if it was entered as often as that was counted, else as what
// is around it. How the counts spread over ranks is left out where the file does not name each
// rank.
void MatchVisits(const JobProfile& work, JobProfile& joined, const FoundRatios& found = {});

}  // namespace roofmark

#endif  // ROOFMARK_LIB_PROFILE_MATCH_VISITS_H_
