// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/statistics.h"

#include <gtest/gtest.h>

namespace roofmark {
namespace {

ThreadTiming Quiet(uint64_t begin = 1000, uint64_t end = 1'001'000) {
  return {begin, end, end - begin, 0};
}

TEST(Undisturbed, AcceptsAThreadThatHadItsCore) { EXPECT_TRUE(Undisturbed({Quiet(), Quiet()})); }

TEST(Undisturbed, RejectsAPreemptedThread) {
  ThreadTiming preempted = Quiet();
  preempted.preempted = 1;
  EXPECT_FALSE(Undisturbed({Quiet(), preempted}));
}

TEST(Undisturbed, RejectsAThreadWithLessThanItsTime) {
  ThreadTiming starved = Quiet();
  starved.cpu_ns = 984'000;
  EXPECT_FALSE(Undisturbed({starved}));
  starved.cpu_ns = 986'000;
  EXPECT_TRUE(Undisturbed({starved}));
}

TEST(Undisturbed, RejectsThreadsThatDidNotStartTogether) {
  EXPECT_FALSE(Undisturbed({Quiet(), Quiet(101'000, 1'101'000)}));
  EXPECT_TRUE(Undisturbed({Quiet(), Quiet(11'000, 1'011'000)}));
}

TEST(WallSeconds, SpansAllThreads) {
  EXPECT_DOUBLE_EQ(WallSeconds({Quiet(1000, 2000), Quiet(1500, 4000)}), 3e-6);
}

TEST(Quantile, InterpolatesBetweenRanks) {
  EXPECT_DOUBLE_EQ(Quantile({1, 2, 3, 4, 5}, 0.5), 3);
  EXPECT_DOUBLE_EQ(Quantile({1, 2}, 0.95), 1.95);
  EXPECT_DOUBLE_EQ(Quantile({7}, 0.95), 7);
}

TEST(Statistics, OneSampleThatIsTooFastIsNoFigure) {
  EXPECT_DOUBLE_EQ(ReachedRepeatedly({7}), 7);
  EXPECT_DOUBLE_EQ(ReachedRepeatedly({7, 9}), 7);
  EXPECT_DOUBLE_EQ(ReachedRepeatedly({20, 50, 19, 20, 18, 20}), 20);
  std::vector<double> many(30, 20);
  many[3] = many[20] = 50;
  EXPECT_DOUBLE_EQ(ReachedRepeatedly(many), 20) << "two of thirty are no tenth";
  many[7] = 50;
  EXPECT_DOUBLE_EQ(ReachedRepeatedly(many), 50);
}

TEST(Series, PublishesWhatUndisturbedSamplesReachedRepeatedly) {
  Series series;
  for (int i = 1; i <= 21; ++i) series.Add(i, true);
  series.Add(1000, false);
  const MachinePoint point = series.Summary();
  EXPECT_DOUBLE_EQ(point.value, 19);
  EXPECT_DOUBLE_EQ(point.median, 11);
  EXPECT_DOUBLE_EQ(point.min, 1);
  EXPECT_DOUBLE_EQ(point.max, 21);
  EXPECT_EQ(point.samples, 21u);
  EXPECT_EQ(series.rejected(), 1u);
  EXPECT_FALSE(series.OnlyDisturbed());
}

TEST(Series, SaysWhenItHasDisturbedSamplesOnly) {
  Series series;
  series.Add(5, false);
  EXPECT_TRUE(series.OnlyDisturbed());
  EXPECT_DOUBLE_EQ(series.Summary().value, 5);
}

TEST(Series, SettlesWhenTwoRoundsAgree) {
  Series series;
  for (int i = 0; i < 6; ++i) series.Add(100, true);
  EXPECT_FALSE(series.Settled(0.02, 60));  // nothing to compare with yet
  for (int i = 0; i < 3; ++i) series.Add(101, true);
  EXPECT_TRUE(series.Settled(0.02, 60));
  for (int i = 0; i < 9; ++i) series.Add(110, true);
  EXPECT_FALSE(series.Settled(0.02, 60));
}

TEST(Series, NoiseIsTheDifferenceBetweenTheHalves) {
  Series series;
  for (int i = 0; i < 3; ++i) series.Add(100, true);
  EXPECT_DOUBLE_EQ(series.Noise(), 1);  // too few to tell
  for (int i = 0; i < 3; ++i) series.Add(80, true);
  series.Add(1000, false);
  EXPECT_DOUBLE_EQ(series.Noise(), 0.2);
}

TEST(Series, WantsMoreSamplesWhileTheyAreNoisy) {
  Series series;
  const auto add = [&series](double rate) {
    for (int i = 0; i < 10; ++i) series.Add(rate, true);
  };
  add(90);
  add(100);
  EXPECT_FALSE(series.Settled(0.05, 60));
  EXPECT_FALSE(series.Settled(0.05, 60));  // the value stands, the halves differ
  add(100);
  add(100);
  add(100);
  add(90);
  EXPECT_TRUE(series.Settled(0.05, 60));  // enough of them, and the halves agree
}

TEST(Series, SettlesInTheEndThoughItIsNoisy) {
  Series series;
  for (int i = 0; i < 29; ++i) series.Add(80, true);
  for (int i = 0; i < 30; ++i) series.Add(100, true);
  series.Settled(0.05, 60);
  EXPECT_FALSE(series.Settled(0.05, 60));
  series.Add(100, true);
  EXPECT_TRUE(series.Settled(0.05, 60));
}

}  // namespace
}  // namespace roofmark
