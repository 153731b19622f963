// SPDX-License-Identifier: BSD-3-Clause
//
// What the collector charges to which path, and what it says is missing.
#include <gmock/gmock.h>

#include "collectors/counting/dependences.h"
#include "tests/collectors/counting/counting_fixture.h"

namespace roofmark::counting {
namespace {

using testing::HasSubstr;

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
  EXPECT_EQ(of(metric::kDependenceUnitsCycles), 100u * 1024);
  EXPECT_EQ(of(metric::kDependenceAtomicCycles), 100u * 2048);
  EXPECT_EQ(of(metric::kDependenceBranchCycles), 100u * 4096);
  EXPECT_EQ(of(metric::kDependenceIssueCycles), 100u * 8192);
  EXPECT_EQ(of(metric::kDependenceCycles), 100u * 16383);
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
            "code was generated while the program ran (solve/spmv; exits: 1)");
}

}  // namespace
}  // namespace roofmark::counting
