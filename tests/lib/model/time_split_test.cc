// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/time_split.h"

#include <gtest/gtest.h>

#include "lib/report/advice_words.h"
#include "tests/lib/model/analyzed.h"

namespace roofmark {
namespace {

using test::Analyzed;
using test::JobOf;
using test::kGiga;
using test::Set;

Value Number(double number) { return Value::Of(number, Status::kMeasured, "test"); }

TEST(TimeSplit, ItsPartsAddUpToTheTime) {
  const TimeSplit split =
      SplitTime(Number(10), {Number(0.2), Number(0.1), Number(0.35)}, Number(3));
  EXPECT_DOUBLE_EQ(split.inside_mpi_s, 2);
  EXPECT_DOUBLE_EQ(*split.needed_s, 3);
  EXPECT_DOUBLE_EQ(split.in_openmp_s, 1);
  EXPECT_NEAR(split.in_kernel_s, 0.5, 1e-12) << "the rest of it may be MPI's and of those who wait";
  EXPECT_NEAR(*split.unexplained_s, 3.5, 1e-12);
  EXPECT_NEAR(split.Explained(), 3.0 / 6.5, 1e-12);
}

// Of 10 s 6 are outside MPI: 8 s that the model asks for are no bound.
TEST(TimeSplit, ABoundAboveTheTimeIsNotUsed) {
  const Value none = Value::None(Reason::kNoTime);
  const TimeSplit split = SplitTime(Number(10), {Number(0.4), none, {}}, Number(8));
  EXPECT_TRUE(split.BoundIsAboveTime());
  EXPECT_EQ(split.needed_s.reason.argument, "133");
  EXPECT_FALSE(split.unexplained_s);
  EXPECT_DOUBLE_EQ(*split.bound_s, 8);
  EXPECT_DOUBLE_EQ(split.Explained(), 0);
  const Limit limit = LimitOf(split, {}, {});
  EXPECT_EQ(limit.what, LimitedBy::kBoundIsWrong);
  EXPECT_EQ(limit.Mark(), "?");
}

TEST(TimeSplit, ABoundThatIsHardlyAboveTheTimeTellsWhatLimitsLikely) {
  RuntimeModel runtime;
  runtime.binding = "DRAM";
  const auto limit = [&runtime](double bound) {
    return LimitOf(SplitTime(Number(10), {}, Number(bound)), {}, runtime);
  };
  const Limit likely = limit(13), unknown = limit(16), known = limit(9);
  EXPECT_EQ(likely.what, LimitedBy::kBoundIsWrong);
  EXPECT_EQ(likely.Mark(), "DRAM?");
  EXPECT_EQ(likely.Kind(), "memory");
  EXPECT_EQ(unknown.Mark(), "?");
  EXPECT_EQ(unknown.Kind(), "");
  EXPECT_EQ(known.Mark(), "DRAM");
  runtime.binding = "dependences";
  const Limit chain = limit(13);
  EXPECT_EQ(chain.Mark(), "chain?");
}

TEST(TimeSplit, ABoundAboveTheTimeByLessThanBothAreUncertainTakesAllOfIt) {
  const auto needed = [](double bound, const Uncertainty& uncertain) {
    return SplitTime(Number(10), {Number(0.4), {}, {}}, Number(bound), uncertain).needed_s.number;
  };
  EXPECT_EQ(needed(6.4, {}), 6);
  EXPECT_EQ(needed(6.6, {}), std::nullopt);
  EXPECT_EQ(needed(8, {.time = 0.16}), 6) << "a time that may be longer by 1.6 s";
  EXPECT_EQ(needed(8, {.bound = 0.15}), 6) << "a roof that may be higher by as much";
}

TEST(TimeSplit, WhatTheWorkNeedsIsNotTheKernels) {
  const TimeSplit split = SplitTime(Number(10), {{}, {}, Number(0.5)}, Number(7));
  EXPECT_DOUBLE_EQ(split.in_kernel_s, 3);
  EXPECT_DOUBLE_EQ(*split.needed_s, 7);
  EXPECT_DOUBLE_EQ(*split.unexplained_s, 0);
}

TEST(TimeSplit, IntervalsAreWiderByWhatTimesAreUncertain) {
  TimeInterval wide = Widened({2, 4}, 0, 10);
  EXPECT_DOUBLE_EQ(wide.least, 1.9);
  EXPECT_DOUBLE_EQ(wide.most, 4.2);
  wide = Widened({4, 4}, 0.15, 4);
  EXPECT_DOUBLE_EQ(wide.least, 3.2);
  EXPECT_DOUBLE_EQ(wide.most, 4);
}

// Threads that wait for one that is inside MPI wait for MPI.
TEST(TimeSplit, MpiComesBeforeOpenMp) {
  const TimeSplit split =
      SplitTime(Number(10), {Number(0.75), Number(0.5), Number(0.5)}, Number(0.4));
  EXPECT_DOUBLE_EQ(split.inside_mpi_s, 7.5);
  EXPECT_DOUBLE_EQ(split.in_openmp_s, 2.5);
  EXPECT_DOUBLE_EQ(split.in_kernel_s, 0);
  EXPECT_DOUBLE_EQ(*split.needed_s, 0);
}

TEST(TimeSplit, WhatIsUnknownHasAReason) {
  const Value none = Value::None(Reason::kNoTime);
  TimeSplit split = SplitTime(Number(10), {none, none, none}, Value::None(Reason::kNoMachine));
  EXPECT_DOUBLE_EQ(split.Usable(), 10);
  EXPECT_EQ(split.needed_s.reason.id, Reason::kNoMachine);
  EXPECT_DOUBLE_EQ(split.Explained(), 0);
  split = SplitTime(Value::None(Reason::kNoRealTimes), {Number(0.5), Number(0.1), Number(0.1)},
                    Number(1));
  EXPECT_EQ(split.unexplained_s.reason.id, Reason::kNoRealTimes);
  EXPECT_DOUBLE_EQ(split.time_s, 0);
}

TEST(Limit, AResourceWhereItExplainsMostOfTheTime) {
  // 15 of 30 GB/s, and a little more.
  const Limit limit = Analyzed(JobOf(Width::k256, FlopKind::kAdd, kGiga, 16 * kGiga)).limit;
  EXPECT_EQ(limit.what, LimitedBy::kResource);
  EXPECT_EQ(limit.resource, "DRAM");
  EXPECT_EQ(limit.Kind(), "memory");
  EXPECT_EQ(limit.Mark(), "DRAM");
}

TEST(Limit, NothingThatWasCounted) {
  const Limit limit = Analyzed(JobOf(Width::k256, FlopKind::kAdd, kGiga, 14 * kGiga)).limit;
  EXPECT_EQ(limit.what, LimitedBy::kUnexplained);
  EXPECT_EQ(limit.resource, "");
  EXPECT_EQ(limit.Kind(), "");
  EXPECT_EQ(limit.Mark(), "?");
}

// 60 GB in a second from a memory that delivers 30.
TEST(Limit, NothingRestsOnABoundThatIsAboveTheTime) {
  const JobProfile job = JobOf(Width::kScalar, FlopKind::kMul, kGiga, 60 * kGiga);
  const JobAnalysis analysis = test::AnalyzedJob(job);
  const PathAnalysis& path = analysis.paths[0];
  EXPECT_EQ(path.limit.Mark(), "?");
  EXPECT_EQ(LimitSentence(path), "the model's bound is 200 % of what was measured: not used");
  for (const Value* value : {&path.efficiency, &path.verdict.top_efficiency,
                             &path.runtime.attainable, &path.runtime.gain_up}) {
    EXPECT_EQ(value->reason.id, Reason::kBoundAboveTime);
  }
  EXPECT_NEAR(path.above_bound, 2, 1e-9);
  EXPECT_EQ(test::First(path), "");
  EXPECT_TRUE(AdviceFor(job, analysis).empty());
}

// The same bytes, extrapolated: they may be half as many.
TEST(Limit, BytesThatMayBeFewerBreakNoBound) {
  JobProfile job = JobOf(Width::kScalar, FlopKind::kMul, kGiga, 60 * kGiga);
  Set(job, 0, metric::kDramMarginBytes, {15 * kGiga, 15 * kGiga}, "counting", Status::kModelled);
  const PathAnalysis path = Analyzed(job);
  EXPECT_EQ(path.limit.Mark(), "DRAM");
  EXPECT_EQ(path.above_bound, 0);
}

TEST(Limit, Waiting) {
  JobProfile job = JobOf(Width::k256, FlopKind::kAdd, kGiga, 16 * kGiga);
  Set(job, 0, metric::kMpiNs, {kGiga * 6 / 10, kGiga * 6 / 10}, "timer");
  const Limit limit = Analyzed(job).limit;
  EXPECT_EQ(limit.what, LimitedBy::kWaiting);
  EXPECT_EQ(limit.Mark(), "wait");
}

TEST(Limit, TheKernelWhereItWorksForMostOfTheTime) {
  JobProfile job = JobOf(Width::k256, FlopKind::kAdd, kGiga, 12 * kGiga);
  const auto each = [](double share) { return static_cast<uint64_t>(share * kGiga); };
  Set(job, 0, metric::kWorkers, {1, 1}, "timer");
  Set(job, 0, metric::kSystemNs, {each(0.5), each(0.52)}, "kernel");
  Set(job, 0, metric::kPageFaults, {150'000, 150'000}, "kernel");
  PathAnalysis path = Analyzed(job);
  EXPECT_EQ(path.limit.what, LimitedBy::kKernel);
  EXPECT_EQ(path.limit.Mark(), "OS");
  EXPECT_NEAR(path.split.in_kernel_s, 0.51, 1e-6);
  EXPECT_EQ(LimitSentence(path),
            "the operating system works for 51 % of its time and supplies 300k pages: arrays that "
            "were just "
            "allocated");
  Set(job, 0, metric::kPageFaults, {150, 150}, "kernel");
  EXPECT_EQ(
      LimitSentence(Analyzed(job)),
      "the operating system works for 51 % of its time: system calls, such as input and output");
  // The largest of three parts: 0.4 s are needed, and 0.19 s are not explained.
  Set(job, 0, metric::kSystemNs, {each(0.41), each(0.41)}, "kernel");
  EXPECT_EQ(Analyzed(job).limit.what, LimitedBy::kKernel);
  Set(job, 0, metric::kSystemNs, {each(0.39), each(0.39)}, "kernel");
  EXPECT_EQ(Analyzed(job).limit.resource, "DRAM");
  Set(job, 0, metric::kSystemNs, {each(0.5), each(0.52)}, "kernel");
  // Two workers at a time.
  Set(job, 0, metric::kWorkers, {2, 2}, "timer");
  path = Analyzed(job);
  EXPECT_NEAR(path.split.in_kernel_s, 0.255, 1e-6);
  EXPECT_EQ(path.limit.resource, "DRAM") << "0.4 s of the 0.75 s that are left";
}

TEST(Limit, TheKernelWithoutAMachineFile) {
  JobProfile job = JobOf(Width::k256, FlopKind::kAdd, kGiga, 12 * kGiga);
  Set(job, 0, metric::kWorkers, {1, 1}, "timer");
  Set(job, 0, metric::kSystemNs, {kGiga * 6 / 10, kGiga * 6 / 10}, "kernel");
  const PathAnalysis path = Analyze(job, nullptr).paths[0];
  EXPECT_EQ(path.limit.what, LimitedBy::kKernel);
  EXPECT_EQ(
      LimitSentence(path),
      "the operating system works for 60 % of its time: system calls, such as input and output, or "
      "pages of arrays that were just allocated");
}

// Of a second in parallel regions their busiest thread works 0.3 s.
TEST(Limit, WaitingInOpenMp) {
  JobProfile job = JobOf(Width::k256, FlopKind::kAdd, kGiga, 16 * kGiga);
  test::Spread(job, metric::kParallelNs, kGiga * 2);
  test::Spread(job, metric::kOpenMpBusiestNs, kGiga * 6 / 10);
  PathAnalysis path = Analyzed(job);
  EXPECT_EQ(path.limit.what, LimitedBy::kWaiting);
  EXPECT_NEAR(path.split.in_openmp_s, 0.7, 1e-9);
  EXPECT_NE(LimitSentence(path).find("for 70 % of its time no thread of its teams works"),
            std::string::npos)
      << LimitSentence(path);
  test::Spread(job, metric::kOpenMpBusiestNs, kGiga * 16 / 10);
  path = Analyzed(job);
  EXPECT_EQ(path.limit.what, LimitedBy::kResource);
  EXPECT_NEAR(path.split.in_openmp_s, 0.2, 1e-9);
}

// Neither alone is half of it.
TEST(Limit, WaitingInMpiAndInOpenMp) {
  JobProfile job = JobOf(Width::k256, FlopKind::kAdd, kGiga, 16 * kGiga);
  Set(job, 0, metric::kMpiNs, {kGiga * 4 / 10, kGiga * 4 / 10}, "timer");
  test::Spread(job, metric::kParallelNs, kGiga);
  test::Spread(job, metric::kOpenMpBusiestNs, kGiga * 7 / 10);
  const PathAnalysis path = Analyzed(job);
  EXPECT_EQ(path.limit.what, LimitedBy::kWaiting);
  EXPECT_EQ(path.waiting.what, WaitingFor::kMpi);
  EXPECT_EQ(LimitSentence(path),
            "40 % of its time is spent inside MPI; for 15 % of its time no thread of its teams "
            "works: they "
            "wait in OpenMP, or begin and end parallel regions");
}

// Few bytes of DRAM and many loads: to the right of every ridge point, and yet memory limits it.
TEST(Limit, WhatTheFigureDoesNotKnowIsNotLeftOut) {
  JobProfile job = JobOf(Width::k256, FlopKind::kAdd, kGiga, 64);
  test::Spread(job, metric::kLoadBytes, 700 * kGiga);
  const PathAnalysis path = Analyzed(job);
  EXPECT_EQ(path.limit.resource, "L1");
  EXPECT_EQ(path.verdict.optimisation_region, "both");
}

TEST(Limit, WithoutAMachineNobodyKnows) {
  const JobProfile job = JobOf(Width::k256, FlopKind::kAdd, kGiga, 16 * kGiga);
  const Limit limit = Analyze(job, nullptr).paths[0].limit;
  EXPECT_EQ(limit.what, LimitedBy::kUnknown);
  EXPECT_EQ(limit.Mark(), "");
}

}  // namespace
}  // namespace roofmark
