// SPDX-License-Identifier: BSD-3-Clause
#include "lib/profile/join_groups.h"

#include <gtest/gtest.h>

#include "lib/profile/totals.h"
#include "tests/lib/profile/sample_job.h"

namespace roofmark {
namespace {

using test::Set;

constexpr MetricId kDp = AnyKindFlops(Precision::kDouble, Width::kScalar);
constexpr MetricId kSp = AnyKindFlops(Precision::kSingle, Width::kScalar);

// An execution of so many visits that counted nothing yet.
JobProfile Execution(uint64_t visits, uint64_t time_ns) {
  JobProfile job = test::EmptyJob(2);
  test::AddPass(job, "perf_event", 2);
  const size_t path = test::AddPath(job, "solve");
  Set(job, path, metric::kVisits, {visits, visits}, "timer");
  Set(job, path, metric::kTimeNs, {time_ns, time_ns}, "timer");
  return job;
}

JobProfile With(JobProfile job, MetricId metric, uint64_t value,
                Status status = Status::kMeasured) {
  Set(job, 0, metric, {value, 2 * value}, "perf_event", status);
  return job;
}

// FLOPs of these precisions, with the totals that a rank has of them.
JobProfile Counting(const std::vector<std::pair<MetricId, uint64_t>>& flops, Status status) {
  JobProfile job = Execution(4, 100);
  uint64_t all = 0;
  for (const auto& [metric, value] : flops) {
    job = With(job, metric, value, status);
    job = With(job, metric == kDp ? metric::kFlopsDp : metric::kFlopsSp, value, status);
    all += value;
  }
  return With(job, metric::kFlops, all, status);
}

double Sum(const JobProfile& job, MetricId id) { return job.At(0, id).SumAsDouble(); }
double Total(const JobProfile& job, MetricId id) {
  return static_cast<double>(*TotalOf(job, 0, id).sum);
}

TEST(JoinGroups, OneExecutionIsItself) {
  EXPECT_EQ(Sum(JoinGroups({Counting({{kDp, 10}}, Status::kMeasured)}), kDp), 30);
}

TEST(JoinGroups, TimesAreTheFirstsAndCountsAreWhereTheyWereCounted) {
  const JobProfile joined = JoinGroups({Counting({{kDp, 10}}, Status::kMeasured),
                                        With(Execution(4, 999), metric::kLastLevelMisses, 7)});
  EXPECT_EQ(Sum(joined, metric::kTimeNs), 200);
  EXPECT_EQ(Sum(joined, kDp), 30);
  EXPECT_EQ(Sum(joined, metric::kLastLevelMisses), 21);
  EXPECT_EQ(joined.sources[metric::kLastLevelMisses].status, Status::kMeasured);
  EXPECT_EQ(joined.run.passes.size(), 2u);
}

TEST(JoinGroups, MeasuredBeatsScaledAndTheEarlierOneItsLike) {
  const JobProfile joined = JoinGroups(
      {With(Execution(4, 100), metric::kCycles, 5, Status::kScaled),
       With(Execution(4, 100), metric::kCycles, 6), With(Execution(4, 100), metric::kCycles, 7)});
  EXPECT_EQ(Sum(joined, metric::kCycles), 18);
}

TEST(JoinGroups, CountsAreMatchedToTheVisitsOfTheFirst) {
  const JobProfile joined =
      JoinGroups({Execution(4, 100), With(Execution(2, 100), metric::kLastLevelMisses, 10)});
  EXPECT_EQ(Sum(joined, metric::kLastLevelMisses), 60);
  EXPECT_EQ(Worst(joined.At(0, metric::kLastLevelMisses).status_bits), Status::kScaled);
}

// Eight events on four counters: one precision in an execution is exact, both together take turns.
TEST(JoinGroups, PrecisionsAreAddedUpWhereTogetherTheyTookTurns) {
  const JobProfile joined =
      JoinGroups({Counting({{kDp, 10}}, Status::kMeasured), Counting({{kSp, 4}}, Status::kMeasured),
                  Counting({{kDp, 11}, {kSp, 5}}, Status::kScaled)});
  EXPECT_EQ(Sum(joined, kDp), 30);
  EXPECT_EQ(Sum(joined, kSp), 12);
  EXPECT_EQ(Total(joined, metric::kFlops), 42);
  EXPECT_EQ(TotalOf(joined, 0, metric::kFlops).status, Status::kMeasured);
  EXPECT_EQ(joined.At(0, metric::kFlops).ranks, 0u)
      << "of no execution: no distribution over ranks";
}

TEST(JoinGroups, AllPrecisionsOfOneExecutionAreBetterWhereTheyFit) {
  const JobProfile joined =
      JoinGroups({Counting({{kDp, 10}}, Status::kMeasured), Counting({{kSp, 4}}, Status::kMeasured),
                  Counting({{kDp, 11}, {kSp, 5}}, Status::kMeasured)});
  EXPECT_EQ(Sum(joined, kDp), 33);
  EXPECT_EQ(Sum(joined, kSp), 15);
  EXPECT_EQ(Sum(joined, metric::kFlops), 48);
}

// Wrong in one region is not to be believed in the others; totals of such counts are not in files.
TEST(JoinGroups, WhatWasCountedWronglySomewhereIsTakenFromElsewhere) {
  JobProfile wrong = Counting({{kDp, 11}, {kSp, 5}}, Status::kMeasured);
  wrong.At(0, kDp).status_bits |= Bit(Status::kInvalid);
  for (const MetricId total : {metric::kFlops, metric::kFlopsDp}) wrong.At(0, total) = Cell();
  const JobProfile joined = JoinGroups(
      {Counting({{kDp, 10}}, Status::kMeasured), Counting({{kSp, 4}}, Status::kMeasured), wrong});
  EXPECT_EQ(Sum(joined, kDp), 30);
  EXPECT_EQ(Total(joined, metric::kFlops), 42);
}

// A CPU whose counters mix precisions has one way to count FLOPs.
TEST(JoinGroups, MixedFlopsStandAlone) {
  JobProfile mixed = Execution(4, 100);
  for (size_t kind = 0; kind < kFlopKinds; ++kind) {
    mixed = With(mixed, MixedFlops(static_cast<FlopKind>(kind)), 3, Status::kMixedPrecision);
  }
  mixed = With(mixed, metric::kFlops, 15, Status::kMixedPrecision);
  const JobProfile joined = JoinGroups({mixed, With(Execution(4, 100), metric::kCycles, 6)});
  EXPECT_EQ(Total(joined, metric::kFlops), 45);
  EXPECT_EQ(joined.sources[metric::kFlops].status, Status::kMixedPrecision);
}

TEST(JoinGroups, RegionsOfALaterExecutionAreThere) {
  JobProfile later = Execution(4, 100);
  test::AddPath(later, "zeta");
  Set(later, 1, metric::kVisits, {1, 1}, "timer");
  Set(later, 1, metric::kLastLevelMisses, {9, 9}, "perf_event");
  const JobProfile joined = JoinGroups({Execution(4, 100), later});
  ASSERT_EQ(joined.paths.size(), 2u);
  EXPECT_EQ(joined.At(1, metric::kLastLevelMisses).SumAsDouble(), 18);
}

}  // namespace
}  // namespace roofmark
