// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_LIB_PROFILE_JOIN_H_
#define ROOFMARK_LIB_PROFILE_JOIN_H_

#include "lib/profile/match_visits.h"
#include "lib/profile/profile.h"

namespace roofmark {

// Two executions of one program as one: calls and times from `time`, counts from `work`, joined by
// path and scaled to the visits of `time` (match_visits.h). Where they disagree (a path that only
// one has, other visits or ranks, a library that chose other code) a warning says so, one sentence
// each, the first ten in full. A time pass knows no regions that were found: `found_ratios` says by
// path how often their code was executed in it, over `work`; those that it does not name are
// scaled as what is around them.
JobProfile JoinPasses(const JobProfile& time, const JobProfile& work,
                      const FoundRatios& found_ratios = {});

}  // namespace roofmark

#endif  // ROOFMARK_LIB_PROFILE_JOIN_H_
