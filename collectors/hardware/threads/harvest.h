// SPDX-License-Identifier: BSD-3-Clause
//
// From sums of raw counts to metrics: weighted sums of events, each scaled once to the time in
// which it was not on a counter.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_THREADS_HARVEST_H_
#define ROOFMARK_COLLECTORS_HARDWARE_THREADS_HARVEST_H_

#include <cstddef>
#include <string_view>
#include <vector>

#include "collectors/collector.h"
#include "collectors/hardware/threads/threads.h"

namespace roofmark::threads {

struct WeighedEvent {
  size_t event;  // number in the source's groups
  double weight;
};

// A metric is a weighed sum of counts.
struct MetricRule {
  MetricId metric;
  std::vector<WeighedEvent> terms;
};

struct Weighed {
  uint64_t value = 0;
  Status status = Status::kMeasured;
  double share = 1;  // the least of time in which one of the events was on a counter
};

// `sums` of the events that the rule's terms number. Sums of counts first, weights after: rounding
// happens once.
Weighed Weigh(const MetricRule& rule, const Sum* sums);

// Hands over what every thread did in every measured path. If some of the program's work is not in
// the counts, says so in `collector`'s name and leaves them out. Returns the smallest share of time
// in which an event was on a counter.
double Harvest(Threads& threads, const std::vector<MetricRule>& rules, std::string_view collector,
               HarvestSink& sink);

}  // namespace roofmark::threads

#endif  // ROOFMARK_COLLECTORS_HARDWARE_THREADS_HARVEST_H_
