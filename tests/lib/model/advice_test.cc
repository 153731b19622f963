// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/advice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/lib/model/analyzed.h"

namespace roofmark {
namespace {

using test::AddPath;
using test::JobOf;
using test::kGiga;
using test::ModelMachine;
using test::Set;
using ::testing::ElementsAre;

// Adds a copy of region "r" named `path`, of `seconds`.
void Copy(JobProfile& job, const std::string& path, uint64_t seconds) {
  const size_t row = AddPath(job, path);
  for (MetricId m = 0; m < kMetrics; ++m) job.At(row, m) = job.At(0, m);
  const std::vector<uint64_t> times(job.run.ranks, seconds * kGiga);
  Set(job, row, metric::kTimeNs, times, "timer");
}

std::string NameOf(const Advice& advice) {
  switch (advice.kind) {
    case AdviceKind::kWaiting:
      return "waiting";
    case AdviceKind::kKernel:
      return "kernel";
    case AdviceKind::kMpiWork:
      return "MPI";
    case AdviceKind::kUnexplained:
      return "unexplained";
    case AdviceKind::kCure:
      break;
  }
  return std::string(InfoOf(advice.shortfall).name);
}

std::vector<Advice> AdviceOf(const JobProfile& job) {
  const Machine machine = ModelMachine();
  return AdviceFor(job, Analyze(job, &machine));
}

std::vector<std::string> Order(const JobProfile& job) {
  std::vector<std::string> order;
  for (const Advice& advice : AdviceOf(job)) {
    order.push_back(job.paths[advice.path].path + ": " + NameOf(advice));
  }
  return order;
}

// Seconds of the pass whose times are real.
void RunTook(JobProfile& job, double seconds) { job.run.passes[0].wall_s = seconds; }

// Scalar multiplications gain 4 by SIMD and 2 by FMA. At 8 GFLOP/s they need all of their second.
JobProfile Scalar() { return JobOf(Width::kScalar, FlopKind::kMul, 8 * kGiga, 64); }

// The same with `more` times the work that a second allows explained: 0.5 is half of it.
JobProfile Explained(double share) {
  return JobOf(Width::kScalar, FlopKind::kMul,
               static_cast<uint64_t>(share * 8 * static_cast<double>(kGiga)), 64);
}

// Time and work of region "r" alike, `times` as much.
void CopyAll(JobProfile& job, const std::string& path, uint64_t times) {
  Copy(job, path, times);
  const size_t row = static_cast<size_t>(job.FindPath(path));
  for (MetricId m = 0; m < kFlopClasses; ++m) {
    const uint64_t each = job.At(0, m).max * times;
    Set(job, row, m, std::vector<uint64_t>(job.run.ranks, each));
  }
  const uint64_t busiest = job.At(0, metric::kWorkerFlopsMax).max * times;
  Set(job, row, metric::kWorkerFlopsMax, std::vector<uint64_t>(job.run.ranks, busiest));
}

TEST(Advice, ExpectedSecondsOverEffort) {
  JobProfile job = Scalar();
  CopyAll(job, "s", 2);
  CopyAll(job, "t", 1);
  // Saved: 0.75 and 0.5 s of each second; equals stay in the order of their paths.
  EXPECT_THAT(Order(job), ElementsAre("s: simd", "s: fma_balance", "r: simd", "t: simd",
                                      "r: fma_balance", "t: fma_balance"));
}

TEST(Advice, RegionsAroundOthersAreLeftToThem) {
  JobProfile job = Scalar();
  CopyAll(job, "r/inner", 1);
  EXPECT_THAT(Order(job), ElementsAre("r/inner: simd", "r/inner: fma_balance"));
  // Not if the inner one takes little of it.
  Set(job, 0, metric::kTimeNs, {4 * kGiga, 4 * kGiga}, "timer");
  for (const MetricId id : {FlopMetric(Precision::kDouble, Width::kScalar, FlopKind::kMul),
                            MetricId{metric::kWorkerFlopsMax}}) {
    Set(job, 0, id, std::vector<uint64_t>(job.run.ranks, 4 * job.At(0, id).max));
  }
  EXPECT_THAT(Order(job), ::testing::Contains("r: simd"));
}

// Both cures are expected to save 0.75 and 0.5 s of a second.
TEST(Advice, GainsBelowWhatExecutionsDifferByAreNotListed) {
  JobProfile job = Scalar();
  job.run.repeats_s = {1, 1.1};
  job.paths[0].repeats_ns = {kGiga, 19 * kGiga / 10};
  EXPECT_THAT(Order(job), ElementsAre("r: simd", "r: fma_balance"));
  job.paths[0].repeats_ns = {kGiga, 22 * kGiga / 10};
  EXPECT_THAT(Order(job), ElementsAre("r: simd"));
}

// A region of much time and next to no work: neither its vectors nor its balance are the matter.
TEST(Advice, OfARegionThatWaitsOnlyTheWaiting) {
  JobProfile job = Scalar();
  Copy(job, "s", 100);
  for (MetricId m = 0; m < kFlopClasses; ++m) Set(job, 1, m, {0, 0});
  Set(job, 1, test::kDpScalarAdd, {1000, 0});
  EXPECT_THAT(Order(job), ElementsAre("s: waiting", "r: simd", "r: fma_balance"));
}

TEST(Advice, TimeInsideMpiIsNoTimeOfItsWork) {
  JobProfile job = JobOf(Width::kScalar, FlopKind::kMul, 6 * kGiga, 64);
  Set(job, 0, metric::kMpiNs, {kGiga / 4, kGiga / 4}, "timer");
  const std::vector<Advice> advice = AdviceOf(job);
  ASSERT_EQ(advice.size(), 3u);
  EXPECT_EQ(NameOf(advice[0]), "simd");
  EXPECT_NEAR(advice[0].saves.most, 0.75 * 0.75 * 1.05, 1e-6);
  EXPECT_NEAR(advice[0].saves.least, 0.75 * 0.75 * 0.95, 1e-6);
  EXPECT_EQ(NameOf(advice[2]), "waiting");
  EXPECT_NEAR(advice[2].saves.most, 0.25, 1e-9);
}

TEST(Advice, WhatTheKernelDoesIsNoTimeOfItsWork) {
  JobProfile job = JobOf(Width::kScalar, FlopKind::kMul, 4 * kGiga, 64);
  Set(job, 0, metric::kWorkers, {1, 1}, "timer");
  Set(job, 0, metric::kSystemNs, {kGiga / 2, kGiga / 2}, "kernel");
  const std::vector<Advice> advice = AdviceOf(job);
  ASSERT_EQ(advice.size(), 3u);
  EXPECT_EQ(NameOf(advice[0]), "simd");
  EXPECT_NEAR(advice[0].saves.most, 0.75 * 0.5 * 1.05, 1e-6);
  EXPECT_EQ(NameOf(advice[2]), "kernel");
  EXPECT_NEAR(advice[2].saves.most, 0.5, 1e-9);
  EXPECT_NEAR(advice[2].expected_s, 0.25, 1e-9);
}

// A region 20x below what its mix can attain: vectors save nothing for sure, and what delays it
// comes first.
TEST(Advice, WhatIsNotExplainedComesBeforeCuresOfTheRest) {
  const std::vector<Advice> advice = AdviceOf(Explained(1.0 / 20));
  ASSERT_FALSE(advice.empty());
  EXPECT_EQ(NameOf(advice[0]), "unexplained");
  EXPECT_NEAR(advice[0].saves.most, 19.0 / 20, 1e-6);
  ASSERT_GE(advice.size(), 2u);
  EXPECT_EQ(NameOf(advice[1]), "simd");
  EXPECT_EQ(advice[1].saves.least, 0) << "what delays it may hide all of that";
  EXPECT_NEAR(advice[1].saves.most, 0.75 * 1.05, 1e-6);
  EXPECT_NEAR(AdviceOf(Explained(0.6)).front().saves.least, 0.6 * 0.75 * 0.95, 1e-6);
}

TEST(Advice, TheMoreIsExplainedTheMoreACureIsExpectedToSave) {
  double last = 0;
  for (const double share : {0.2, 0.4, 0.6, 0.8, 1.0}) {
    for (const Advice& advice : AdviceOf(Explained(share))) {
      if (NameOf(advice) != "simd") continue;
      EXPECT_GT(advice.expected_s, last) << share;
      EXPECT_GE(advice.expected_s, advice.saves.least * (1 - 1e-9));
      EXPECT_LE(advice.expected_s, advice.saves.most * (1 + 1e-9));
      last = advice.expected_s;
    }
  }
  EXPECT_NEAR(last, 0.75, 1e-6);
}

// Two fifths of 0.75 s would be saved in proportion; what takes the rest may hide all of it.
TEST(Advice, WhereNothingCountedLimitsHalfIsExpected) {
  const std::vector<Advice> advice = AdviceOf(Explained(0.4));
  ASSERT_EQ(NameOf(advice.at(0)), "simd");
  EXPECT_EQ(advice[0].saves.least, 0);
  EXPECT_NEAR(advice[0].saves.most, 0.75 * 1.05, 1e-6);
  EXPECT_NEAR(advice[0].expected_s, 0.4 * 0.75 / 2, 1e-6);
}

// Executions of 0.8 to 1.2 s: a time that may be wrong by a fifth.
TEST(Advice, IntervalsContainWhatExecutionsDifferBy) {
  JobProfile job = Scalar();
  job.run.repeats_s = {0.8, 1.2};
  job.paths[0].repeats_ns = {kGiga * 8 / 10, kGiga * 12 / 10};
  const Advice first = AdviceOf(job).at(0);
  EXPECT_NEAR(first.saves.least, 0.75 * 0.75, 1e-6);
  EXPECT_NEAR(first.saves.most, 0.75 * 1.25, 1e-6);
  EXPECT_NEAR(first.expected_s, 0.75, 1e-6);
}

// Of the arithmetic that both of its times rest on, 100 %: four times as fast may be twice.
TEST(Advice, IntervalsContainTheNoiseOfTheRoofs) {
  Machine machine = ModelMachine();
  for (CeilingCurve& ceiling : machine.ceilings) {
    if (!ceiling.id.starts_with("compute.dp.")) continue;
    for (MachinePoint& point : ceiling.curve) point.noise = 1;
  }
  const JobProfile job = Scalar();
  const Advice first = AdviceFor(job, Analyze(job, &machine)).at(0);
  ASSERT_EQ(NameOf(first), "simd");
  EXPECT_NEAR(first.saves.least, 0.95 * (1 - 1 / 2.0) / 2, 1e-6);
  EXPECT_NEAR(first.saves.most, 1.05 * (1 - 1 / 8.0), 1e-6);
  EXPECT_NEAR(first.expected_s, 0.75, 1e-6);
}

// A second of loads that wait: nothing proves that prefetching saves any of it.
TEST(Advice, ACureThatMayGiveNothingSavesNothingForSure) {
  JobProfile job = JobOf(Width::k256, FlopKind::kFma, kGiga, kGiga);
  test::Spread(job, metric::kCycles, 4 * kGiga);
  test::Spread(job, metric::kMemoryStallCycles, 3 * kGiga);
  const std::vector<Advice> all = AdviceOf(job);
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(NameOf(all[0]), "prefetch");
  EXPECT_EQ(all[0].saves.least, 0);
  EXPECT_GT(all[0].saves.most, 0.5);
  EXPECT_LE(all[0].expected_s, all[0].saves.most / 2);
}

TEST(Advice, WhatSavesLessThanAHundredthOfTheRunIsLeftOut) {
  JobProfile job = Scalar();
  RunTook(job, 70);
  EXPECT_THAT(Order(job), ElementsAre("r: simd"));  // 0.75 s, and 0.5 s
  RunTook(job, 300);
  EXPECT_TRUE(Order(job).empty());
}

// More of them than a sort that is not stable leaves in their order by chance.
TEST(Advice, EqualsStayInTheOrderOfTheirPaths) {
  JobProfile job = Scalar();
  std::vector<std::string> simd = {"r: simd"}, fma = {"r: fma_balance"};
  for (int i = 10; i < 40; ++i) {
    const std::string path = "s" + std::to_string(i);
    CopyAll(job, path, 1);
    simd.push_back(path + ": simd");
    fma.push_back(path + ": fma_balance");
  }
  std::vector<std::string> expected = simd;
  expected.insert(expected.end(), fma.begin(), fma.end());
  EXPECT_EQ(Order(job), expected);
}

TEST(Advice, WithoutAMachineNothingIsCured) {
  const JobProfile job = Scalar();
  EXPECT_TRUE(AdviceFor(job, Analyze(job, nullptr)).empty());
}

}  // namespace
}  // namespace roofmark
