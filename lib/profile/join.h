// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_LIB_PROFILE_JOIN_H_
#define ROOFMARK_LIB_PROFILE_JOIN_H_

#include "lib/profile/profile.h"

namespace roofmark {

// Two executions of one program as one: calls and times from `time`, counts from `work`, joined by
// path and scaled to the visits of `time` (match_visits.h). Where they disagree (a path that only
// one has, other visits or ranks, a library that chose other code) a warning says so, one sentence
// each, the first ten in full.
JobProfile JoinPasses(const JobProfile& time, const JobProfile& work);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_PROFILE_JOIN_H_
