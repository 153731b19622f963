// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "lib/core/collector_names.h"

namespace roofmark {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

ParsedSettings Parse(std::vector<const char*> environment) {
  environment.push_back(nullptr);
  return ParseSettings(environment.data());
}

TEST(Settings, OffWithoutAnyVariable) {
  const ParsedSettings parsed = Parse({"PATH=/bin", "ROOF=1", "ROOFMARKET=1"});
  EXPECT_FALSE(parsed.settings.on);
  EXPECT_THAT(parsed.problems, IsEmpty());
}

TEST(Settings, AnySettingTurnsOnAndOffWins) {
  EXPECT_TRUE(Parse({"ROOFMARK=on"}).settings.on);
  EXPECT_TRUE(Parse({"ROOFMARK_OUTPUT=x.json"}).settings.on);
  EXPECT_TRUE(Parse({"ROOFMARK=collector=timer"}).settings.on);
  EXPECT_FALSE(Parse({"ROOFMARK_OUTPUT=x.json", "ROOFMARK=off"}).settings.on);
  EXPECT_FALSE(Parse({"ROOFMARK=off", "ROOFMARK_OUTPUT=x.json"}).settings.on);
}

// A variable for the command in a user's profile must not start recording everywhere.
TEST(Settings, WhatOnlyTheCommandReadsTurnsNothingOn) {
  const ParsedSettings parsed = Parse({"ROOFMARK_MACHINE_DIR=/site/machines"});
  EXPECT_FALSE(parsed.settings.on);
  EXPECT_THAT(parsed.problems, IsEmpty());
  EXPECT_TRUE(parsed.settings.given.empty());
  EXPECT_TRUE(Parse({"ROOFMARK_MACHINE_DIR=/site", "ROOFMARK_OUTPUT=x.json"}).settings.on);
}

// A program that it starts with settings of its own does not belong to it.
TEST(Settings, WhatBelongsToTheCommandIsKnownByItsOutput) {
  EXPECT_TRUE(Parse({"ROOFMARK___RUN=x.json", "ROOFMARK_OUTPUT=x.json"}).settings.of_run);
  EXPECT_FALSE(Parse({"ROOFMARK___RUN=x.json", "ROOFMARK_OUTPUT=y.json"}).settings.of_run);
  EXPECT_FALSE(Parse({"ROOFMARK_OUTPUT=x.json", "ROOFMARK_QUIET=1"}).settings.of_run);
  const ParsedSettings alone = Parse({"ROOFMARK___RUN=x.json"});
  EXPECT_FALSE(alone.settings.of_run);
  EXPECT_FALSE(alone.settings.on);
  EXPECT_THAT(alone.problems, IsEmpty());
}

TEST(Settings, BothSpellingsGiveTheSame) {
  for (const auto& parsed :
       {Parse({"ROOFMARK=collector=counting; visits=every:16;sample=4;cache=L1:48K:12"}),
        Parse({"ROOFMARK_COLLECTOR=counting", "ROOFMARK_VISITS=every:16", "ROOFMARK_SAMPLE=4",
               "ROOFMARK_CACHE=L1:48K:12"})}) {
    EXPECT_THAT(parsed.problems, IsEmpty());
    EXPECT_EQ(parsed.settings.collector, "counting");
    EXPECT_EQ(parsed.settings.visits.kind, VisitPolicy::Kind::kEvery);
    EXPECT_EQ(parsed.settings.visits.n, 16u);
    EXPECT_EQ(parsed.settings.sample, 4u);
    EXPECT_EQ(parsed.settings.cache, "L1:48K:12");
    EXPECT_EQ(parsed.settings.given.size(), 4u);
  }
}

TEST(Settings, DetailIsOfRanksOrThreads) {
  EXPECT_EQ(Parse({"ROOFMARK=on"}).settings.detail, "off");
  EXPECT_EQ(Parse({"ROOFMARK_DETAIL=ranks"}).settings.detail, "ranks");
  EXPECT_EQ(Parse({"ROOFMARK=detail=threads"}).settings.detail, "threads");
  const ParsedSettings wrong = Parse({"ROOFMARK_DETAIL=all"});
  EXPECT_EQ(wrong.settings.detail, "off");
  EXPECT_THAT(wrong.problems, ElementsAre("ROOFMARK_DETAIL=all is malformed and is ignored: it "
                                          "takes off, ranks, threads"));
}

TEST(Settings, UnknownVariableIsNamedWithTheNearestOne) {
  EXPECT_THAT(
      Parse({"ROOFMARK_COLECTOR=timer"}).problems,
      ElementsAre("ROOFMARK_COLECTOR is not a setting of roofmark and is ignored; did you mean "
                  "ROOFMARK_COLLECTOR?"));
  EXPECT_THAT(Parse({"ROOFMARK_FROBNICATE=1"}).problems,
              ElementsAre("ROOFMARK_FROBNICATE is not a setting of roofmark and is ignored; "
                          "`roofmark settings` lists all settings"));
  EXPECT_THAT(
      Parse({"ROOFMARK=outptu=x"}).problems,
      ElementsAre("`outptu` in ROOFMARK is not a setting of roofmark and is ignored; did you "
                  "mean ROOFMARK_OUTPUT?"));
}

TEST(Settings, MalformedValuesAreNamedAndLeaveTheDefault) {
  const ParsedSettings parsed = Parse({"ROOFMARK_VISITS=every:x", "ROOFMARK_SAMPLE=3",
                                       "ROOFMARK_COLLECTOR=papy", "ROOFMARK_STRICT=maybe"});
  EXPECT_THAT(parsed.problems,
              ElementsAre("ROOFMARK_VISITS=every:x is malformed and is ignored: it takes all, "
                          "every:N, first:K, in-turns, bursts",
                          "ROOFMARK_SAMPLE=3 is malformed and is ignored: it takes 1, 2, 4 ... 256",
                          "ROOFMARK_COLLECTOR=papy is malformed and is ignored: it takes " +
                              std::string(AllSettings()[0].values),
                          "ROOFMARK_STRICT=maybe is malformed and is ignored: it takes 0, 1"));
  EXPECT_EQ(parsed.settings.collector, "auto");
  EXPECT_EQ(parsed.settings.visits.kind, VisitPolicy::Kind::kAll);
  EXPECT_EQ(parsed.settings.sample, 1u);
}

// Only the memory hierarchy is modelled for a part of the time.
TEST(Settings, InBurstsAllVisitsAreMeasured) {
  const VisitPolicy bursts = Parse({"ROOFMARK_VISITS=bursts"}).settings.visits;
  EXPECT_EQ(bursts.kind, VisitPolicy::Kind::kBursts);
  EXPECT_TRUE(bursts.AreAll());
  EXPECT_TRUE(bursts.Measures(0) && bursts.Measures(7));
  EXPECT_FALSE(Parse({"ROOFMARK_VISITS=first:3"}).settings.visits.AreAll());
  EXPECT_FALSE(Parse({"ROOFMARK_VISITS=in-turns"}).settings.visits.AreAll());
}

TEST(Settings, RegionsThatNobodyCanChooseAreExplained) {
  EXPECT_EQ(Parse({"ROOFMARK_REGIONS= solve/*,-halo "}).settings.regions, "solve/*,-halo");
  const ParsedSettings parsed = Parse({"ROOFMARK=regions=solve//mul"});
  EXPECT_EQ(parsed.settings.regions, "");
  EXPECT_THAT(parsed.problems,
              ElementsAre("`regions=solve//mul` in ROOFMARK is malformed and is ignored, so every "
                          "region is recorded: `solve//mul` has a / without a name on both "
                          "sides; it takes patterns, as in solve/*,-halo"));
}

TEST(Settings, FunctionsThatNobodyCanChooseAreExplained) {
  EXPECT_EQ(Parse({"ROOFMARK_FUNCTIONS=app:sweep*"}).settings.functions, "app:sweep*");
  const ParsedSettings parsed = Parse({"ROOFMARK_FUNCTIONS=sweep*"});
  EXPECT_EQ(parsed.settings.functions, "");
  ASSERT_THAT(parsed.problems, testing::SizeIs(1));
  EXPECT_THAT(parsed.problems[0],
              testing::ContainsRegex("so no function becomes a region: `sweep\\*` has no colon "));
}

TEST(Settings, TurnsOfEventsAndWaitingOfRanksAreOffUnlessAskedFor) {
  EXPECT_FALSE(Parse({"ROOFMARK=on"}).settings.rotate);
  EXPECT_TRUE(Parse({"ROOFMARK_ROTATE=visits"}).settings.rotate);
  EXPECT_FALSE(Parse({"ROOFMARK_ROTATE=off"}).settings.rotate);
  EXPECT_FALSE(Parse({"ROOFMARK=on"}).settings.sync_node);
  EXPECT_TRUE(Parse({"ROOFMARK_SYNC=node"}).settings.sync_node);
  EXPECT_FALSE(Parse({"ROOFMARK_SYNC=off"}).settings.sync_node);
  for (const char* bad : {"ROOFMARK_ROTATE=often", "ROOFMARK_SYNC=all"}) {
    EXPECT_THAT(Parse({bad}).problems, testing::SizeIs(1)) << bad;
  }
}

TEST(Settings, SpoolAndSnapshots) {
  EXPECT_EQ(Parse({"ROOFMARK=on"}).settings.spool, "auto");
  EXPECT_EQ(Parse({"ROOFMARK=on"}).settings.snapshot_s, 0u);
  EXPECT_EQ(Parse({"ROOFMARK_SPOOL=/x"}).settings.spool, "/x");
  EXPECT_EQ(Parse({"ROOFMARK_SNAPSHOT=600s"}).settings.snapshot_s, 600u);
  EXPECT_EQ(Parse({"ROOFMARK_SNAPSHOT=10m"}).settings.snapshot_s, 600u);
  EXPECT_EQ(Parse({"ROOFMARK_SNAPSHOT=2h"}).settings.snapshot_s, 7200u);
  EXPECT_EQ(Parse({"ROOFMARK_SNAPSHOT=45"}).settings.snapshot_s, 45u);
  for (const char* bad : {"ROOFMARK_SNAPSHOT=0", "ROOFMARK_SNAPSHOT=s",
                          "ROOFMARK_SNAPSHOT=", "ROOFMARK_SNAPSHOT=5d", "ROOFMARK_SNAPSHOT=-3s"}) {
    EXPECT_THAT(Parse({bad}).problems, testing::SizeIs(1)) << bad;
    EXPECT_EQ(Parse({bad}).settings.snapshot_s, 0u) << bad;
  }
}

TEST(Settings, Samples) {
  using By = SamplePlan::By;
  const auto plan = [](const char* text) { return Parse({text}).settings.samples; };
  EXPECT_EQ(plan("ROOFMARK=on").hz, 0u);
  EXPECT_EQ(plan("ROOFMARK_SAMPLES=off").hz, 0u);
  EXPECT_EQ(plan("ROOFMARK_SAMPLES=on").hz, 1000u);
  EXPECT_EQ(plan("ROOFMARK_SAMPLES=1").hz, 1000u);
  EXPECT_EQ(plan("ROOFMARK_SAMPLES=250").hz, 250u);
  EXPECT_EQ(plan("ROOFMARK_SAMPLES=250").by, By::kEither);
  EXPECT_EQ(plan("ROOFMARK=samples=timer:100").by, By::kTimer);
  EXPECT_EQ(plan("ROOFMARK=samples=timer:100").hz, 100u);
  EXPECT_EQ(plan("ROOFMARK_SAMPLES=perf_event:10000").by, By::kPerfEvent);
  for (const char* bad : {"ROOFMARK_SAMPLES=9", "ROOFMARK_SAMPLES=10001", "ROOFMARK_SAMPLES=timer",
                          "ROOFMARK_SAMPLES=timer:", "ROOFMARK_SAMPLES=perf:100",
                          "ROOFMARK_SAMPLES=1000Hz", "ROOFMARK_SAMPLES=timer:on"}) {
    EXPECT_THAT(Parse({bad}).problems, testing::SizeIs(1)) << bad;
    EXPECT_EQ(plan(bad).hz, 0u) << bad;
  }
}

TEST(Settings, CombinedVariableWithoutEqualsIsNamed) {
  EXPECT_THAT(Parse({"ROOFMARK=collector"}).problems,
              ElementsAre("`collector` in ROOFMARK is ignored; it takes on, off or "
                          "key=value;key=value"));
}

TEST(VisitPolicy, ChoosesVisits) {
  const VisitPolicy every{VisitPolicy::Kind::kEvery, 3}, first{VisitPolicy::Kind::kFirst, 2};
  int measured_every = 0, measured_first = 0;
  for (uint64_t visit = 0; visit < 9; ++visit) {
    measured_every += every.Measures(visit);
    measured_first += first.Measures(visit);
  }
  EXPECT_EQ(measured_every, 3);
  EXPECT_EQ(measured_first, 2);
}

TEST(Settings, MarkdownListsEverySetting) {
  std::string text = SettingsMarkdown();
  std::replace(text.begin(), text.end(), '\n', ' ');
  for (const SettingInfo& info : AllSettings()) {
    EXPECT_NE(text.find(std::string(info.doc)), std::string::npos) << info.key;
  }
}

// A collector that is part of every run is no choice.
TEST(Settings, CollectorsAreThoseOfTheList) {
  for (const CollectorName& name : kCollectorNames) {
    const std::string text = "ROOFMARK_COLLECTOR=" + std::string(name.id);
    EXPECT_EQ(Parse({text.c_str()}).problems.empty(), !name.doc.empty()) << name.id;
  }
  const std::vector<std::string> in_process = CollectorWords({CollectorKind::kInProcess});
  EXPECT_EQ(in_process[0], "auto");
  EXPECT_EQ(in_process[1], "perf_event") << "it is cheaper than PAPI, so it is tried first";
  EXPECT_THAT(in_process, testing::Not(testing::Contains("counting")));
  EXPECT_THAT(in_process, testing::Not(testing::Contains("cupti"))) << "`auto` takes none of GPUs";
  EXPECT_THAT(CollectorWords({CollectorKind::kAlways, CollectorKind::kEngine}),
              testing::AllOf(testing::Contains("timer"), testing::Contains("counting")));
  EXPECT_EQ(AllSettings()[0].key, "collector");
  EXPECT_TRUE(AllSettings()[0].values.starts_with("auto, timer, perf_event"));
}

}  // namespace
}  // namespace roofmark
