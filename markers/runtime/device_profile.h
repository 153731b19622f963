// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_MARKERS_RUNTIME_DEVICE_PROFILE_H_
#define ROOFMARK_MARKERS_RUNTIME_DEVICE_PROFILE_H_

#include "collectors/collector.h"
#include "lib/fold/fold.h"
#include "lib/profile/profile.h"

namespace roofmark::runtime {

// What `counter` counted on devices, after its Harvest, and a warning for each on which it counted
// nothing. `run` has its host.
void AddDevices(const Collector& counter, const FoldInput& input, RunInfo& run);

}  // namespace roofmark::runtime

#endif  // ROOFMARK_MARKERS_RUNTIME_DEVICE_PROFILE_H_
