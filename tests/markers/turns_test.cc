// SPDX-License-Identifier: BSD-3-Clause
#include "markers/turns.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

namespace roofmark::markers {
namespace {

class TakesThem final : public Collector {
 public:
  std::string_view Name() const override { return "takes turns"; }
  Result<std::vector<OfferedMetric>> Open(const Settings&) override {
    return std::vector<OfferedMetric>{};
  }
  bool TakesTurns() const override { return true; }
};

class TurnsTest : public testing::Test {
 protected:
  TurnsTest() { turns_.Start({VisitPolicy::Kind::kInTurns, 1}, &collector_); }

  Turn Begin(uint32_t path, uint64_t number) {
    return turns_.Begin({path, number, /*main=*/true, /*team=*/true, /*outermost=*/true});
  }
  // A visit that takes `ticks` if it is timed alone.
  Turn Visit(uint32_t path, uint64_t number, uint64_t ticks, double cost) {
    const Turn turn = Begin(path, number);
    const auto more = static_cast<uint64_t>(static_cast<double>(ticks) * (1 + cost));
    turns_.End(path, turn, turn.counted ? more : ticks);
    return turn;
  }
  uint64_t Counted(uint32_t path) const {
    const PathTurns of = turns_.Of(path);
    return std::accumulate(of.counted.begin(), of.counted.end(), uint64_t{0});
  }

