// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/package/plan.h"

#include <algorithm>
#include <utility>

namespace roofmark::package {

std::string OriginOf(const Plan& plan, const Rule& rule) {
  const bool elsewhere = std::any_of(
      rule.terms.begin(), rule.terms.end(),
      [&](const threads::WeighedEvent& term) { return plan.opened_by_it.contains(term.event); });
  return elsewhere ? plan.opener->Origin() : "perf_event";
}

void Append(Plan more, Plan& plan) {
  const size_t before = plan.events.size();
  std::move(more.events.begin(), more.events.end(), std::back_inserter(plan.events));
  for (Rule& rule : more.rules) {
    for (threads::WeighedEvent& term : rule.terms) term.event += before;
    plan.rules.push_back(std::move(rule));
  }
  for (const size_t event : more.opened_by_it) plan.opened_by_it.insert(before + event);
  if (more.opener != nullptr) plan.opener = std::move(more.opener);
  if (plan.note.empty()) plan.note = std::move(more.note);
}

void Remove(const std::set<MetricId>& metrics, Plan& plan) {
  Plan left;
  left.opener = plan.opener;
  left.note = plan.note;
  for (Rule& rule : plan.rules) {
    if (metrics.contains(rule.metric)) continue;
    for (threads::WeighedEvent& term : rule.terms) {
      if (plan.opened_by_it.contains(term.event)) left.opened_by_it.insert(left.events.size());
      left.events.push_back(plan.events[term.event]);
      term.event = left.events.size() - 1;
    }
    left.rules.push_back(std::move(rule));
  }
  plan = std::move(left);
}

}  // namespace roofmark::package
