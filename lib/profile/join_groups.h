// SPDX-License-Identifier: BSD-3-Clause
//
// Executions of one program in each of which hardware counted another group of events, as one.
#ifndef ROOFMARK_LIB_PROFILE_JOIN_GROUPS_H_
#define ROOFMARK_LIB_PROFILE_JOIN_GROUPS_H_

#include <vector>

#include "lib/profile/profile.h"

namespace roofmark {

// Visits and times from the first execution; every count from the one that counted it best
// (measured before scaled, then the earlier one), scaled to the visits of the first. FLOPs have one
// origin: one execution that counted all, or those that counted one precision each, where these did
// not take turns on counters. `executions` is not empty.
JobProfile JoinGroups(const std::vector<JobProfile>& executions);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_PROFILE_JOIN_GROUPS_H_
