// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/change_rule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roofmark {
namespace {

using ::testing::HasSubstr;

std::string WhyNot(std::string_view text) { return ChangeRule::Parse(text).error(); }

RegionChange Region(const std::string& path, double factor, bool significant,
                    NoiseKind noise = NoiseKind::kTested) {
  RegionChange region;
  region.path = region.new_path = path;
  for (Change& change : region.changes) {
    change.factor = factor;
    change.noise = noise;
    change.significant = significant;
  }
  return region;
}

RuleState StateOf(std::string_view text, const std::vector<RegionChange>& regions) {
  Comparison comparison;
  comparison.regions = regions;
  return Judge(*ChangeRule::Parse(text), comparison).state;
}

TEST(ChangeRule, WhatIsNone) {
  EXPECT_THAT(WhyNot("solve"), HasSubstr("has no colon; give REGIONS: QUANTITY > +N%"));
  EXPECT_THAT(WhyNot(": time > +5%"), HasSubstr("names no region"));
  EXPECT_THAT(WhyNot("-a: time > +5%"), HasSubstr("begins with -"));
  EXPECT_THAT(WhyNot("a: speed > +5%"), HasSubstr("names no quantity"));
  EXPECT_THAT(WhyNot("a: time = +5%"), HasSubstr("has neither > nor <"));
  for (const char* limit : {"5%", "+5", "+%", "+x%", "+1e9%", "+5 %%", "+-5%", "+inf%", "+nan%"}) {
    EXPECT_THAT(WhyNot(std::string("a: time > ") + limit), HasSubstr("has no limit")) << limit;
  }
  EXPECT_THAT(WhyNot("a: time > -5%"), HasSubstr("can never be kept"));
  EXPECT_THAT(WhyNot("a: time < -100%"), HasSubstr("can never be kept"));
}

TEST(ChangeRule, OnlySignificantChangesBeyondTheLimitBreakIt) {
  EXPECT_EQ(StateOf("a: time > +5%", {Region("a", 1.06, true)}), RuleState::kBroken);
  EXPECT_EQ(StateOf("a: time > +5%", {Region("a", 1.04, true)}), RuleState::kKept);
  EXPECT_EQ(StateOf("a: time > +5%", {Region("a", 1.06, false)}), RuleState::kKept);
  EXPECT_EQ(StateOf("a: gflops < -5 %", {Region("a", 0.94, true)}), RuleState::kBroken);
  EXPECT_EQ(StateOf("a: gflops<-5%", {Region("a", 1.5, true)}), RuleState::kKept);
}

TEST(ChangeRule, WhereNoiseIsNotKnownItIsUndecided) {
  EXPECT_EQ(StateOf("a: time > +5%", {Region("a", 1.5, false, NoiseKind::kUnknown)}),
            RuleState::kUndecided);
  EXPECT_EQ(StateOf("a: intensity < -5%", {Region("a", 0.5, false, NoiseKind::kCountedOnce)}),
            RuleState::kBroken);
  RegionChange vanished;
  vanished.path = vanished.new_path = "a";
  vanished.presence = Presence::kVanished;
  EXPECT_EQ(StateOf("a: time > +5%", {vanished}), RuleState::kUndecided);
  EXPECT_EQ(StateOf("*: time > +5%", {vanished, Region("b", 2, true)}), RuleState::kBroken);
}

TEST(ChangeRule, NamesRegionsByPattern) {
  const std::vector<RegionChange> regions = {Region("solve", 2, true),
                                             Region("solve/mul", 1, false)};
  EXPECT_EQ(StateOf("solve/*: time > +5%", regions), RuleState::kKept);
  EXPECT_EQ(StateOf("solve: time > +5%", regions), RuleState::kBroken);
  EXPECT_EQ(StateOf("other: time > +5%", regions), RuleState::kNoRegion);
  EXPECT_EQ(StateOf("std::sort: time > +5%", {Region("std::sort", 2, true)}), RuleState::kBroken);
  EXPECT_EQ(StateOf("(program): time > +0%", {Region("(program)", 1.01, true)}),
            RuleState::kBroken);
  RegionChange renamed = Region("old", 2, true);
  renamed.new_path = "new";
  EXPECT_EQ(StateOf("new: time > +5%", {renamed}), RuleState::kBroken);
}

}  // namespace
}  // namespace roofmark
