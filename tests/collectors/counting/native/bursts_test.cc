// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/native/bursts.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "collectors/counting/contexts/owner.h"
#include "collectors/extent.h"
#include "tests/collectors/counting/memory_fixture.h"

namespace roofmark {
namespace {

constexpr uint64_t kTicks = 1000;        // in a microsecond
constexpr uint64_t kMs = 1000 * kTicks;  // in ticks
constexpr uint64_t kLast = 1 << 20;      // bytes of the last level

// Nanoseconds.
roof_native_clocks g_clocks = {};
roof_native_clocks ReadClocks() { return g_clocks; }

class Bursts : public ::testing::Test {
 protected:
  Bursts() { Begin(5'000'000); }  // a multiple of the period
  void Begin(uint64_t microseconds) {
    bursts_ = {};
    EXPECT_TRUE(roof_native_bursts_start(&bursts_, &hooks_, kTicks, kLast));
    bursts_.clocks = &ReadClocks;
    number_ = 0;
    g_clocks = {microseconds * 1000, 0};
    now_ = microseconds * kTicks;
    Of(kUnused);
  }
  // With what a thread counts in this path.
  Extent Of(uint32_t path, uint32_t layer = ROOF_LAYER_WORK) {
    return static_cast<Extent>(roof_native_bursts_extent(&bursts_, path, layer, now_, &number_));
  }
  // All threads have CPUs, if it is not said how many of them.
  void GoOn(uint64_t ticks) {
    now_ += ticks;
    g_clocks.realtime += ticks * 1000 / kTicks;
    const double cpu = static_cast<double>(ticks) * 1000.0 / kTicks * on_cpus_;
    g_clocks.cpu += static_cast<uint64_t>(cpu);
    Of(kUnused);
  }
  // Until another part begins; how many ticks that took.
  uint64_t Part() {
    const uint64_t begin = now_;
    for (const uint32_t number = bursts_.number; bursts_.number == number;) GoOn(kMs / 10);
    return now_ - begin;
  }
  void GoOnUntil(roof_native_part_of_burst part) {
    while (bursts_.part != part) Part();
  }
  // The same in the next burst, if it is that now.
  void GoOnUntilNext(roof_native_part_of_burst part) {
    Part();
    GoOnUntil(part);
  }

