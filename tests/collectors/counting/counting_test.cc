// SPDX-License-Identifier: BSD-3-Clause
//
// The counting collector with an engine that has, or lacks, every capability.
#include "collectors/counting/counting.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "collectors/counting/dependences.h"
#include "lib/core/file.h"
#include "lib/found/found_json.h"
#include "tests/collectors/counting/fake_engine.h"
#include "tests/collectors/counting/harvested.h"
#include "tests/support/process.h"

namespace roofmark::counting {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr MetricId kAdds = FlopMetric(Precision::kDouble, Width::kScalar, FlopKind::kAdd);

struct Harvested final : HarvestedSums {
  std::map<uint32_t, CriticalPlace> critical;

  std::vector<std::string> defined;  // "parent name file:line"; they are paths from 100 on
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> visits;  // thread, path

  uint32_t DefinePath(uint32_t parent, const FoundRegion& region) override {
    defined.push_back(fmt::format("{} {} {}:{}", parent, region.name, region.file, region.line));
    return 99 + static_cast<uint32_t>(defined.size());
  }
  void AddVisits(uint32_t worker, uint32_t path, uint64_t times) override {
    visits[{worker, path}] += times;
  }
  void Critical(uint32_t path, const CriticalPlace& place) override { critical[path] = place; }
  uint64_t Adds(uint32_t thread, uint32_t path) const { return At(thread, path, kAdds); }
};

// Writes down, in words, what an engine tells it.
struct Listener final : AccessSink, WindowSink, EventSink {
  std::vector<std::string> heard;
  std::vector<uint64_t> addresses;
  size_t instructions = 0;

  static std::string Name(const Context& c) {
    return std::to_string(c.thread) + "/" + std::to_string(c.path) + "/" +
           std::to_string(static_cast<int>(c.layer));
  }
  void Take(const Context& context, std::span<const uint64_t> records) override {
    heard.push_back("accesses of " + Name(context));
    for (uint64_t record : records) addresses.push_back(ROOF_RECORD_ADDRESS(record));
  }
  void Take(const Context& context, std::span<const ExecutedInstruction> window) override {
    heard.push_back("window of " + Name(context));
    instructions += window.size();
    for (const ExecutedInstruction& one : window) {
      for (const ExecutedAccess& access : one.accesses) {
        addresses.push_back(ROOF_RECORD_ADDRESS(access.record));
      }
    }
  }
  void ThreadBegan(uint32_t thread) override { heard.push_back("+" + std::to_string(thread)); }
  void ThreadEnded(uint32_t thread) override { heard.push_back("-" + std::to_string(thread)); }
  void Forked() override { heard.push_back("fork"); }
  void ModuleLoaded(const Module& module) override { heard.push_back("load " + module.file); }
  void ModuleUnloaded(uint32_t id) override { heard.push_back("unload " + std::to_string(id)); }
};

class Counting : public testing::Test {
 protected:
  void Start(const Listeners& listeners = {}, std::set<std::string> without = {}) {
    auto engine = std::make_unique<FakeEngine>(std::move(without));
    engine_ = engine.get();
    collector_ = MakeCollector(std::move(engine), listeners);
    Result<std::vector<OfferedMetric>> offered = collector_->Open(settings_);
    ASSERT_TRUE(offered) << offered.error();
    offered_ = *offered;
  }
  void Add(int32_t flops) { engine_->Execute({{1, 0x40}, 1, flops, {}}); }
  Harvested Harvest() {
    Harvested harvested;
    collector_->Harvest(harvested);
    return harvested;
  }
  std::string ReasonOf(MetricId metric) const {
    for (const OfferedMetric& offer : offered_) {
      if (offer.metric == metric) return HasValue(offer.status) ? "given" : offer.reason;
    }
    return "not offered";
  }

