// SPDX-License-Identifier: BSD-3-Clause
//
// What to count on this CPU: from ROOFMARK_GROUP over the event table and the kernel's encodings to
// events that really open, and to the metrics that they give.
#ifndef ROOFMARK_COLLECTORS_PERF_EVENT_PLAN_H_
#define ROOFMARK_COLLECTORS_PERF_EVENT_PLAN_H_

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "collectors/collector.h"
#include "collectors/hardware/events/table.h"
#include "collectors/hardware/hardware.h"
#include "collectors/hardware/perf/thread_groups.h"
#include "collectors/hardware/threads/harvest.h"
#include "lib/core/result.h"
#include "lib/core/settings.h"

namespace roofmark::perf {

using threads::MetricRule;
using threads::WeighedEvent;

struct Plan {
  EventSet set;
  HardwarePlan hardware;  // its rules are of the set's events
  std::map<std::string, std::string> facts;
};

// `root` is put before /proc and /sys; tests use it. The error, one sentence with cause and cure,
// means that nothing at all can be counted.
Result<Plan> MakePlan(const Settings& settings, const std::string& root = "");

}  // namespace roofmark::perf

#endif  // ROOFMARK_COLLECTORS_PERF_EVENT_PLAN_H_
