// SPDX-License-Identifier: BSD-3-Clause
#include "lib/found/nest_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "lib/found/found_json.h"
#include "tests/lib/profile/schema_check.h"

namespace roofmark {
namespace {

using ::testing::HasSubstr;

NestPlan Sample() {
  NestPlan plan;
  plan.modules = {"/bin/a", "/lib/b.so"};
  plan.nests = {{"a.c:3 in f()", "a.c", 3, {}, false},
                {"a.c:5 in f()", "a.c", 5, 0, false},
                {"dgemm_", "", 0, {}, true},
                {"dgemm_", "", 0, 1, false, 2},
                {"dgemm_", "", 0, 1, false, 2, 3}};
  plan.ranges = {{0, 0, 16, 32}, {0, 1, 32, 40}, {0, {}, 64, 80}, {1, 2, 8, 100}};
  plan.entries = {{0, 1, 32}, {1, 2, 8, true}};
  return plan;
}

// The error of a plan that was changed.
std::string ErrorOf(const std::function<void(NestPlan&)>& change) {
  NestPlan plan = Sample();
  change(plan);
  const Result<NestPlan> read = NestPlanFromJson(NestPlanToJson(plan), "n.json");
  return read ? "none" : read.error();
}

TEST(NestPlan, TheFileGivesItBack) {
  const Result<NestPlan> read = NestPlanFromJson(NestPlanToJson(Sample()), "n.json");
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(*read, Sample());
  EXPECT_TRUE(test::MatchesSchema(NestPlanToJson(Sample()), "nests.schema.json"));
  EXPECT_FALSE(test::MatchesSchema("{}", "nests.schema.json"));
}

TEST(NestPlan, WhatMakesNoSenseIsNamed) {
  EXPECT_EQ(ErrorOf([](NestPlan&) {}), "none");
  EXPECT_THAT(ErrorOf([](NestPlan& plan) { plan.nests[2].name = plan.nests[0].name; }),
              HasSubstr("/nests/2/name is that of another nest"));
  EXPECT_THAT(ErrorOf([](NestPlan& plan) { plan.nests[1].around = 1; }),
              HasSubstr("/nests/1/around is 1"));
  EXPECT_THAT(ErrorOf([](NestPlan& plan) { plan.ranges[1].begin = 31; }),
              HasSubstr("/ranges/1/begin is below the end of the range before"));
  EXPECT_THAT(ErrorOf([](NestPlan& plan) { plan.ranges[3].module = 2; }),
              HasSubstr("/ranges/3/module is no index"));
  EXPECT_THAT(ErrorOf([](NestPlan& plan) { plan.ranges[3].end = 8; }),
              HasSubstr("/ranges/3/end is not above"));
  EXPECT_THAT(ErrorOf([](NestPlan& plan) { plan.ranges[3].nest = 5; }),
              HasSubstr("/ranges/3/nest is 5"));
  EXPECT_THAT(ErrorOf([](NestPlan& plan) { plan.nests[3].same = 3; }),
              HasSubstr("/nests/3/same is 3"));
  EXPECT_THAT(ErrorOf([](NestPlan& plan) { plan.nests[4].same = 3; }),
              HasSubstr("/nests/4/same is no region"));
  EXPECT_THAT(ErrorOf([](NestPlan& plan) { plan.nests[4].rest_of = 4; }),
              HasSubstr("/nests/4/rest_of is 4"));
  EXPECT_THAT(ErrorOf([](NestPlan& plan) { plan.nests[3].name = "daxpy_"; }),
              HasSubstr("/nests/3/name is not that of the region"));
  EXPECT_THAT(ErrorOf([](NestPlan& plan) { plan.entries[1] = plan.entries[0]; }),
              HasSubstr("/entries/1/place is not above"));
  EXPECT_THAT(NestPlanFromJson("[]", "n.json").error(), HasSubstr("n.json"));
}

TEST(NestPlan, InlinedCodeKeepsTheNameOfItsRegion) {
  NestPlan plan = Sample();
  for (PlannedNest& nest : plan.nests) nest.name = "dgemm_";
  TellApart(plan, {"a", "a", "b", "a", "a"});
  EXPECT_EQ(plan.nests[2].name, "dgemm_ [b]");
  EXPECT_EQ(plan.nests[3].name, "dgemm_ [b]");
  EXPECT_EQ(plan.nests[4].name, "dgemm_ [b]");
  EXPECT_NE(plan.nests[0].name, plan.nests[1].name);
}

}  // namespace
}  // namespace roofmark
