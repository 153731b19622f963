// SPDX-License-Identifier: BSD-3-Clause
//
// What a collector of hardware events is going to count.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_HARDWARE_PLAN_H_
#define ROOFMARK_COLLECTORS_HARDWARE_HARDWARE_PLAN_H_

#include <string>
#include <vector>

#include "collectors/collector.h"
#include "collectors/hardware/package/plan.h"
#include "collectors/hardware/threads/harvest.h"

namespace roofmark {

struct HardwarePlan {
  std::vector<threads::MetricRule> rules;  // of the source's events; may be empty
  std::string why_no_rules;
  package::Plan packages;  // may be empty
  std::vector<OfferedMetric> offered;
};

}  // namespace roofmark

#endif  // ROOFMARK_COLLECTORS_HARDWARE_HARDWARE_PLAN_H_
