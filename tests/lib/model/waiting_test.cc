// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/waiting.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/report/advice_words.h"
#include "tests/lib/model/analyzed.h"

namespace roofmark {
namespace {

using test::JobOf;
using test::kGiga;
using test::Set;
using test::Spread;
using ::testing::HasSubstr;

Waiting Of(const JobProfile& job) { return test::Analyzed(job).waiting; }

// A thousand additions and 3 GB of a machine that moves 30 in that time.
JobProfile Halo() { return JobOf(Width::kScalar, FlopKind::kAdd, 1000, 3 * kGiga); }

TEST(Waiting, AnExchangeWaits) {
  const Waiting waiting = Of(Halo());
  EXPECT_TRUE(waiting.waits());
  EXPECT_NEAR(*waiting.busy_share, 0.1, 1e-9);
  EXPECT_THAT(WaitingSentence(waiting), HasSubstr("its traffic needs 10 % of its time"));
}

// A second of one thread, which ran for a part of it.
JobProfile OfOneThread(double cpu_s) {
  JobProfile job = test::EmptyJob(1);
  test::AddPass(job, "timer", 1);
  test::AddPath(job, "r");
  Set(job, 0, metric::kTimeNs, {kGiga}, "timer");
  for (MetricId m = 0; m < kFlopClasses; ++m) Set(job, 0, m, {0});
  for (const MetricId m : {metric::kFlops, metric::kDramBytes}) Set(job, 0, m, {1000});
  const auto ns = static_cast<uint64_t>(cpu_s * 1e9);
  job.run.kernel.cpu_ns = Cell::Of(ns, 0, Status::kMeasured);
  return job;
}

TEST(Waiting, AThreadAloneWaitsWhileItDoesNotRun) {
  JobProfile job = OfOneThread(0.1);
  EXPECT_EQ(Of(job).what, WaitingFor::kUnknown);
  EXPECT_THAT(WaitingSentence(Of(job)), HasSubstr("only thread did not run for 900 ms: input and"));
  job.run.kernel.run_queue_ns = Cell::Of(800'000'000, 0, Status::kMeasured);
  EXPECT_THAT(WaitingSentence(Of(job)), HasSubstr("did not run for 900 ms: no CPU was free"));
  const PathAnalysis runs = test::Analyzed(OfOneThread(0.9));
  EXPECT_TRUE(runs.waiting.other_work);
  EXPECT_EQ(runs.limit.Mark(), "?");
}

TEST(Waiting, OutsideOfRegionsAThreadAloneIsNotSaidToWaitWhereItMayHaveRun) {
  JobProfile job = OfOneThread(0);
  job.run.kernel.cpu_ns = {};
  EXPECT_EQ(test::Analyzed(job).limit.Mark(), "wait");
  job.paths[0].path = "(outside)";
  EXPECT_EQ(test::Analyzed(job).limit.Mark(), "?");
}

TEST(Waiting, WhoSpinsStillWaits) {
  JobProfile job = Halo();
  Spread(job, metric::kInstructions, 16 * kGiga);
  Spread(job, metric::kLoadBytes, 400 * kGiga);  // half of what L1 delivers
  EXPECT_TRUE(Of(job).waits());
}

TEST(Waiting, ACopyThatFillsItsTimeDoesNot) {
  EXPECT_FALSE(Of(JobOf(Width::kScalar, FlopKind::kAdd, 1000, 20 * kGiga)).waits());
}

TEST(Waiting, SlowArithmeticDoesNot) {
  // A hundredth of what scalar additions reach: latency, perhaps, but arithmetic.
  EXPECT_FALSE(Of(JobOf(Width::kScalar, FlopKind::kAdd, kGiga / 12, 64)).waits());
}

TEST(Waiting, WorkOfAnotherKindDoesNot) {
  JobProfile job = Halo();
  Spread(job, metric::kDeclaredOperations, kGiga);
  EXPECT_FALSE(Of(job).waits());
}

// Samples of time do not fall on threads that sleep.
TEST(Waiting, WhatWasFoundRunsAndDoesOtherWork) {
  JobProfile job = Halo();
  job.paths[0].kind = RegionKind::kFound;
  EXPECT_FALSE(Of(job).waits());
  EXPECT_TRUE(Of(job).other_work);
  EXPECT_EQ(test::Analyzed(job).limit.Mark(), "?");
  EXPECT_THAT(LimitSentence(test::Analyzed(job)), HasSubstr("other work than floating point"));
}

TEST(Waiting, WithoutCountsNothingIsSaid) {
  JobProfile job = Halo();
  for (MetricId m = metric::kDramReadBytes; m <= metric::kDramDirtyBytes; ++m) {
    job.sources[m] = {"", Status::kDenied, "not permitted"};
    job.At(0, m) = Cell();
  }
  EXPECT_FALSE(Of(job).waits());
}

// Measured time inside MPI decides, whatever the work.
TEST(Waiting, TimeInsideMpiDecides) {
  JobProfile job = Halo();
  Set(job, 0, metric::kMpiNs, {kGiga / 10, 0}, "timer");
  EXPECT_FALSE(Of(job).waits());
  job = JobOf(Width::k256, FlopKind::kFma, 8 * kGiga, 64);
  Set(job, 0, metric::kMpiNs, {kGiga, kGiga / 2}, "timer");
  EXPECT_EQ(WaitingSentence(Of(job)), "75 % of its time is spent inside MPI");
}

// Half of the ranks' time is inside MPI, but the busiest rank works: the other waits for it.
TEST(Waiting, TheBusiestRankDoesNot) {
  JobProfile job = JobOf(Width::k256, FlopKind::kFma, 8 * kGiga, 64);
  const auto each = [](double share) { return static_cast<uint64_t>(share * kGiga); };
  Set(job, 0, metric::kMpiNs, {each(0.1), each(0.95)}, "timer");
  Set(job, 0, metric::kOutsideMpiNs, {each(0.9), each(0.05)}, "timer");
  const PathAnalysis path = test::Analyzed(job);
  EXPECT_FALSE(path.waiting.waits());
  EXPECT_NEAR(path.split.inside_mpi_s, 0.1, 1e-9);
  Set(job, 0, metric::kMpiNs, {each(0.6), each(0.95)}, "timer");
  Set(job, 0, metric::kOutsideMpiNs, {each(0.4), each(0.05)}, "timer");
  EXPECT_EQ(WaitingSentence(Of(job)), "60 % of its time is spent inside MPI");
}

TEST(Waiting, InAJobOfOneRankMpiWorks) {
  JobProfile job = test::CountedJob(1);
  Spread(job, test::kDpScalarAdd, 1000);
  Set(job, 0, metric::kMpiNs, {kGiga * 8 / 10}, "timer");
  const JobAnalysis analysis = test::AnalyzedJob(job);
  const PathAnalysis& path = analysis.paths[0];
  EXPECT_FALSE(path.waiting.waits());
  EXPECT_EQ(path.limit.Mark(), "MPI");
  EXPECT_EQ(
      LimitSentence(path),
      "80 % of its time is spent inside MPI, where MPI itself works: copies and set-up, no rank "
      "waits for another");
  const std::vector<Advice> advice = AdviceFor(job, analysis);
  ASSERT_FALSE(advice.empty());
  EXPECT_EQ(advice[0].kind, AdviceKind::kMpiWork);
  EXPECT_NEAR(advice[0].saves.most, 0.8, 1e-9);
}

// 15 GB of 30 GB/s: half a second of 0.8.
TEST(Waiting, CopiesInsideMpiAreWork) {
  JobProfile job = JobOf(Width::k256, FlopKind::kFma, kGiga, 64);
  Set(job, 0, metric::kMpiNs, {kGiga * 8 / 10, kGiga * 8 / 10}, "timer");
  Spread(job, InMpi(metric::kDramApart), 15 * kGiga);
  EXPECT_FALSE(Of(job).waits());
  EXPECT_EQ(test::Analyzed(job).limit.Mark(), "MPI");
  EXPECT_EQ(LimitSentence(test::Analyzed(job)),
            "80 % of its time is spent inside MPI, where MPI itself works: copies take most of "
            "that")
      << "a rank may wait for the rest of it";
  Spread(job, InMpi(metric::kDramApart), 9 * kGiga);
  EXPECT_TRUE(Of(job).waits());
}

// Nearly all that was counted is MPI's: it waits, whoever did not measure its time.
TEST(Waiting, InstructionsOfMpiDecideWhereItsTimeIsUnknown) {
  JobProfile job = JobOf(Width::k256, FlopKind::kFma, kGiga, 64);
  Spread(job, metric::kInstructions, kGiga / 10);
  Spread(job, InRuntime(metric::kInstructionsApart), 0);
  Spread(job, InMpi(metric::kInstructionsApart), kGiga / 2);
  EXPECT_FALSE(Of(job).waits()) << "a sixth of what is executed is its own";
  Spread(job, InMpi(metric::kInstructionsApart), 10 * kGiga);
  EXPECT_EQ(WaitingSentence(Of(job)),
            "it waits for MPI, whose time was not measured: 99 % of the instructions executed in "
            "it are MPI's");
  Set(job, 0, metric::kMpiNs, {0, kGiga / 10}, "timer");
  EXPECT_FALSE(Of(job).waits()) << "its time inside MPI is known";
}

TEST(Waiting, TheSpreadOverRanksIsSaid) {
  JobProfile job = Halo();
  Set(job, 0, metric::kTimeNs, {kGiga, kGiga / 4}, "timer");
  EXPECT_THAT(WaitingSentence(Of(job)), HasSubstr("the slowest rank spends 1.60x the mean time"));
}

}  // namespace
}  // namespace roofmark
