// SPDX-License-Identifier: BSD-3-Clause
//
// Several executions of one program for time: between them times spread in ways that no spread
// within one of them shows.
#ifndef ROOFMARK_LIB_PROFILE_REPEATS_H_
#define ROOFMARK_LIB_PROFILE_REPEATS_H_

#include <vector>

#include "lib/profile/profile.h"

namespace roofmark {

// Of several profiles of equal passes, the one whose wall time is the (lower) median, with the
// times of all of them. One alone stays as it is. `executions` must not be empty.
JobProfile JoinRepeats(std::vector<JobProfile> executions);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_PROFILE_REPEATS_H_