  static constexpr uint32_t kUnused = 0, kPath = 7;
  Memory memory_;
  roof_memory hooks_ = memory_.Hooks();
  roof_native_bursts bursts_ = {};
  uint64_t now_ = 0;
  uint32_t number_ = 0;
  double on_cpus_ = 1;
};

TEST_F(Bursts, BeginWithCachesThatAreReallyCold) {
  EXPECT_EQ(Of(kPath), Extent::kFirst);
  EXPECT_NEAR(static_cast<double>(Part()), 10 * kMs, kMs);
  EXPECT_EQ(Of(kPath), Extent::kCheap);
}

TEST_F(Bursts, TakeTwoFifthsOfTheTime) {
  GoOnUntil(ROOF_BURST_WARM);
  uint64_t rests = 0;
  const uint64_t begin = now_;
  for (int i = 0; i < 30; ++i) {
    const bool rest = Of(kUnused) == Extent::kCheap;
    const uint64_t took = Part();
    if (rest) rests += took;
  }
  EXPECT_NEAR(static_cast<double>(rests), 0.6 * static_cast<double>(now_ - begin), 15 * kMs);
}

// Whenever they began, so that no process waits for another one that is in a burst.
TEST_F(Bursts, BeginAtTheSameTimeInAllProcesses) {
  for (const uint64_t late : {3'000, 57'000}) {
    Begin(5'000'000 + late);
    GoOnUntil(ROOF_BURST_WARM);
    EXPECT_LT(g_clocks.realtime % 100'000'000, 200'000u) << late;
  }
}

TEST_F(Bursts, WithoutThatClockRestForThreeFifths) {
  bursts_.clocks = nullptr;
  bursts_.then = {};
  GoOnUntil(ROOF_BURST_RESTING);
  EXPECT_NEAR(static_cast<double>(Part()), 60 * kMs, kMs);
}

TEST_F(Bursts, AreWarmOnceTheLastLevelWasAskedForAllThatItHolds) {
  GoOnUntil(ROOF_BURST_WARM);
  EXPECT_EQ(Of(kPath), Extent::kWarm);
  EXPECT_NEAR(static_cast<double>(Part()), 20 * kMs, kMs) << "or after half of the burst";
  EXPECT_EQ(bursts_.part, ROOF_BURST_MEASURED);
  EXPECT_NEAR(static_cast<double>(Part()), 20 * kMs, kMs);
  GoOnUntil(ROOF_BURST_WARM);
  GoOn(3 * kMs);
  EXPECT_EQ(bursts_.part, ROOF_BURST_WARM);
  bursts_.asked = kLast;
  EXPECT_TRUE(roof_native_burst_is_over(&bursts_, bursts_.number));
  GoOn(0);
  EXPECT_EQ(bursts_.part, ROOF_BURST_MEASURED);
  EXPECT_NEAR(static_cast<double>(Part()), 37 * kMs, kMs) << "what is left is measured";
}

TEST_F(Bursts, AreInAllStrataInTurns) {
  std::vector<size_t> strata;
  while (strata.size() < 16) {
    GoOnUntilNext(ROOF_BURST_MEASURED);
    if (const Extent extent = Of(kPath); IsStratum(extent)) strata.push_back(StratumIn(extent));
  }
  EXPECT_EQ(std::set<size_t>(strata.begin(), strata.begin() + 8).size(), 8u);
  EXPECT_EQ(std::set<size_t>(strata.begin() + 8, strata.end()).size(), 8u);
}

// What fits into the last level is found there later.
TEST_F(Bursts, DataThatAreNewToTheModelDoNotStandForLaterOnes) {
  GoOnUntil(ROOF_BURST_MEASURED);
  EXPECT_EQ(Of(kPath), Extent::kFirst);
  EXPECT_EQ(Of(kPath), Extent::kFirst) << "the same burst";
  GoOnUntilNext(ROOF_BURST_MEASURED);
  EXPECT_TRUE(IsStratum(Of(kPath)));
  EXPECT_EQ(Of(kPath + 1), Extent::kFirst) << "each path has data of its own";
  EXPECT_EQ(Of(kPath, ROOF_LAYER_MPI), Extent::kFirst) << "and so have calls of MPI";
}

TEST_F(Bursts, OfWhatIsNewAreShort) {
  EXPECT_EQ(Of(kPath), Extent::kFirst);
  GoOnUntil(ROOF_BURST_RESTING);
  EXPECT_EQ(Of(kPath), Extent::kCheap) << "it was measured";
  GoOn(kMs);
  EXPECT_EQ(Of(kPath + 1), Extent::kFirst);
  EXPECT_EQ(Of(kPath), Extent::kFirst) << "of all paths";
  EXPECT_NEAR(static_cast<double>(Part()), 10 * kMs, kMs);
  EXPECT_EQ(Of(kPath + 1), Extent::kCheap);
  EXPECT_EQ(Of(kPath + 1, ROOF_LAYER_MPI), Extent::kFirst) << "calls of MPI have traffic, too";
  GoOnUntil(ROOF_BURST_RESTING);
  EXPECT_EQ(Of(kPath + 2, ROOF_LAYER_OWN), Extent::kCheap) << "nobody wants that";
}

TEST_F(Bursts, WarmingUpMeasuresNothing) {
  GoOnUntil(ROOF_BURST_WARM);
  EXPECT_EQ(Of(kPath), Extent::kWarm);
  GoOnUntil(ROOF_BURST_RESTING);
  EXPECT_EQ(Of(kPath), Extent::kFirst);
}

// Other programs want the CPUs: what is measured must not depend on how many of them there are.
TEST_F(Bursts, OfThreadsThatHaveAThirdOfTheCpusAreThreeTimesAsLong) {
  on_cpus_ = 1.0 / 3;
  EXPECT_NEAR(static_cast<double>(Part()), 27 * kMs, 5 * kMs) << "the first part";
  GoOnUntil(ROOF_BURST_WARM);
  EXPECT_NEAR(static_cast<double>(Part()), 57 * kMs, 5 * kMs);
  EXPECT_EQ(bursts_.part, ROOF_BURST_MEASURED);
  EXPECT_NEAR(static_cast<double>(Part()), 60 * kMs, 5 * kMs);
  EXPECT_EQ(bursts_.part, ROOF_BURST_RESTING);
  EXPECT_NEAR(static_cast<double>(Part()), 180 * kMs, 50 * kMs) << "three fifths of the time";
  EXPECT_EQ(bursts_.cold, 0u);
}

TEST_F(Bursts, ThatAreAskedForAllThatTheLastLevelHoldsAreWarmWhateverTimeTheyHad) {
  on_cpus_ = 0.1;
  GoOnUntil(ROOF_BURST_WARM);
  bursts_.asked = kLast;
  GoOn(0);
  EXPECT_EQ(bursts_.part, ROOF_BURST_MEASURED);
}

// Two threads have one CPU, each of them half of it.
TEST_F(Bursts, GoByTheMeanOfTheirThreads) {
  GoOnUntil(ROOF_BURST_WARM);
  uint32_t another = 0;
  roof_native_bursts_extent(&bursts_, kPath, ROOF_LAYER_WORK, now_, &another);
  EXPECT_EQ(another, bursts_.number);
  EXPECT_NEAR(static_cast<double>(Part()), 39 * kMs, 2 * kMs);
}

TEST_F(Bursts, ThatNeverGetWarmMeasureNothing) {
  GoOnUntil(ROOF_BURST_WARM);
  on_cpus_ = 0.01;
  EXPECT_NEAR(static_cast<double>(Part()), 200 * kMs, 20 * kMs);
  EXPECT_EQ(bursts_.part, ROOF_BURST_RESTING);
  EXPECT_EQ(bursts_.cold, 1u);
  EXPECT_EQ(bursts_.bursts, 0u);
  EXPECT_NEAR(static_cast<double>(Part()), 300 * kMs, 60 * kMs);
}

// A thread that sleeps in a burst is not in it for the time.
TEST_F(Bursts, AreFollowedByARestOfASecondAtMost) {
  GoOnUntil(ROOF_BURST_WARM);
  on_cpus_ = 0;
  GoOn(100'000 * kMs);
  EXPECT_EQ(bursts_.part, ROOF_BURST_RESTING);
  EXPECT_LE(Part(), 1100 * kMs);
}

// An interpreter comes to thousands of paths.
TEST_F(Bursts, OfWhatIsNewTakeAQuarterOfTheTimeAtMost) {
  uint32_t path = kPath;
  uint64_t first = 0;
  const uint64_t begin = now_;
  while (now_ < begin + 10'000 * kMs) {
    const bool is_first = bursts_.part == ROOF_BURST_FIRST;
    if (bursts_.part == ROOF_BURST_RESTING) Of(++path);
    GoOn(kMs / 2);
    if (is_first) first += kMs / 2;
  }
  EXPECT_NEAR(static_cast<double>(first), 2500 * kMs, 250 * kMs);
}

TEST_F(Bursts, EachThreadIsToldOfEachPart) {
  const uint32_t number = bursts_.number;
  EXPECT_TRUE(roof_native_burst_is_over(&bursts_, number - 1));
  Part();
  EXPECT_TRUE(roof_native_burst_is_over(&bursts_, number));
}

TEST(BurstsOf, AProcessWithoutThemAreNever) {
  const roof_native_bursts none = {};
  EXPECT_FALSE(roof_native_burst_is_over(&none, 0));
  Memory memory;
  memory.limit = 1000;
  const roof_memory hooks = memory.Hooks();
  roof_native_bursts bursts = {};
  EXPECT_FALSE(roof_native_bursts_start(&bursts, &hooks, 1, 1));
  EXPECT_EQ(bursts.ticks, 0u);
}

}  // namespace
}  // namespace roofmark
