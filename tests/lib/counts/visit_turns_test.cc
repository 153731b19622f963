// SPDX-License-Identifier: BSD-3-Clause
#include "lib/counts/visit_turns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace roofmark::counts {
namespace {

using ::testing::DoubleNear;
using ::testing::Optional;

TEST(VisitTurns, OfEachPairOneIsCounted) {
  for (uint64_t pair = 0; pair < 1000; ++pair) {
    const uint64_t first = 1 + 2 * pair;
    EXPECT_EQ(PairOfVisit(first), pair);
    EXPECT_EQ(PairOfVisit(first + 1), pair);
    EXPECT_NE(IsCountedInTurn(first), IsCountedInTurn(first + 1)) << pair;
  }
}

TEST(VisitTurns, ARegionThatIsVisitedTwiceIsTimedAndCounted) { EXPECT_TRUE(IsCountedInTurn(1)); }

// Visits that differ in turns, with any period up to eight, do not all take the same turn.
TEST(VisitTurns, NoPeriodIsTheirs) {
  for (uint64_t period = 2; period <= 8; ++period) {
    for (uint64_t phase = 0; phase < period; ++phase) {
      int counted = 0, all = 0;
      for (uint64_t visit = period + phase; visit < 1600; visit += period, ++all) {
        counted += IsCountedInTurn(visit) ? 1 : 0;
      }
      EXPECT_GT(counted, all / 3) << period << " " << phase;
      EXPECT_LT(counted, all * 2 / 3) << period << " " << phase;
    }
  }
}

TEST(PairTimes, CostIsTheRatioOfSums) {
  PairTimes times;
  EXPECT_EQ(times.Cost(), std::nullopt);
  times.Add(10, 12);
  times.Add(30, 36);
  EXPECT_THAT(times.Cost(), Optional(DoubleNear(0.2, 1e-12)));
}

// Two pairs of ratios 1 and 1.2, four times: mean 1.1; what they differ by is 1 each.
TEST(PairTimes, ItsMarginIsThatOfWhatPairsDifferBy) {
  PairTimes times;
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(times.CostAtMost(), std::nullopt) << "too few pairs";
    times.Add(10, 10);
    times.Add(10, 12);
  }
  // Standard error of the mean of differences: sqrt(8 * 1 / 7 / 8), over the mean time of 10.
  EXPECT_THAT(times.CostAtMost(), Optional(DoubleNear(0.1 + 2.365 * std::sqrt(1 / 7.) / 10, 1e-9)));
  EXPECT_FALSE(times.CostsLittle());
}

TEST(PairTimes, LittleIsBelowTenPercentForSure) {
  const auto with = [](double cost, int pairs) {
    PairTimes times;
    for (int i = 0; i < pairs; ++i) times.Add(100, 100 * (1 + cost));
    return times.CostsLittle();
  };
  EXPECT_TRUE(with(0.09, 8));
  EXPECT_FALSE(with(0.09, 7));
  EXPECT_FALSE(with(0.11, 1000));
  EXPECT_TRUE(with(-0.05, 8)) << "noise";
}

// Timed visits of 20 that cost ten times as much, and one that was interrupted.
TEST(PairTimes, OneInterruptedVisitMakesCountingNoCheaper) {
  PairTimes times;
  for (int i = 0; i < 12; ++i) times.Add(20, 200);
  times.Add(100'000, 200);
  EXPECT_LT(*times.CostAtMost(), kLittleCost);
  EXPECT_FALSE(times.CostsLittle());
}

// Where visits cost 10 % exactly, at most 2.5 of 100 jobs take it for less; up to 5 are let pass.
TEST(PairTimes, SaysLittleWrongSeldom) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> time(1, 0.2);
  int wrong = 0;
  constexpr int kJobs = 4000;
  for (int job = 0; job < kJobs; ++job) {
    PairTimes times;
    for (int i = 0; i < 12; ++i) times.Add(time(random), 1.1 * time(random));
    wrong += times.CostsLittle() ? 1 : 0;
  }
  EXPECT_LT(wrong, kJobs * 5 / 100);
}

}  // namespace
}  // namespace roofmark::counts
