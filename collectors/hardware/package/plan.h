// SPDX-License-Identifier: BSD-3-Clause
//
// What is counted of a package: events of its memory controllers, and the metrics that they give.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_PACKAGE_PLAN_H_
#define ROOFMARK_COLLECTORS_HARDWARE_PACKAGE_PLAN_H_

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "collectors/hardware/events/encode.h"
#include "collectors/hardware/package/reader.h"
#include "collectors/hardware/threads/harvest.h"

namespace roofmark::package {

using Rule = threads::MetricRule;  // of Plan::events

struct Plan {
  // A device that several packages have stands once.
  std::vector<events::EncodedEvent> events;
  std::vector<Rule> rules;
  // Opens the events of these numbers, by name and CPU; the kernel's interface opens all others.
  std::shared_ptr<const Opener> opener;
  std::set<size_t> opened_by_it;
  // Something to know about the metrics, for files: why not another one counts them.
  std::string note;
};

// Who counts a metric of the plan, as files call it.
std::string OriginOf(const Plan& plan, const Rule& rule);
// Appends what `more` has. Both must have the same opener, or one of them none.
void Append(Plan more, Plan& plan);
// Rules of these metrics, and the events that no other rule has.
void Remove(const std::set<MetricId>& metrics, Plan& plan);

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
