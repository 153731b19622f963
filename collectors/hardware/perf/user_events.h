// SPDX-License-Identifier: BSD-3-Clause
//
// Events of a user's list that the kernel counts: which of them open, in which groups, and what of
// their counts makes each of the user's metrics.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_PERF_USER_EVENTS_H_
#define ROOFMARK_COLLECTORS_HARDWARE_PERF_USER_EVENTS_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "collectors/collector.h"
#include "collectors/hardware/events/user_list.h"
#include "collectors/hardware/perf/thread_groups.h"
#include "collectors/hardware/threads/harvest.h"
#include "lib/core/metric.h"
#include "lib/core/status.h"

namespace roofmark::perf {

struct NamedEvent {
  size_t user;       // its place in the list: UserMetric(user)
  std::string text;  // as the user wrote it
  events::ListedEvent event;
};

struct UserRule {
  size_t user;
  std::string label, unit;
  Status status;       // kMeasured; or without value, and the reason
  std::string reason;  // of the event that cannot be counted
  std::vector<threads::WeighedEvent> terms;
  std::optional<MetricId> also;  // the standard metric that means exactly this
};

struct UserPlan {
  EventSet set;
  std::vector<UserRule> rules;  // one for each event given, in order
};

// "none of the events in ROOFMARK_EVENTS can be counted: a: why; b: why", in the user's order.
std::string WhyNothing(std::vector<OfferedMetric> offered);

// By opening them for the calling thread.
UserPlan PlanUserEvents(const std::vector<NamedEvent>& events, bool with_kernel);

}  // namespace roofmark::perf

#endif  // ROOFMARK_COLLECTORS_HARDWARE_PERF_USER_EVENTS_H_
