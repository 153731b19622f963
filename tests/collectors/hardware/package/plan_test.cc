// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/package/plan.h"

#include <gtest/gtest.h>

namespace roofmark::package {
namespace {

class Nobody final : public Opener {
  Result<std::unique_ptr<Reader>> Open(const std::vector<Wanted>&) const override {
    return Error{"nobody"};
  }
  std::string Origin() const override { return "nobody"; }
};

Plan Of(MetricId metric, std::initializer_list<const char*> names, bool elsewhere) {
  Plan plan;
  plan.rules.push_back({metric, {}});
  for (const char* name : names) {
    if (elsewhere) plan.opened_by_it.insert(plan.events.size());
    plan.rules[0].terms.push_back({plan.events.size(), 64});
    events::EncodedEvent event;
    event.name = name;
    plan.events.push_back(event);
  }
  if (elsewhere) plan.opener = std::make_shared<Nobody>();
  return plan;
}

std::vector<std::string> NamesOf(const Plan& plan, size_t rule) {
  std::vector<std::string> names;
  for (const auto& term : plan.rules[rule].terms) names.push_back(plan.events[term.event].name);
  return names;
}

using Names = std::vector<std::string>;

TEST(PackagePlan, BothKindsOfEventsStandInOneAndKeepTheirOrigin) {
  Plan plan = Of(UserMetric(0), {"a", "b"}, false);
  Append(Of(metric::kPackageDramReadBytes, {"c"}, true), plan);
  Append(Of(metric::kPackageDramWriteBytes, {"d", "e"}, true), plan);
  EXPECT_EQ(NamesOf(plan, 0), (Names{"a", "b"}));
  EXPECT_EQ(NamesOf(plan, 1), Names{"c"});
  EXPECT_EQ(NamesOf(plan, 2), (Names{"d", "e"}));
  EXPECT_EQ(plan.opened_by_it, (std::set<size_t>{2, 3, 4}));
  EXPECT_EQ(OriginOf(plan, plan.rules[0]), "perf_event");
  EXPECT_EQ(OriginOf(plan, plan.rules[2]), "nobody");
}

TEST(PackagePlan, WhatIsRemovedTakesItsEventsAlong) {
  Plan plan = Of(metric::kPackageDramReadBytes, {"a", "b"}, false);
  Append(Of(metric::kPackageDramWriteBytes, {"c"}, true), plan);
  Remove({metric::kPackageDramReadBytes, metric::kPackageDramBytes}, plan);
  ASSERT_EQ(plan.rules.size(), 1u);
  EXPECT_EQ(plan.events.size(), 1u);
  EXPECT_EQ(NamesOf(plan, 0), Names{"c"});
  EXPECT_EQ(plan.opened_by_it, std::set<size_t>{0});
  Remove({metric::kPackageDramWriteBytes}, plan);
  EXPECT_TRUE(plan.rules.empty());
  EXPECT_TRUE(plan.events.empty());
}

}  // namespace
}  // namespace roofmark::package