  TakesThem collector_;
  Turns turns_;
};

TEST_F(TurnsTest, AreTakenWhereTheyAreWantedAndCanBe) {
  EXPECT_TRUE(turns_.on());
  Turns other;
  other.Start({VisitPolicy::Kind::kAll, 1}, &collector_);
  EXPECT_FALSE(other.on());
  other.Start({VisitPolicy::Kind::kInTurns, 1}, nullptr);
  EXPECT_FALSE(other.on());
}

TEST_F(TurnsTest, TimesAfterTheFirstAreKnownApart) {
  Visit(1, 0, 5000, 1);
  EXPECT_EQ(TimedAfterFirst(turns_.Of(1)).visits, 0u);
  for (uint64_t number = 1; number <= 20; ++number) Visit(1, number, 100, 1);
  const VisitsAfterFirst timed = TimedAfterFirst(turns_.Of(1));
  EXPECT_EQ(timed.visits, 10u);
  EXPECT_EQ(timed.Mean(), 100);
  for (uint64_t number = 21; number <= 24; ++number) Visit(1, number, number * 10, 1);
  EXPECT_EQ(turns_.Of(1).least_ticks, 100u);
  EXPECT_GE(turns_.Of(1).most_ticks, 210u);
}

TEST_F(TurnsTest, OneInterruptedVisitIsNotTheLongestOfThem) {
  const auto visit = [&](uint64_t ticks) {
    turns_.End(1, Turn{.timed = 1, .counted = 1, .decided = 0, .open = 0, .stratum = 0}, ticks);
    return turns_.Of(1).most_ticks;
  };
  EXPECT_EQ(visit(100), 100u) << "alone";
  EXPECT_EQ(visit(90), 90u);
  EXPECT_EQ(visit(100'000), 100u);
  EXPECT_EQ(visit(95), 100u);
  EXPECT_EQ(visit(200'000), 100'000u);
}

TEST_F(TurnsTest, WhatTheFirstVisitHadBesideItsTimeIsKept) {
  spool::DeclaredWork work;
  EXPECT_EQ(turns_.Of(1).first.mpi_ticks, 0u);
  for (uint64_t number = 0; number < 4; ++number) {
    const Turn turn = Visit(1, number, 100, 1);
    spool::Raise(work.mpi_ticks, 30);
    spool::Raise(work.busiest_ticks, 20);
    spool::Raise(work.page_faults, 7);
    turns_.KeepFirst(1, turn, work);
  }
  const BesideTime first = turns_.Of(1).first;
  EXPECT_EQ(first.mpi_ticks, 30u);
  EXPECT_EQ(first.busiest_ticks, 20u);
  EXPECT_EQ(first.kernel.page_faults, 7u);
}

TEST_F(TurnsTest, TheFirstVisitIsTimedAndTheOthersTakeTurns) {
  const Turn first = Visit(1, 0, 100, 1);
  EXPECT_TRUE(first.timed && !first.counted && !first.decided);
  for (uint64_t number = 1; number <= 100; ++number) {
    const Turn turn = Visit(1, number, 100, 1);
    EXPECT_TRUE(turn.decided);
    EXPECT_EQ(turn.counted, counts::IsCountedInTurn(number) ? 1 : 0);
    EXPECT_NE(turn.counted, turn.timed);
  }
  EXPECT_EQ(Counted(1), 50u);
  EXPECT_NEAR(*turns_.Of(1).cost, 1, 1e-9);
  EXPECT_FALSE(turns_.Of(1).at_once);
}

TEST_F(TurnsTest, CountedVisitsAreInAllStrata) {
  std::set<int> strata;
  for (uint64_t number = 1; number <= 16; ++number) {
    const Turn turn = Visit(1, number, 100, 1);
    if (turn.counted) strata.insert(turn.stratum);
  }
  EXPECT_EQ(strata.size(), counts::kStrata);
}

TEST_F(TurnsTest, WhereCountingCostsLittleVisitsAreTimedAndCounted) {
  uint64_t number = 0;
  for (; number <= 2 * counts::kLeastPairs; ++number) Visit(1, number, 1000, 0.02);
  EXPECT_TRUE(turns_.Of(1).at_once);
  int both = 0, turns = 0;
  for (const uint64_t end = number + 64 * counts::kComparedPairs; number < end; ++number) {
    const Turn turn = Visit(1, number, 1000, 0.02);
    (turn.timed && turn.counted ? both : turns) += 1;
  }
  EXPECT_EQ(turns, 2 * 32) << "one pair in 16 is compared";
  EXPECT_EQ(both, 2 * 32 * 15);
}

TEST_F(TurnsTest, WhatComesToCostMoreTakesTurnsAgain) {
  uint64_t number = 0;
  for (; number < 64; ++number) Visit(1, number, 1000, 0.02);
  EXPECT_TRUE(turns_.Of(1).at_once);
  for (; number < 4000; ++number) Visit(1, number, 1000, 0.8);
  EXPECT_FALSE(turns_.Of(1).at_once);
}

TEST_F(TurnsTest, WhatIsInsideFollowsTheDecisionAround) {
  Visit(1, 0, 100, 1);
  for (uint64_t number = 1; number <= 20; ++number) {
    const Turn outer = Begin(1, number);
    const Turn inner = Begin(2, number - 1);
    EXPECT_EQ(inner.counted, outer.counted);
    EXPECT_EQ(inner.timed, outer.timed);
    EXPECT_FALSE(inner.decided);
    const Turn worker = turns_.Begin({3, 7, /*main=*/false, /*team=*/false, true});
    EXPECT_EQ(worker.counted, outer.counted);
    turns_.End(3, worker, 10);
    turns_.End(2, inner, 10);
    turns_.End(1, outer, outer.counted ? 200 : 100);
  }
  EXPECT_EQ(Counted(1), 10u);
  EXPECT_EQ(Counted(2), 10u);
  EXPECT_EQ(Counted(3), 10u);
  EXPECT_EQ(turns_.Of(2).alone, 0u) << "the one around has what it took";
  EXPECT_EQ(turns_.Of(2).untimed, 10u);
  EXPECT_EQ(turns_.Of(2).untimed_ticks, 100u);
  EXPECT_EQ(turns_.Of(1).untimed_ticks, 2000u);
}

TEST_F(TurnsTest, InsideAFirstVisitTheOthersDecide) {
  const Turn once = Begin(1, 0);
  uint64_t counted = 0;
  for (uint64_t number = 0; number < 21; ++number) {
    counted += Visit(2, number, 100, 1).counted;
  }
  turns_.End(1, once, 5000);
  EXPECT_EQ(counted, 10u);
  EXPECT_EQ(Counted(1), 0u);
  EXPECT_EQ(turns_.Of(2).alone_in_open, 10u);
  EXPECT_EQ(turns_.Of(2).alone_in_open_ticks, 2000u);
  EXPECT_TRUE(Begin(1, 1).decided);
}

TEST_F(TurnsTest, OtherThreadsAreCountedWhereNothingIsDecided) {
  const Turn turn = turns_.Begin({1, 0, /*main=*/false, /*team=*/false, true});
  EXPECT_TRUE(turn.counted && turn.timed && !turn.decided && !turn.open);
  turns_.End(1, turn, 10);
  EXPECT_EQ(Counted(1), 1u);
}

TEST_F(TurnsTest, RecursionIsDecidedOnce) {
  Visit(1, 0, 100, 1);
  const Turn outer = Begin(1, 1);
  const Turn inner = turns_.Begin({1, 2, true, true, /*outermost=*/false});
  EXPECT_TRUE(outer.decided && !inner.decided);
  EXPECT_EQ(inner.counted, outer.counted);
  turns_.End(1, inner, 0);
  turns_.End(1, outer, 100);
  EXPECT_EQ(Counted(1), 2u);
}

}  // namespace
}  // namespace roofmark::markers
