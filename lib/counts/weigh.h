// SPDX-License-Identifier: BSD-3-Clause
//
// From sums of raw counts to metrics: weighted sums of events, each scaled once to the time in
// which it was not on a counter.
#ifndef ROOFMARK_LIB_COUNTS_WEIGH_H_
#define ROOFMARK_LIB_COUNTS_WEIGH_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lib/core/metric.h"
#include "lib/counts/sum.h"

namespace roofmark::counts {

struct WeighedEvent {
  size_t event;  // number among those that are counted
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

}  // namespace roofmark::counts

#endif  // ROOFMARK_LIB_COUNTS_WEIGH_H_
