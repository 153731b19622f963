// SPDX-License-Identifier: BSD-3-Clause
//
// A task is executed by a thread that has nothing else to do, often by one that waits inside of a
// region. So a region of tasks has several paths, and chance spreads its visits over them: in each
// execution otherwise. What one execution counted goes with the visits of the other.
#ifndef ROOFMARK_LIB_PROFILE_MOVED_VISITS_H_
#define ROOFMARK_LIB_PROFILE_MOVED_VISITS_H_

#include <optional>
#include <string>
#include <vector>

#include "lib/profile/profile.h"

namespace roofmark {

struct MovedWork {
  JobProfile work;
  std::vector<std::string> names;  // of the regions, sorted
};

// `work` with the visits of regions spread over their paths as in `time`, and with them what they
// counted outside of regions below: a path that has too many visits gives its mean visit to those
// that have too few. That is done for regions (by name and place) with as many visits in all paths
// of `work` as in all of `time`, whose paths lie in regions that were entered in both. What changes
// is marked scaled; paths that have no visit left are gone. Nothing if there are no such regions.
std::optional<MovedWork> MoveVisits(const JobProfile& time, const JobProfile& work);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_PROFILE_MOVED_VISITS_H_
