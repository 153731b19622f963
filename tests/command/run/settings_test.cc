// SPDX-License-Identifier: BSD-3-Clause
#include "command/run/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "lib/core/settings.h"

namespace roofmark::cli {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

SettingsPlan Plan(std::vector<const char*> environment, RunOptions& options) {
  environment.push_back(nullptr);
  return PlanSettings(environment.data(), options);
}

TEST(RunSettings, EverySettingIsTreated) {
  for (const SettingInfo& info : AllSettings()) {
    const auto rows = Treatments();
    EXPECT_EQ(std::count_if(rows.begin(), rows.end(),
                            [&info](const Treatment& row) { return row.key == info.key; }),
              1)
        << info.key;
  }
  EXPECT_EQ(Treatments().size(), AllSettings().size());
}

TEST(RunSettings, WithoutVariablesNothingIsSaid) {
  RunOptions options;
  EXPECT_THAT(Plan({"HOME=/root"}, options).sentences, IsEmpty());
  EXPECT_EQ(options.collector, "auto");
}

TEST(RunSettings, ForkedProcessesAreRecordedAsWithTheOption) {
  RunOptions options;
  EXPECT_THAT(Plan({"ROOFMARK_CHILDREN=1"}, options).sentences, IsEmpty());
  EXPECT_TRUE(options.forked);
}

TEST(RunSettings, WhatConcernsCountersGoesToTheFirstExecution) {
  RunOptions options;
  const SettingsPlan plan = Plan({"ROOFMARK_GROUP=mem", "ROOFMARK_EVENTS=cycles"}, options);
  EXPECT_EQ(plan.first.at("ROOFMARK_GROUP"), "mem");
  EXPECT_EQ(plan.first.at("ROOFMARK_EVENTS"), "cycles");
  EXPECT_EQ(plan.work.at("ROOFMARK_GROUP"), std::nullopt);
  EXPECT_THAT(plan.sentences, IsEmpty());
}

TEST(RunSettings, WhatConcernsTheEngineGoesToTheWorkPass) {
  RunOptions options;
  const SettingsPlan plan = Plan({"ROOFMARK_LATENCIES=off", "ROOFMARK_TOOL_DIR=/"}, options);
  EXPECT_EQ(plan.work.at("ROOFMARK_LATENCIES"), "off");
  EXPECT_EQ(plan.work.at("ROOFMARK_TOOL_DIR"), "/");
  EXPECT_EQ(plan.first.at("ROOFMARK_TOOL_DIR"), std::nullopt);
}

TEST(RunSettings, WhatConcernsAllGoesToAll) {
  RunOptions options;
  const SettingsPlan plan =
      Plan({"ROOFMARK_MERGE=never", "ROOFMARK_VISITS=first:3", "ROOFMARK_REGIONS=-halo"}, options);
  for (const auto* variables : {&plan.first, &plan.work}) {
    EXPECT_EQ(variables->at("ROOFMARK_REGIONS"), "-halo");
    EXPECT_EQ(variables->at("ROOFMARK_MERGE"), "never");
    EXPECT_EQ(variables->at("ROOFMARK_VISITS"), "first:3");
  }
}

TEST(RunSettings, SomeStandForOptions) {
  RunOptions options;
  const SettingsPlan plan = Plan({"ROOFMARK_COLLECTOR=papi", "ROOFMARK_OUTPUT=mine.json",
                                  "ROOFMARK_COUNT=flops", "ROOFMARK_SAMPLE=16"},
                                 options);
  EXPECT_EQ(options.collector, "papi");
  EXPECT_EQ(options.output, "mine.json");
  EXPECT_EQ(options.count, "flops");
  EXPECT_EQ(options.sample, 16u);
  EXPECT_THAT(plan.sentences, IsEmpty());
}

TEST(RunSettings, TheNativeEngineDoesNotTellWhyMissesHappen) {
  RunOptions options;
  EXPECT_THAT(Plan({"ROOFMARK_ENGINE=native"}, options).sentences, IsEmpty());
  EXPECT_EQ(options.engine, "native");
  EXPECT_EQ(Contradiction(options), "");
  options.count = "threec";
  EXPECT_THAT(Contradiction(options), HasSubstr("leave out --count threec"));
  options.count = "cache";
  EXPECT_EQ(Contradiction(options), "");
  options.loops = true;
  EXPECT_EQ(Contradiction(options), "");
  options.loops = false;
  options.find = true;
  EXPECT_EQ(Contradiction(options), "");
}

// Programs that use GPUs do not run under the engine, and executions that count stop the GPUs.
TEST(RunSettings, GpusAreCountedInExecutionsOfTheirOwn) {
  RunOptions options;
  EXPECT_THAT(Plan({"ROOFMARK_COLLECTOR=cupti", "ROOFMARK_EVENTS=cycles"}, options).sentences,
              IsEmpty());
  EXPECT_TRUE(options.CountsGpus());
  EXPECT_EQ(Contradiction(options), "");
  for (const auto& [option, set] :
       {std::pair(
            "--auto", +[](RunOptions& o) { o.find = true; }),
        std::pair(
            "--loops", +[](RunOptions& o) { o.loops = true; }),
        std::pair(
            "--groups", +[](RunOptions& o) { o.groups = "all"; }),
        std::pair(
            "--against", +[](RunOptions& o) { o.against = "./old"; }),
        std::pair(
            "--one-execution", +[](RunOptions& o) { o.one_execution = true; })}) {
    RunOptions both;
    both.collector = "cupti";
    set(both);
    EXPECT_THAT(Contradiction(both), AllOf(HasSubstr(option), HasSubstr("cupti")));
  }
}

TEST(RunSettings, ExactCountsAreThoseOfAllVisits) {
  RunOptions options;
  options.find = options.exact = true;
  const SettingsPlan plan = Plan({"ROOFMARK_VISITS=first:3"}, options);
  EXPECT_THAT(plan.sentences, ElementsAre(HasSubstr("--exact models all visits")));
  EXPECT_EQ(plan.work.at("ROOFMARK_VISITS"), std::nullopt);
}

TEST(RunSettings, OptionsAreStrongerAndTheConflictIsNamed) {
  RunOptions options;
  options.collector = "timer";
  options.output = "a.json";
  options.visits = "first:5";
  const SettingsPlan plan = Plan({"ROOFMARK_COLLECTOR=papi", "ROOFMARK_OUTPUT=b.json",
                                  "ROOFMARK_VISITS=first:3", "ROOFMARK_GROUP=mem"},
                                 options);
  EXPECT_EQ(options.collector, "timer");
  EXPECT_EQ(options.output, "a.json");
  EXPECT_EQ(plan.first.at("ROOFMARK_VISITS"), std::nullopt) << "every visit is timed";
  EXPECT_THAT(
      plan.sentences,
      ElementsAre(
          "ROOFMARK_COLLECTOR=papi in the environment is not used: --collector timer was given",
          "ROOFMARK_GROUP=mem in the environment is not used: --collector timer reads no hardware "
          "counters",
          "ROOFMARK_OUTPUT=b.json in the environment is not used: -o a.json was given",
          "ROOFMARK_VISITS=first:3 in the environment is not used: --visits first:5 was given"));
}

TEST(RunSettings, TheSameTwiceIsNoConflict) {
  RunOptions options;
  options.collector = "papi";
  EXPECT_THAT(Plan({"ROOFMARK_COLLECTOR=papi"}, options).sentences, IsEmpty());
}

TEST(RunSettings, PatternsAndDetailFitNoExecution) {
  RunOptions options;
  EXPECT_THAT(Plan({"ROOFMARK_OUTPUT=run-%j.json", "ROOFMARK_DETAIL=ranks"}, options).sentences,
              ElementsAre(HasSubstr("ROOFMARK_OUTPUT=run-%j.json in the environment is not used"),
                          HasSubstr("ROOFMARK_DETAIL=ranks in the environment is not used")));
  EXPECT_EQ(options.output, "");
  EXPECT_THAT(Plan({"ROOFMARK_DETAIL=off"}, options).sentences, IsEmpty());
}

// One variable with several settings is as good as several variables.
TEST(RunSettings, TheVariableWithSeveralSettingsIsTakenApart) {
  RunOptions options;
  const SettingsPlan plan = Plan({"ROOFMARK=collector=perf_event; group=mix"}, options);
  EXPECT_EQ(options.collector, "perf_event");
  EXPECT_EQ(plan.first.at("ROOFMARK_GROUP"), "mix");
  EXPECT_EQ(plan.first.at("ROOFMARK"), std::nullopt);
}

TEST(RunSettings, OffIsNamedBecauseRunRecords) {
  RunOptions options;
  EXPECT_THAT(Plan({"ROOFMARK=off"}, options).sentences,
              ElementsAre(HasSubstr("ROOFMARK=off in the environment is not used")));
  EXPECT_THAT(Plan({"ROOFMARK=on"}, options).sentences, IsEmpty());
  EXPECT_THAT(Plan({"ROOFMARK="}, options).sentences, IsEmpty());
}

TEST(RunSettings, WhatIsMalformedIsRefusedBeforeTheFirstExecution) {
  RunOptions options;
  const SettingsPlan plan = Plan({"ROOFMARK_COLLECTOR=valgrind"}, options);
  EXPECT_THAT(plan.sentences,
              ElementsAre(HasSubstr("ROOFMARK_COLLECTOR=valgrind cannot be used: it takes ")));
  EXPECT_TRUE(plan.refused);
}

}  // namespace
}  // namespace roofmark::cli
