// SPDX-License-Identifier: BSD-3-Clause
//
// Counts and traffic where only some visits are modelled.
#include <gmock/gmock.h>

#include "tests/collectors/counting/counting_fixture.h"

namespace roofmark::counting {
namespace {

using testing::HasSubstr;

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

// As long as it is little: the mean of what was modelled anywhere is not far off for the whole.
TEST_F(SampledCounting, LittleThatWasNeverModelledIsLikeTheRest) {
  Start();
  collector_->EnterTeam(1, true);
  Read(400);
  collector_->SetCounting(Extent::kCheap);
  collector_->EnterTeam(2, true);
  Read(4);
  collector_->EnterTeam(3, true);
  Read(8);
  const Harvested harvested = Harvest();
  EXPECT_EQ(harvested.At(1, 2, metric::kDramReadBytes), 4u * 64);
  EXPECT_EQ(harvested.doubts.count({2, metric::kDramReadBytes}), 0u);
  EXPECT_EQ(harvested.At(1, 3, metric::kDramReadBytes), 0u);
  EXPECT_EQ(harvested.doubts.at({3, metric::kDramReadBytes}), Status::kUnsupported);
}

// The caches get warm: what is found there is found again later.
TEST_F(SampledCounting, TrafficWhileCachesGetWarmIsNotUsed) {
  Start();
  collector_->EnterTeam(1, true);
  for (const Extent extent : {Extent::kWarm, Extent::kAll}) {
    collector_->SetCounting(extent);
    line_ = 0;
    Read(8);
  }
  const Harvested harvested = Harvest();
  EXPECT_EQ(harvested.Adds(1, 1), 16u * 3);
  EXPECT_EQ(harvested.At(1, 1, metric::kLoadBytes), 16u * 8);
  EXPECT_EQ(harvested.At(1, 1, metric::kDramReadBytes), 0u);
  EXPECT_EQ(harvested.doubts.count({1, metric::kDramReadBytes}), 0u);
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

}  // namespace
}  // namespace roofmark::counting
