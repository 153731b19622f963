// SPDX-License-Identifier: BSD-3-Clause
//
// The counting collector where visits take turns.
#include "collectors/counting/scaled_visits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>

#include "collectors/counting/counting.h"
#include "tests/collectors/counting/fake_engine.h"
#include "tests/collectors/counting/harvested.h"

namespace roofmark::counting {
namespace {

using testing::HasSubstr;

constexpr MetricId kAdds = FlopMetric(Precision::kDouble, Width::kScalar, FlopKind::kAdd);

// Of visits of 10 and of 30 FLOPs, two each.
constexpr counts::Stratum kStrataOfFour[] = {{20, 2}, {60, 2}};

struct Harvested final : HarvestedSums {
  std::map<uint32_t, VisitCounts> visits;  // by path

  VisitCounts VisitsOf(uint32_t path) const override {
    const auto found = visits.find(path);
    return found == visits.end() ? VisitCounts() : found->second;
  }
};

class TurningCounting : public testing::Test {
 protected:
  TurningCounting() {
    settings_.count = "flops";
    settings_.visits = {VisitPolicy::Kind::kInTurns, 1};
  }
  Result<std::vector<OfferedMetric>> Open() {
    auto engine = std::make_unique<FakeEngine>();
    engine_ = engine.get();
    collector_ = MakeCollector(std::move(engine), {});
    auto offered = collector_->Open(settings_);
    collector_->DefinePath(1, 0, "one");
    collector_->DefinePath(2, 0, "two");
    return offered;
  }
  // A visit of path 1 with so many additions.
  void Count(size_t stratum, int32_t adds) {
    collector_->SetCounting(InStratum(stratum));
    collector_->EnterTeam(1, true);
    engine_->Execute({{1, 0x40}, 1, adds, {}});
    collector_->EnterTeam(0, true);
    ++harvested_.visits[1].counted[stratum];
    ++harvested_.visits[1].all;
  }
  void Time(uint64_t visits) {
    collector_->EnterTeam(1, false);
    engine_->Execute({{1, 0x40}, 1, 1000, {}});
    collector_->EnterTeam(0, true);
    harvested_.visits[1].all += visits;
  }
  void CountFour() {
    for (int i = 0; i < 2; ++i) {
      Count(0, 10);
      Count(3, 30);
    }
  }
  uint64_t Adds() const { return harvested_.At(1, 1, kAdds); }

