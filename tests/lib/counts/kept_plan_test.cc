// SPDX-License-Identifier: BSD-3-Clause
#include "lib/counts/kept_plan.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace roofmark::counts {
namespace {

KeptPlan Plan() {
  KeptPlan plan;
  plan.groups = {2, 1};
  plan.events = 3;
  plan.rules = {{metric::kCycles, {{0, 1}}}, {UserMetric(3), {{1, 0.25}, {2, -4}}}};
  return plan;
}

TEST(KeptPlanTest, WhatIsWrittenIsRead) {
  const std::optional<KeptPlan> read = DecodeKeptPlan(EncodeKeptPlan(Plan()));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->covers, Covers::kFinishedVisits);
  EXPECT_EQ(read->groups, Plan().groups);
  EXPECT_EQ(read->Columns(), 9u);
  ASSERT_EQ(read->rules.size(), 2u);
  EXPECT_EQ(read->rules[1].metric, UserMetric(3));
  ASSERT_EQ(read->rules[1].terms.size(), 2u);
  EXPECT_EQ(read->rules[1].terms[1].event, 2u);
  EXPECT_EQ(read->rules[1].terms[1].weight, -4);
}

TEST(KeptPlanTest, GroupsShareTheirTimes) {
  const uint64_t words[] = {10, 8, 0, 20, 20, 1, 100, 200, 300};
  std::vector<Sum> sums;
  SumsOfKept(Plan(), words, sums);
  ASSERT_EQ(sums.size(), 3u);
  EXPECT_EQ(sums[1].value, 200u);
  EXPECT_EQ(sums[1].enabled_ns, 10u);
  EXPECT_EQ(sums[1].running_ns, 8u);
  EXPECT_FALSE(sums[1].invalid);
  EXPECT_EQ(sums[2].value, 300u);
  EXPECT_TRUE(sums[2].invalid);
}

TEST(KeptPlanTest, RulesThatDoNotFitAreRefused) {
  const auto refused = [](auto change) {
    KeptPlan plan = Plan();
    change(plan);
    return !DecodeKeptPlan(EncodeKeptPlan(plan));
  };
  EXPECT_FALSE(refused([](KeptPlan&) {}));
  EXPECT_TRUE(refused([](KeptPlan& plan) { plan.rules[0].terms[0].event = 3; }));
  EXPECT_TRUE(refused([](KeptPlan& plan) { plan.rules[0].terms[0].weight = std::nan(""); }));
  EXPECT_TRUE(refused([](KeptPlan& plan) {
    plan.rules[0].terms[0].weight = std::numeric_limits<double>::infinity();
  }));
  EXPECT_TRUE(refused([](KeptPlan& plan) { plan.groups = {2}; }));
  EXPECT_TRUE(refused([](KeptPlan& plan) { plan.groups = {3, 0}; }));
  EXPECT_TRUE(refused([](KeptPlan& plan) { plan.events = 1 << 20; }));
  EXPECT_TRUE(refused([](KeptPlan& plan) { plan.covers = static_cast<Covers>(2); }));
}

// Nothing that is read lies outside of the bytes, and no rule names an event that there is not.
TEST(KeptPlanTest, AnyBytes) {
  std::mt19937 random(1);
  const std::string sound = EncodeKeptPlan(Plan());
  for (size_t length = 0; length < sound.size(); ++length) {
    EXPECT_FALSE(DecodeKeptPlan(std::string_view(sound).substr(0, length))) << length;
  }
  EXPECT_FALSE(DecodeKeptPlan(sound + '\0'));
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes = sound;
    for (int i = 0; i < 3; ++i) bytes[random() % bytes.size()] = static_cast<char>(random());
    const std::optional<KeptPlan> plan = DecodeKeptPlan(bytes);
    if (!plan) continue;
    for (const MetricRule& rule : plan->rules) {
      for (const WeighedEvent& term : rule.terms) ASSERT_LT(term.event, plan->events);
    }
  }
}

}  // namespace
}  // namespace roofmark::counts
