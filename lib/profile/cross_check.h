// SPDX-License-Identifier: BSD-3-Clause
//
// What hardware counters and the counting engine both counted of a region, in two executions of one
// program. Only one of the two stands among the metrics (lib/profile/pass_choice.h); here both do.
#ifndef ROOFMARK_LIB_PROFILE_CROSS_CHECK_H_
#define ROOFMARK_LIB_PROFILE_CROSS_CHECK_H_

#include <string>

#include "lib/core/metric.h"
#include "lib/core/status.h"

namespace roofmark {

// The sum over the ranks that one of them gave, in the metric's unit.
struct CountedBy {
  std::string origin;  // as in MetricSource
  Status status = Status::kMeasured;
  double sum = 0;
};

struct CrossCheck {
  MetricId metric = 0;  // one of kCrossChecked
  CountedBy hardware, engine;
};

// What can be checked, in the order in which it is shown.
inline constexpr MetricId kCrossChecked[] = {metric::kFlops,        metric::kFlopsDp,
                                             metric::kFlopsSp,      metric::kFlopsHp,
                                             metric::kInstructions, metric::kDramBytes};

}  // namespace roofmark

#endif  // ROOFMARK_LIB_PROFILE_CROSS_CHECK_H_
