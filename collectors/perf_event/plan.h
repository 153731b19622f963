// SPDX-License-Identifier: BSD-3-Clause
//
// What to count on this CPU: from ROOFMARK_GROUP over the event table and the kernel's encodings to
// events that really open, and to the metrics that they give.
#ifndef ROOFMARK_COLLECTORS_PERF_EVENT_PLAN_H_
#define ROOFMARK_COLLECTORS_PERF_EVENT_PLAN_H_

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "collectors/collector.h"
#include "collectors/events/table.h"
#include "collectors/perf_event/counted_thread.h"
#include "lib/core/result.h"
#include "lib/core/settings.h"

namespace roofmark::perf {

struct WeighedEvent {
  size_t event;  // number in the set
  double weight;
};

// A metric is a weighed sum of counts.
struct MetricRule {
  MetricId metric;
  std::vector<WeighedEvent> terms;
};

struct Plan {
  EventSet set;
  std::vector<MetricRule> rules;
  std::vector<OfferedMetric> offered;
  std::map<std::string, std::string> facts;
};

// `root` is put before /proc and /sys; tests use it. The error, one sentence with cause and cure,
// means that nothing at all can be counted.
Result<Plan> MakePlan(const Settings& settings, const std::string& root = "");

// Where a quantity of the table is kept; no value if no metric holds it without a guess.
std::optional<MetricId> MetricOf(const events::Quantity& quantity);

}  // namespace roofmark::perf

#endif  // ROOFMARK_COLLECTORS_PERF_EVENT_PLAN_H_