  Settings settings_;
  FakeEngine* engine_ = nullptr;
  std::unique_ptr<Collector> collector_;
  Harvested harvested_;
};

TEST_F(TurningCounting, TakesTurnsAndHasTimes) {
  ASSERT_TRUE(Open());
  EXPECT_TRUE(collector_->TakesTurns());
  EXPECT_TRUE(collector_->TimesAreReal());
}

TEST_F(TurningCounting, SaysWhatItCannotCountSo) {
  settings_.count = "cache";
  EXPECT_THAT(Open().error(), HasSubstr("set ROOFMARK_COUNT=flops"));
  EXPECT_FALSE(collector_->TakesTurns());
  settings_.count = "flops";
  settings_.executed = true;
  EXPECT_THAT(Open().error(), HasSubstr("set ROOFMARK_EXECUTED=off"));
  settings_.executed = false;
  settings_.outside = true;
  EXPECT_THAT(Open().error(), HasSubstr("set ROOFMARK_OUTSIDE=off"));
}

TEST_F(TurningCounting, WhatAllVisitsDidAlikeIsScaledExactly) {
  ASSERT_TRUE(Open());
  for (size_t stratum = 0; stratum < 4; ++stratum) Count(stratum, 7);
  Time(5);
  collector_->Harvest(harvested_);
  EXPECT_EQ(Adds(), 9u * 7);
  EXPECT_EQ(harvested_.StatusOf(1, kAdds), Status::kScaled);
  EXPECT_EQ((harvested_.sums[{1, 1, metric::kFlopsMargin}]), 0u);
  EXPECT_EQ(harvested_.StatusOf(1, metric::kFlopsMargin), Status::kMeasured);
}

TEST_F(TurningCounting, WhatTheyDidNotIsInTheMargin) {
  ASSERT_TRUE(Open());
  CountFour();
  Time(4);
  collector_->Harvest(harvested_);
  EXPECT_EQ(Adds(), 160u);
  EXPECT_NEAR(static_cast<double>(harvested_.sums[{1, 1, metric::kFlopsMargin}]),
              *counts::Margin(kStrataOfFour, 4), 1);
}

// It is not counted. If it took another time, it may have done another work.
TEST_F(TurningCounting, AFirstVisitOfAnotherLengthWidensTheMargin) {
  ASSERT_TRUE(Open());
  CountFour();
  Time(96);
  const double of_others = *counts::Margin(kStrataOfFour, 96);
  for (const auto& [first, more] : {std::pair(5.0, 5.0 * 20), {0.1, 20}}) {
    harvested_.sums.clear();
    harvested_.visits[1].unlike_first = first;
    collector_->Harvest(harvested_);
    EXPECT_NEAR(static_cast<double>(harvested_.sums[{1, 1, metric::kFlopsMargin}]),
                of_others + more, 1)
        << first;
  }
}

TEST_F(TurningCounting, AFirstVisitThatTookMuchOfTheTimeLeavesNoMargin) {
  ASSERT_TRUE(Open());
  CountFour();
  Time(96);
  harvested_.visits[1].unlike_first = 12;
  collector_->Harvest(harvested_);
  EXPECT_EQ(harvested_.StatusOf(1, metric::kFlopsMargin), Status::kUnsupported);
  EXPECT_EQ(harvested_.StatusOf(1, kAdds), Status::kScaled);
}

TEST_F(TurningCounting, AFirstVisitBesideWhichNoneWasTimedLeavesNoMargin) {
  ASSERT_TRUE(Open());
  CountFour();
  Time(4);
  harvested_.visits[1].others_untimed = true;
  collector_->Harvest(harvested_);
  EXPECT_EQ(harvested_.StatusOf(1, metric::kFlopsMargin), Status::kUnsupported);
  EXPECT_EQ(Adds(), 160u);
}

TEST_F(TurningCounting, ThreeVisitsThatDidTheSameGiveNoMargin) {
  ASSERT_TRUE(Open());
  for (size_t stratum = 0; stratum < 3; ++stratum) Count(stratum, 7);
  Time(3);
  collector_->Harvest(harvested_);
  EXPECT_EQ(Adds(), 6u * 7);
  EXPECT_EQ(harvested_.StatusOf(1, metric::kFlopsMargin), Status::kUnsupported);
}

TEST(ScaledVisits, FlopsOfAllPrecisionsAreInTheMargin) {
  ScaledVisits all;
  std::array<uint64_t, ROOF_COUNTERS> counters{};
  for (const size_t stratum : {0, 3}) {
    counters[ROOF_C_BF16_FLOPS] = stratum == 0 ? 20 : 60;
    all.Add({.thread = kMainThread, .path = 1, .layer = Layer::kWork, .extent = InStratum(stratum)},
            counters);
  }
  VisitCounts visits;
  visits.all = 8;
  visits.counted[0] = visits.counted[3] = 2;
  EXPECT_EQ(all.Judge(1, visits).flops_margin, counts::Margin(kStrataOfFour, 4));
}

TEST_F(TurningCounting, OneGroupOfVisitsGivesNoMargin) {
  ASSERT_TRUE(Open());
  Count(0, 10);
  Time(1);
  collector_->Harvest(harvested_);
  EXPECT_EQ(Adds(), 20u);
  EXPECT_EQ(harvested_.StatusOf(1, metric::kFlopsMargin), Status::kUnsupported);
}

TEST_F(TurningCounting, WhatWasCountedInAllVisitsIsMeasured) {
  ASSERT_TRUE(Open());
  Count(0, 10);
  Count(1, 20);
  collector_->Harvest(harvested_);
  EXPECT_EQ(Adds(), 30u);
  EXPECT_EQ(harvested_.StatusOf(1, kAdds), Status::kMeasured);
}

TEST_F(TurningCounting, WhatWasNeverCountedIsNotKnown) {
  ASSERT_TRUE(Open());
  Time(1);
  collector_->Harvest(harvested_);
  EXPECT_EQ(Adds(), 0u);
  EXPECT_EQ(harvested_.StatusOf(1, kAdds), Status::kUnsupported);
  EXPECT_EQ(harvested_.StatusOf(1, InMpi(metric::kFlopsApart)), Status::kUnsupported);
}

TEST_F(TurningCounting, TheTimeOfOtherThreadsIsNotTheProgramsOwn) {
  ASSERT_TRUE(Open());
  engine_->BeginThread(2);
  collector_->EnterTeam(1, true);
  for (int i = 0; i < 200; ++i) engine_->Execute({{1, 0x40}, 1, 1, {}});
  engine_->RunAs(2);
  engine_->Execute({{1, 0x40}, 1, 1, {}});
  harvested_.visits[1] = {2, {1}, {}};
  collector_->Harvest(harvested_);
  EXPECT_EQ(harvested_.StatusOf(1, metric::kTimeNs), Status::kMeasured) << "below 1 %";
  collector_->SetCounting(Extent::kAll);  // a harvest ends it
  for (int i = 0; i < 3; ++i) engine_->Execute({{1, 0x40}, 1, 1, {}});
  Harvested again;
  again.visits = harvested_.visits;
  collector_->Harvest(again);
  EXPECT_EQ(again.StatusOf(1, metric::kTimeNs), Status::kInvalid);
}

}  // namespace
}  // namespace roofmark::counting