  Settings settings_ = [] {
    Settings settings;
    settings.count = "flops";
    return settings;
  }();
  FakeEngine* engine_ = nullptr;
  std::unique_ptr<Collector> collector_;
  std::vector<OfferedMetric> offered_;
};

TEST_F(Counting, AnEngineThatDoesNotRunHereSaysWhy) {
  settings_.tool_dir = "nowhere";
  auto collector = MakeCollector(std::make_unique<FakeEngine>(), {});
  EXPECT_EQ(collector->Open(settings_).error(), "the fake does not run here");
}

TEST_F(Counting, OffersWhatTheEngineModelsAndSaysWhyTheRestIsMissing) {
  Start();
  EXPECT_EQ(ReasonOf(kAdds), "given");
  EXPECT_EQ(ReasonOf(metric::kL1ReadBytes), "this cache level is not modelled in this run");
  EXPECT_THAT(ReasonOf(metric::kDramReadBytes), HasSubstr("ROOFMARK_COUNT=cache"));
  settings_.count = "cache";
  Start();
  EXPECT_EQ(ReasonOf(metric::kL2WriteBytes), "given");
  EXPECT_EQ(ReasonOf(metric::kL3ReadBytes), "this cache level is not modelled in this run");
  EXPECT_EQ(ReasonOf(metric::kDramReadBytes), "given");
  EXPECT_THAT(ReasonOf(metric::kMissesCapacity), HasSubstr("ROOFMARK_COUNT=threec"));
  EXPECT_EQ(collector_->Facts().at("engine"), "fake");
  EXPECT_EQ(collector_->Facts().at("cache"), "L1:1K:4,L2:4K:8");
}

TEST_F(Counting, ChargesThePathThatEachThreadIsIn) {
  Start();
  engine_->BeginThread(2);
  collector_->EnterTeam(1, true);
  Add(10);
  engine_->RunAs(2);
  Add(20);
  collector_->EnterOwn(2, true);
  Add(200);
  const Harvested harvested = Harvest();
  EXPECT_EQ(harvested.Adds(1, 1), 10u);
  EXPECT_EQ(harvested.Adds(2, 1), 20u);
  EXPECT_EQ(harvested.Adds(2, 2), 200u);
  EXPECT_EQ(harvested.At(2, 2, metric::kInstructions), 1u);
}

TEST_F(Counting, AnUnmeasuredVisitGoesNowhere) {
  Start();
  collector_->EnterTeam(1, true);
  Add(10);
  collector_->EnterTeam(1, false);
  Add(100);
  collector_->EnterOwn(1, false);
  Add(100);
  collector_->EnterOwn(0, true);
  collector_->EnterTeam(1, true);
  Add(1);
  collector_->SetCounting(Extent::kNothing);
  Add(1000);
  collector_->SetCounting(Extent::kAll);
  Add(2);
  const Harvested harvested = Harvest();
  EXPECT_EQ(harvested.Adds(1, 1), 13u);
  for (const auto& [key, value] : harvested.sums) EXPECT_EQ(std::get<1>(key), 1u);
}

TEST_F(Counting, OtherLayersAreNoWorkAndHaveMetricsOfTheirOwn) {
  Start();
  Capability<Layers> layers = engine_->GetLayers();
  ASSERT_TRUE(layers);
  collector_->EnterTeam(1, true);
  Add(1);
  (*layers)->Enter(Layer::kMpi);
  Add(10);
  (*layers)->Enter(Layer::kRuntime);
  Add(100);
  (*layers)->Leave();
  Add(1000);
  (*layers)->Leave();
  Add(2);
  (*layers)->Enter(Layer::kOwn);
  Add(10000);
  (*layers)->Leave();
  const Harvested harvested = Harvest();
  EXPECT_EQ(harvested.Adds(1, 1), 3u);
  EXPECT_EQ(harvested.At(1, 1, InMpi(metric::kFlopsApart)), 1010u);
  EXPECT_EQ(harvested.At(1, 1, InRuntime(metric::kFlopsApart)), 100u);
}

TEST_F(Counting, AnEngineWithoutLayersSaysSo) {
  Start({}, {"layers"});
  EXPECT_EQ(ReasonOf(InMpi(metric::kInstructionsApart)), "this fake has no layers");
}

TEST_F(Counting, CyclesOfWindowsAreThoseOfAllInstructions) {
  Start();
  EXPECT_THAT(ReasonOf(metric::kDependenceCycles), HasSubstr("ROOFMARK_LATENCIES"));
  settings_.latencies = "dp_add=3";
  Start();
  EXPECT_EQ(ReasonOf(metric::kDependenceIssueCycles), "given");
  collector_->EnterTeam(1, true);
  engine_->Execute({{1, 0x40}, 10, 0, {}, /*in_window=*/2});
  engine_->Execute({{1, 0x80}, 30, 0, {}});
  collector_->EnterTeam(2, true);
  engine_->Execute({{1, 0x80}, 30, 0, {}});
  engine_->Leave("code was generated while the program ran");
  const Harvested harvested = Harvest();
  EXPECT_EQ(harvested.At(1, 1, metric::kDependenceCycles), 3u * 40);
  EXPECT_EQ(harvested.At(1, 1, metric::kDependenceFpCycles), 3u * 40);
  EXPECT_EQ(harvested.At(1, 1, metric::kDependenceMemoryCycles), 0u);
  EXPECT_EQ(harvested.At(1, 2, metric::kDependenceCycles), 0u);
  EXPECT_EQ(harvested.doubts.at({2, metric::kDependenceFpCycles}), Status::kInvalid);
  EXPECT_EQ(collector_->Facts().at("latencies"), "dp_add=3");
}

// Each cause of the windows belongs to one metric, and their sum to the first.
TEST(Dependences, AreSplitByCause) {
  std::array<uint64_t, ROOF_COUNTERS> counters = {};
  counters[ROOF_C_INSTRUCTIONS] = 1000;
  counters[ROOF_C_WINDOW_INSTRUCTIONS] = 10;
  uint64_t cycles = 1;
  for (size_t c = ROOF_C_WINDOW_FP_CYCLES; c <= ROOF_C_WINDOW_ISSUE_CYCLES; ++c, cycles *= 2) {
    counters[c] = cycles;
  }
  const auto of = [&](MetricId id) {
    return DependencesOf(counters)[id - metric::kFirstDependence];
  };
  EXPECT_EQ(of(metric::kDependenceFpCycles), 100u * 1);
  EXPECT_EQ(of(metric::kDependenceAddressCycles), 100u * (2 + 4));
  EXPECT_EQ(of(metric::kDependenceMemoryCycles), 100u * (8 + 16 + 32));
  EXPECT_EQ(of(metric::kDependenceForwardCycles), 100u * 64);
  EXPECT_EQ(of(metric::kDependenceInFlightCycles), 100u * 128);
  EXPECT_EQ(of(metric::kDependenceWindowCycles), 100u * 256);
  EXPECT_EQ(of(metric::kDependenceTlbCycles), 100u * 512);
  EXPECT_EQ(of(metric::kDependenceIssueCycles), 100u * 1024);
  EXPECT_EQ(of(metric::kDependenceCycles), 100u * 2047);
  counters[ROOF_C_WINDOW_INSTRUCTIONS] = 0;
  EXPECT_EQ(of(metric::kDependenceCycles), 0u);
}

TEST_F(Counting, SumsSoFarChangeNothingOfThoseAtTheEnd) {
  Start();
  collector_->EnterTeam(1, true);
  Add(5);
  Harvested so_far;
  EXPECT_TRUE(collector_->HarvestSoFar(so_far).empty());
  EXPECT_EQ(so_far.Adds(1, 1), 5u);
  Add(7);
  EXPECT_EQ(Harvest().Adds(1, 1), 12u);
}

// What comes then is roofmark's, and executes faster.
TEST_F(Counting, AfterTheHarvestNothingIsCounted) {
  Start();
  collector_->EnterTeam(1, true);
  Add(5);
  EXPECT_EQ(Harvest().Adds(1, 1), 5u);
  Add(7);
  EXPECT_EQ(Harvest().Adds(1, 1), 5u);
}

TEST_F(Counting, WithoutSumsSoFarEveryMetricSaysWhy) {
  Start({}, {"periodic"});
  collector_->EnterTeam(1, true);
  Add(5);
  Harvested so_far;
  const std::vector<OfferedMetric> missing = collector_->HarvestSoFar(so_far);
  EXPECT_TRUE(so_far.sums.empty());
  size_t given = 0;
  for (const OfferedMetric& offer : offered_) given += HasValue(offer.status);
  ASSERT_EQ(missing.size(), given);
  EXPECT_EQ(missing[0].reason, "this fake has no periodic");
  EXPECT_FALSE(HasValue(missing[0].status));
  EXPECT_EQ(Harvest().Adds(1, 1), 5u);
}

TEST_F(Counting, TrafficIsThatOfTheModelledCaches) {
  settings_.count = "cache";
  Start();
  collector_->EnterTeam(1, true);
  for (uint64_t line = 0; line < 8; ++line) engine_->Execute({{1, 0}, 1, 0, {line * 64}});
  collector_->EnterTeam(2, true);
  for (uint64_t line = 0; line < 8; ++line) engine_->Execute({{1, 0}, 1, 0, {line * 64}});
  const Harvested harvested = Harvest();
  EXPECT_EQ(harvested.At(1, 1, metric::kDramReadBytes), 8u * 64);
  EXPECT_EQ(harvested.At(1, 2, metric::kDramReadBytes), 0u);
}

class SampledCounting : public Counting {
 protected:
  void Start() {
    settings_.count = "cache";
    settings_.visits = {VisitPolicy::Kind::kFirst, 1};
    Counting::Start();
  }
  // Each load reads another line, once.
  void Read(int lines) {
    for (; lines > 0; --lines) engine_->Execute({{1, 0}, 1, 3, {line_++ * 64}});
  }
  uint64_t line_ = 0;
};

TEST_F(SampledCounting, EveryVisitIsCountedAndTrafficIsExtrapolated) {
  Start();
  EXPECT_TRUE(collector_->CountsEveryVisit());
  collector_->EnterTeam(1, true);
  Read(8);
  collector_->SetCounting(Extent::kCheap);
  Read(16);
  const Harvested harvested = Harvest();
  EXPECT_EQ(harvested.Adds(1, 1), 24u * 3);
  EXPECT_EQ(harvested.At(1, 1, metric::kInstructions), 24u);
  EXPECT_EQ(harvested.At(1, 1, metric::kLoadBytes), 24u * 8);
  EXPECT_EQ(harvested.At(1, 1, metric::kDramReadBytes), 24u * 64);
  EXPECT_EQ(harvested.doubts.count({1, metric::kDramReadBytes}), 0u);
  EXPECT_THAT(collector_->Facts().at("sampled"), HasSubstr("extrapolated"));
}

// The first visit reads from memory what the later ones find in the caches.
TEST_F(SampledCounting, FirstVisitsDoNotStandForLaterOnes) {
  Start();
  collector_->EnterTeam(1, true);
  for (const Extent extent : {Extent::kFirst, Extent::kAll, Extent::kCheap}) {
    collector_->SetCounting(extent);
    line_ = 0;
    Read(8);
  }
  const Harvested harvested = Harvest();
  EXPECT_EQ(harvested.At(1, 1, metric::kLoadBytes), 3u * 8 * 8);
  EXPECT_EQ(harvested.At(1, 1, metric::kDramReadBytes), 8u * 64);
}

// Two strata of 8 lines, of which 8 and 4 come from memory; 16 more loads are not modelled.
TEST_F(SampledCounting, WhatIsExtrapolatedHasTheMarginOfItsStrata) {
  Start();
  collector_->EnterTeam(1, true);
  collector_->SetCounting(InStratum(0));
  Read(8);
  collector_->SetCounting(InStratum(3));
  line_ = 4;
  Read(8);
  collector_->SetCounting(Extent::kCheap);
  Read(16);
  const Harvested harvested = Harvest();
  EXPECT_EQ(harvested.At(1, 1, metric::kDramReadBytes), (12u + 12) * 64);
  const std::vector<counts::Stratum> strata = {{8 * 64, 64}, {4 * 64, 64}};
  EXPECT_NEAR(static_cast<double>(harvested.At(1, 1, metric::kDramMarginBytes)),
              *counts::Margin(strata, 128), 1);
  EXPECT_TRUE(harvested.doubts.empty());
}

TEST_F(SampledCounting, OneStratumGivesNoMargin) {
  Start();
  collector_->EnterTeam(1, true);
  Read(8);
  collector_->SetCounting(Extent::kCheap);
  Read(16);
  EXPECT_EQ(Harvest().doubts.at({1, metric::kDramMarginBytes}), Status::kUnsupported);
}

TEST_F(SampledCounting, AThreadWithoutAModelledVisitIsLikeTheOthers) {
  Start();
  engine_->BeginThread(2);
  collector_->EnterTeam(1, true);
  Read(8);
  collector_->SetCounting(Extent::kCheap);
  engine_->RunAs(2);
  Read(4);
  const Harvested harvested = Harvest();
  EXPECT_EQ(harvested.At(1, 1, metric::kDramReadBytes), 8u * 64);
  EXPECT_EQ(harvested.At(2, 1, metric::kDramReadBytes), 4u * 64);
}

TEST_F(SampledCounting, TrafficOfAPathOfWhichNoVisitWasModelledIsNotKnown) {
  Start();
  collector_->SetCounting(Extent::kCheap);
  collector_->EnterTeam(1, true);
  Read(8);
  const Harvested harvested = Harvest();
  EXPECT_EQ(harvested.Adds(1, 1), 8u * 3);
  EXPECT_EQ(harvested.doubts.at({1, metric::kDramReadBytes}), Status::kUnsupported);
  EXPECT_EQ(harvested.doubts.count({1, metric::kInstructions}), 0u);
}

TEST_F(SampledCounting, DependencesFollowTheInstructionsOfAllVisits) {
  settings_.latencies = "dp_add=3";
  Start();
  collector_->EnterTeam(1, true);
  engine_->Execute({{1, 0}, 10, 0, {}, 10});
  collector_->SetCounting(Extent::kCheap);
  engine_->Execute({{1, 0}, 10, 0, {}, 10});
  const Harvested harvested = Harvest();
  EXPECT_EQ(harvested.At(1, 1, metric::kDependenceFpCycles), 20u * 3);
}

// Of all threads, sampled or not.
TEST_F(SampledCounting, TheLineWithMostCyclesOfThePathIsHandedOver) {
  settings_.latencies = "dp_add=3";
  Start();
  engine_->BeginThread(2);
  collector_->EnterTeam(1, true);
  for (const uint32_t thread : {1u, 2u}) {
    engine_->RunAs(thread);
    engine_->Execute({{1, 0}, 100, 0, {}, 100});
    engine_->SpendAt({"sweep.c", 7}, 100);
  }
  engine_->SpendAt({"sweep.c", 8}, 150);
  collector_->EnterTeam(2, true);
  engine_->SpendAt({"other.c", 7}, 10);
  const Harvested harvested = Harvest();
  ASSERT_EQ(harvested.critical.size(), 2u);
  const CriticalPlace& place = harvested.critical.at(1);
  EXPECT_EQ(place.file, "sweep.c");
  EXPECT_EQ(place.line, 7u);
  EXPECT_EQ(place.cycles, 200u);
  EXPECT_EQ(place.of_cycles, 600u);
  EXPECT_NEAR(place.Share(), 1.0 / 3, 1e-9);
}

TEST_F(Counting, APathThatLostCountsIsDoubtedAndNamed) {
  Start();
  collector_->DefinePath(3, 0, "solve/spmv");
  collector_->EnterTeam(3, true);
  Add(5);
  engine_->Leave("code was generated while the program ran");
  const Harvested harvested = Harvest();
  EXPECT_EQ(harvested.doubts.at({3, kAdds}), Status::kInvalid);
  EXPECT_EQ(harvested.doubts.count({1, kAdds}), 0u);
  EXPECT_EQ(collector_->Facts().at("incomplete"),
            "solve/spmv: code was generated while the program ran (exits: 1)");
}

TEST_F(Counting, AccessesAreHandedOverByContext) {
  Listener listener;
  Start({.accesses = &listener});
  collector_->EnterTeam(4, true);
  engine_->Execute({{1, 0}, 1, 0, {0x1000, 0x2000}});
  engine_->GetLayers().operator*()->Enter(Layer::kMpi);
  engine_->Execute({{1, 0}, 1, 0, {0x3000}});
  Harvest();
  EXPECT_THAT(listener.heard, ElementsAre("accesses of 1/4/0", "accesses of 1/4/1"));
  EXPECT_THAT(listener.addresses, ElementsAre(0x1000, 0x2000, 0x3000));
}

TEST_F(Counting, AccessesCanBeSampledByLines) {
  Listener listener;
  Start({.accesses = &listener, .line_sampling = 4});
  for (uint64_t line = 0; line < 400; ++line) engine_->Execute({{1, 0}, 1, 0, {line * 64}});
  Harvest();
  EXPECT_EQ(listener.addresses.size(), 100u);
}

TEST_F(Counting, WindowsHoldInstructionsInTheirOrderWithTheirAccesses) {
  Listener listener;
  Start({.windows = &listener, .window_plan = {.instructions = 6, .warm_up = 1, .one_in = 1}});
  collector_->EnterTeam(2, true);
  for (uint64_t i = 0; i < 4; ++i) engine_->Execute({{1, 0x10}, 3, 1, {i * 8}});
  EXPECT_THAT(listener.heard, ElementsAre("window of 1/2/0", "window of 1/2/0"));
  EXPECT_EQ(listener.instructions, 12u);
  EXPECT_THAT(listener.addresses, ElementsAre(0, 8, 16, 24));
}

TEST_F(Counting, ExecutedCodeIsHandedOverAtTheEnd) {
  settings_.executed = true;
  Start();
  for (int i = 0; i < 3; ++i) {
    engine_->Execute({{1, 10}});
    engine_->Execute({{1, 20}});
  }
  Harvest();
  const std::optional<Executed> executed = collector_->TakeExecuted();
  ASSERT_TRUE(executed && executed->modules.size() == 1u);
  EXPECT_THAT(executed->modules[0].blocks,
              ElementsAre(ExecutedBlock{10, 4, 1, 3}, ExecutedBlock{20, 4, 1, 3}));
  EXPECT_THAT(executed->modules[0].ways,
              ElementsAre(ExecutedWay{10, 20, 3, false}, ExecutedWay{20, 10, 2, false}));
}

TEST_F(Counting, WhereNoExecutedCodeCanBeKeptTheReasonIsAFact) {
  settings_.executed = true;
  Start({}, {"room for blocks"});
  Add(1);
  Harvest();
  EXPECT_FALSE(collector_->TakeExecuted());
  EXPECT_EQ(collector_->Facts().at("executed"), "not available: this fake has no room for blocks");
}

TEST_F(Counting, LostWaysOfExecutedCodeAreSaid) {
  settings_.executed = true;
  Start({}, {"room for ways"});
  engine_->Execute({{1, 10}});
  Harvest();
  ::testing::internal::CaptureStderr();
  EXPECT_TRUE(collector_->TakeExecuted());
  EXPECT_THAT(::testing::internal::GetCapturedStderr(),
              HasSubstr("1 ways and parts of the executed code were lost"));
}

TEST_F(Counting, WithoutTheSettingNoExecutedCodeIsKept) {
  Start();
  Add(1);
  Harvest();
  EXPECT_FALSE(collector_->TakeExecuted());
}

class CountingNests : public Counting {
 protected:
  // A loop at 20 to 40, with one inside at 30.
  static NestPlan Loops() {
    NestPlan plan;
    plan.modules = {"none", "program"};
    plan.nests = {{"outer", "a.c", 3, {}, false}, {"inner", "a.c", 5, 0, false}};
    plan.ranges = {{1, 0, 20, 30}, {1, 1, 30, 32}, {1, 0, 32, 40}};
    return plan;
  }
  void Plan(const std::string& text) {
    settings_.nests = directory_.File("nests.json");
    ASSERT_TRUE(WriteFile(settings_.nests, text, IfExists::kReplace));
  }
  // 10, twice (20, three times 30), 40, on the running thread.
  void RunLoops() {
    engine_->Execute({{1, 10}, 1, 1});
    for (int i = 0; i < 2; ++i) {
      engine_->Execute({{1, 20}, 1, 10});
      for (int k = 0; k < 3; ++k) engine_->Execute({{1, 30}, 1, 100});
    }
    engine_->Execute({{1, 40}, 1, 1});
  }
  test::TempDir directory_;
};

TEST_F(CountingNests, AreDefinedBelowThePathsInWhichTheyWereEntered) {
  Plan(NestPlanToJson(Loops()));
  Start();
  RunLoops();
  collector_->EnterTeam(3, true);
  RunLoops();
  const Harvested harvested = Harvest();
  EXPECT_THAT(harvested.defined,
              ElementsAre("0 outer a.c:3", "100 inner a.c:5", "3 outer a.c:3", "102 inner a.c:5"));
  EXPECT_EQ(harvested.Adds(1, 0), 2u);
  EXPECT_EQ(harvested.Adds(1, 100), 20u);
  EXPECT_EQ(harvested.Adds(1, 101), 600u);
  EXPECT_EQ(harvested.Adds(1, 3), 2u);
  EXPECT_EQ(harvested.Adds(1, 103), 600u);
  EXPECT_EQ(harvested.visits.at({1, 100}), 1u);
  EXPECT_EQ(harvested.visits.at({1, 101}), 2u);
}

TEST_F(CountingNests, WhoWorksForTheMainThreadIsInItsNests) {
  Plan(NestPlanToJson(Loops()));
  Start();
  engine_->BeginThread(2);
  engine_->Execute({{1, 20}, 1, 10});
  engine_->Lead();
  engine_->RunAs(2);
  engine_->Execute({{1, 50}, 1, 1000});
  const Harvested harvested = Harvest();
  EXPECT_EQ(harvested.Adds(2, 100), 1000u);
  EXPECT_EQ(harvested.Adds(2, 0), 0u);
}

TEST_F(CountingNests, APlanThatCannotBeFollowedIsAnErrorThatNamesTheVariable) {
  const auto error = [this](std::set<std::string> without) {
    collector_ = MakeCollector(std::make_unique<FakeEngine>(std::move(without)), {});
    return collector_->Open(settings_).error();
  };
  settings_.nests = directory_.File("missing.json");
  EXPECT_THAT(error({}), AllOf(HasSubstr("ROOFMARK_NESTS: "), HasSubstr("missing.json")));
  Plan("{}");
  EXPECT_THAT(error({}), HasSubstr("nests.json"));
  Plan(NestPlanToJson(Loops()));
  EXPECT_THAT(error({"nests"}), HasSubstr("this fake has no nests"));
}

TEST_F(CountingNests, APlanOfNothingLeavesAllElseToBeCounted) {
  Plan(NestPlanToJson({}));
  Start();
  collector_->EnterTeam(3, true);
  RunLoops();
  const Harvested harvested = Harvest();
  EXPECT_TRUE(harvested.defined.empty());
  EXPECT_EQ(harvested.Adds(1, 3), 622u);
  EXPECT_THAT(collector_->Facts().at("nests"), HasSubstr("names no loop and no function"));
}

TEST_F(CountingNests, FunctionsByNameAreAPlanToo) {
  settings_.functions = "app:no_such_function";
  Start({}, {"nests"});
  EXPECT_THAT(collector_->Facts().at("functions"),
              HasSubstr("`app:no_such_function` matches no function"));
  const auto error = [this] {
    collector_ = MakeCollector(std::make_unique<FakeEngine>(std::set<std::string>{"nests"}), {});
    return collector_->Open(settings_).error();
  };
  settings_.functions = "app:main";
  EXPECT_THAT(error(),
              AllOf(HasSubstr("ROOFMARK_FUNCTIONS: "), HasSubstr("this fake has no nests")));
  settings_.nests = directory_.File("nests.json");
  EXPECT_THAT(error(), AllOf(HasSubstr("ROOFMARK_FUNCTIONS"), HasSubstr("ROOFMARK_NESTS"),
                             HasSubstr("leave one of them out")));
}

TEST_F(Counting, EventsOfThreadsForksAndModules) {
  Listener listener;
  auto engine = std::make_unique<FakeEngine>();
  engine_ = engine.get();
  engine_->Load({1, "program", "ab12", 0x1000, 0x2000});
  collector_ = MakeCollector(std::move(engine), {.events = &listener});
  ASSERT_TRUE(collector_->Open(settings_));
  engine_->BeginThread(2);
  engine_->Load({2, "plugin.so", "", 0x3000, 0x4000});
  engine_->EndThread(2);
  engine_->Unload(2);
  collector_->EnterTeam(1, true);
  Add(5);
  engine_->Fork();
  Add(3);
  EXPECT_THAT(listener.heard,
              ElementsAre("load program", "+2", "load plugin.so", "-2", "unload 2", "fork"));
  EXPECT_EQ(Harvest().Adds(1, 1), 3u) << "a child starts from zero";
}

TEST_F(Counting, WhatAnEngineLacksIsAFactWithItsReason) {
  Listener listener;
  settings_.executed = true;
  Start({.accesses = &listener, .windows = &listener, .events = &listener},
        {"trace", "windows", "blocks", "events"});
  Add(5);
  EXPECT_EQ(Harvest().Adds(1, 0), 5u);
  EXPECT_TRUE(listener.heard.empty());
  const auto facts = collector_->Facts();
  EXPECT_EQ(facts.at("address_trace"), "not available: this fake has no trace");
  EXPECT_EQ(facts.at("windows"), "not available: this fake has no windows");
  EXPECT_EQ(facts.at("executed"), "not available: this fake has no blocks");
  EXPECT_EQ(facts.at("events"), "not available: this fake has no events");
}

}  // namespace
}  // namespace roofmark::counting
