// SPDX-License-Identifier: BSD-3-Clause
//
// What several executions for time say of a run: how far apart its times lie.
#ifndef ROOFMARK_LIB_MODEL_REPEATS_H_
#define ROOFMARK_LIB_MODEL_REPEATS_H_

#include <optional>
#include <vector>

#include "lib/model/time_split.h"
#include "lib/profile/profile.h"

namespace roofmark {

// From the shortest to the longest, in seconds. Nothing where the run was executed once.
std::optional<TimeInterval> RunRepeats(const JobProfile& job);
// The same of a region's time, over the executions that entered it.
std::optional<TimeInterval> RepeatsOf(const PathInfo& path);

// A region's time in each execution that entered it, in seconds.
std::vector<double> ExecutionTimes(const PathInfo& path);

// A time that is less than this far from another one is not known to differ from it: half of what
// the region's times spread by, in seconds; 0 where the run was executed once.
double Noise(const PathInfo& path);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_REPEATS_H_
