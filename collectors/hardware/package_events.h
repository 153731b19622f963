// SPDX-License-Identifier: BSD-3-Clause
//
// Events of a user's list that count for packages.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_PACKAGE_EVENTS_H_
#define ROOFMARK_COLLECTORS_HARDWARE_PACKAGE_EVENTS_H_

#include <vector>

#include "collectors/hardware/hardware.h"
#include "collectors/hardware/perf/user_events.h"
#include "lib/core/status.h"

namespace roofmark {

// Plans each of them as the user's metric. What one event means for DRAM traffic is not guessed: a
// list may name single channels.
void AddPackageEvents(const std::vector<perf::NamedEvent>& events, Status counted,
                      HardwarePlan& plan);

}  // namespace roofmark

#endif  // ROOFMARK_COLLECTORS_HARDWARE_PACKAGE_EVENTS_H_
