// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/package_events.h"

namespace roofmark {

void AddPackageEvents(const std::vector<perf::NamedEvent>& events, Status counted,
                      HardwarePlan& plan) {
  for (const perf::NamedEvent& named : events) {
    package::Rule rule{UserMetric(named.user), {}};
    for (const events::EncodedEvent& event : named.event.events) {
      rule.terms.push_back({plan.packages.events.size(), named.event.weight});
      plan.packages.events.push_back(event);
    }
    plan.packages.rules.push_back(std::move(rule));
    OfferedMetric offer{UserMetric(named.user), counted, ""};
    offer.label = named.text;
    offer.unit = named.event.unit;
    offer.scope = Scope::kPackage;
    plan.offered.push_back(std::move(offer));
  }
}

}  // namespace roofmark
