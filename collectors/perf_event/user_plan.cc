// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/perf_event/user_plan.h"

#include <algorithm>
#include <utility>

#include "collectors/hardware/events/sysfs.h"
#include "collectors/hardware/events/user_list.h"
#include "collectors/hardware/package_events.h"
#include "collectors/hardware/perf/user_events.h"

namespace roofmark::perf {
namespace {

OfferedMetric Offer(MetricId metric, Status status, std::string reason, std::string label = "",
                    std::string unit = "") {
  OfferedMetric offered{metric, status, std::move(reason)};
  offered.label = std::move(label);
  offered.unit = std::move(unit);
  return offered;
}

void AddRule(const UserRule& rule, Status counted, Plan& plan) {
  if (!HasValue(rule.status)) {
    plan.hardware.offered.push_back(
        Offer(UserMetric(rule.user), rule.status, rule.reason, rule.label, rule.unit));
    return;
  }
  plan.hardware.rules.push_back({UserMetric(rule.user), rule.terms});
  plan.hardware.offered.push_back(Offer(UserMetric(rule.user), counted, "", rule.label, rule.unit));
  const auto is_there = [&](const MetricRule& known) { return known.metric == rule.also; };
  if (rule.also && std::none_of(plan.hardware.rules.begin(), plan.hardware.rules.end(), is_there)) {
    plan.hardware.rules.push_back({*rule.also, rule.terms});
    plan.hardware.offered.push_back(Offer(*rule.also, counted, ""));
  }
}

}  // namespace

Result<Plan> MakeUserPlan(const Settings& settings, const std::string& root) {
  const Result<std::vector<std::string>> names = events::ParseUserList(settings.events);
  if (!names) return Error{names.error()};
  const events::Sysfs sysfs(root);
  Plan plan;
  std::vector<NamedEvent> encoded, of_packages;
  for (size_t i = 0; i < names->size(); ++i) {
    Result<events::ListedEvent> event = events::EncodeListed(sysfs, (*names)[i]);
    if (event && event->scope == Scope::kPackage) {
      of_packages.push_back({i, (*names)[i], std::move(*event)});
    } else if (event) {
      encoded.push_back({i, (*names)[i], std::move(*event)});
    } else {
      plan.hardware.offered.push_back(
          Offer(UserMetric(i), Status::kUnsupported, event.error(), (*names)[i], "count"));
    }
  }
  UserPlan user = PlanUserEvents(encoded, settings.kernel);
  const bool sampled = !settings.visits.AreAll();
  for (const UserRule& rule : user.rules) {
    AddRule(rule, sampled ? Status::kScaled : Status::kMeasured, plan);
  }
  AddPackageEvents(of_packages, sampled ? Status::kScaled : Status::kMeasured, plan.hardware);
  if (plan.hardware.rules.empty() && plan.hardware.packages.rules.empty()) {
    return Error{WhyNothing(plan.hardware.offered)};
  }
  plan.set = std::move(user.set);
  plan.facts["events"] = settings.events;
  plan.facts["event_groups"] = std::to_string(plan.set.groups.size());
  plan.facts["counted_modes"] = settings.kernel ? "user and kernel" : "user";
  return plan;
}

}  // namespace roofmark::perf
