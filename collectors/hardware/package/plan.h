// SPDX-License-Identifier: BSD-3-Clause
//
// What is counted of a package: events of its memory controllers, and the metrics that they give.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_PACKAGE_PLAN_H_
#define ROOFMARK_COLLECTORS_HARDWARE_PACKAGE_PLAN_H_

#include <cstdint>
#include <set>
#include <vector>

#include "collectors/hardware/events/encode.h"
#include "collectors/hardware/threads/harvest.h"

namespace roofmark::package {

using Rule = threads::MetricRule;  // of Plan::events

struct Plan {
  // A device that several packages have stands once.
  std::vector<events::EncodedEvent> events;
  std::vector<Rule> rules;
};

// On which some event of the plan can be opened.
inline std::set<uint32_t> CpusOf(const Plan& plan) {
  std::set<uint32_t> cpus;
  for (const events::EncodedEvent& event : plan.events) {
    cpus.insert(event.cpus.begin(), event.cpus.end());
  }
  return cpus;
}

}  // namespace roofmark::package

#endif  // ROOFMARK_COLLECTORS_HARDWARE_PACKAGE_PLAN_H_
