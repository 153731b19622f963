// SPDX-License-Identifier: BSD-3-Clause
//
// What the library that times parallel regions says of those whose times are known, and that it
// changes nothing. One test program for each runtime.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <thread>
#include <utility>
#include <vector>

#include "lib/core/clock.h"
#include "lib/core/layer.h"
#include "tests/markers/openmp_wait/cases.h"
#include "tests/support/clocks.h"

namespace {

struct Sums {
  double regions, parallel_ms, team_ms, busy_ms, busiest_ms;
};
std::atomic<uint64_t> g_regions, g_parallel, g_team, g_busy, g_busiest;
thread_local auto t_layer = static_cast<uint32_t>(roofmark::Layer::kWork);
std::atomic<int> g_waits, g_works, g_works_elsewhere;

}  // namespace

// In the place of libroofmark.so's.
extern "C" __attribute__((visibility("default"))) uint32_t roofmark_layer(uint32_t layer) {
  if (layer == static_cast<uint32_t>(roofmark::Layer::kRuntime)) ++g_waits;
  return std::exchange(t_layer, layer);
}

void TellWork() {
  ++g_works;
  if (t_layer != static_cast<uint32_t>(roofmark::Layer::kWork)) ++g_works_elsewhere;
}

// In the place of libroofmark.so's.
extern "C" __attribute__((visibility("default"))) void roofmark_openmp_time(uint64_t parallel,
                                                                            uint64_t team,
                                                                            uint64_t busy,
                                                                            uint64_t busiest) {
  ++g_regions;
  g_parallel += parallel;
  g_team += team;
  g_busy += busy;
  g_busiest += busiest;
}

namespace {

double TicksPerMs() {
  // It reads both clocks several times and takes what lies closest together: a thread that loses
  // its CPU between the two would make any rate of them.
  static const double rate = 1e6 / roofmark::NsPerTick(roofmark::ReadClocks());
  return rate;
}

template <typename Case>
Sums Of(Case what) {
  const double per_ms = TicksPerMs();
  g_regions = g_parallel = g_team = g_busy = g_busiest = 0;
  what();
  const auto ms = [per_ms](uint64_t ticks) { return static_cast<double>(ticks) / per_ms; };
  return {static_cast<double>(g_regions), ms(g_parallel), ms(g_team), ms(g_busy), ms(g_busiest)};
}

// Sleeping takes at least as long as it should; half of that is what tests ask for.
constexpr double kAll = kWorkMs, kWork = 0.95 * kAll, kWait = 0.5 * kAll;

class OpenMpTimes : public testing::Test {
 protected:
  void SetUp() override {
    if (!roofmark::test::TicksAgree()) GTEST_SKIP() << roofmark::test::kTicksDisagree;
  }
};

TEST_F(OpenMpTimes, TheEndOfAParallelRegion) {
  const Sums sums = Of([] { EXPECT_EQ(WaitAtTheEnd(4), 8); });
  EXPECT_EQ(sums.regions, 4);
  EXPECT_DOUBLE_EQ(sums.team_ms, 2 * sums.parallel_ms);
  EXPECT_GE(sums.parallel_ms, sums.busiest_ms);
  EXPECT_GE(sums.busiest_ms, 4 * kWork) << "the one that works, whichever it is";
  EXPECT_GE(sums.team_ms - sums.busy_ms, 4 * kWait);
}

TEST_F(OpenMpTimes, Barriers) {
  const Sums sums = Of([] { EXPECT_EQ(WaitAtABarrier(), 2); });
  EXPECT_EQ(sums.regions, 1);
  EXPECT_GE(sums.busy_ms, 3 * kWork);
  EXPECT_GE(sums.busiest_ms, 2 * kWork);
  EXPECT_GE(sums.team_ms - sums.busy_ms, kWait);
}

TEST_F(OpenMpTimes, CriticalSections) {
  const Sums sums = Of([] { EXPECT_EQ(WaitForACritical(), 2); });
  EXPECT_GE(sums.busy_ms, 1.5 * kWork);
  EXPECT_GE(sums.team_ms - sums.busy_ms, kWait);
}

// Whoever executes tasks while it waits works, and so does whoever executes both.
TEST_F(OpenMpTimes, TasksAreWork) {
  Sums sums = Of([] { EXPECT_EQ(TasksInABarrier(), 2); });
  EXPECT_GE(sums.busy_ms, 2 * kWork);
  EXPECT_GE(sums.busiest_ms, kWork);
  EXPECT_LE(sums.busy_ms, sums.team_ms);
  sums = Of([] { EXPECT_EQ(TasksOfALoop(), 2); });
  EXPECT_GE(sums.busy_ms, 2 * kWork);
  EXPECT_LE(sums.busy_ms, sums.team_ms);
}

TEST_F(OpenMpTimes, ParallelRegionsWithinAreWorkOfTheirThreads) {
  const Sums sums = Of([] { EXPECT_EQ(Nested(), 4); });
  EXPECT_EQ(sums.regions, 1);
  EXPECT_DOUBLE_EQ(sums.team_ms, 2 * sums.parallel_ms);
  EXPECT_GE(sums.busy_ms, 2 * kWork);
}

TEST_F(OpenMpTimes, ResultsAreTheSame) {
  const Sums sums = Of([] {
    for (int i = 0; i < 20; ++i) EXPECT_EQ(Sum(1000), 7 * 499500);
  });
  EXPECT_EQ(sums.regions, 20 * 5);
  EXPECT_LE(sums.busy_ms, sums.team_ms);
  EXPECT_LE(sums.busiest_ms, sums.busy_ms);
}

// Threads of the program's own have teams of their own.
TEST_F(OpenMpTimes, TeamsOfSeveralThreads) {
  const Sums sums = Of([] {
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i) {
      threads.emplace_back([] { EXPECT_EQ(Sum(100), 7 * 4950); });
    }
    for (std::thread& thread : threads) thread.join();
  });
  EXPECT_EQ(sums.regions, 8 * 5);
  EXPECT_LE(sums.busy_ms, sums.team_ms);
}

// Counters that follow layers charge what threads do in bodies and tasks to the program, and what
// they do between them to the runtime.
TEST(OpenMpWait, WorkIsTheProgramsAndWaitingTheRuntimes) {
  g_works = g_works_elsewhere = 0;
  for (int (*const work)() : {&WaitAtABarrier, &WaitForACritical, &TasksInABarrier, &TasksOfALoop,
                              &Nested, &WaitAtABarrier}) {
    g_waits = 0;
    work();
    EXPECT_EQ(g_works_elsewhere, 0);
    EXPECT_EQ(t_layer, static_cast<uint32_t>(roofmark::Layer::kWork)) << "after a parallel region";
    EXPECT_GE(g_waits, 4) << "two threads, somewhere in the region and at its end";
  }
  EXPECT_GE(g_works, 16);
}

// What no program may do ends no program that does it.
TEST(OpenMpWait, LeavingABody) {
  EXPECT_EXIT(
      {
        const bool left = LeftByLongjmp() == 1;
        std::exit(left ? 7 : 8);
      },
      testing::ExitedWithCode(7), "^$");
}

}  // namespace
