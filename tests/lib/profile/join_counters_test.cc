// SPDX-License-Identifier: BSD-3-Clause
//
// Two executions that both counted: hardware in the time pass, the engine in the work pass.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/profile/join.h"
#include "lib/profile/totals.h"
#include "lib/profile/whole.h"
#include "tests/lib/profile/sample_job.h"

namespace roofmark {
namespace {

using test::Set;

constexpr MetricId kHardwareFlops = AnyKindFlops(Precision::kDouble, Width::kScalar);

JobProfile Pass(const char* collector, uint64_t visits) {
  JobProfile job = test::EmptyJob(1);
  test::AddPass(job, collector, 2);
  const size_t path = test::AddPath(job, "solve");
  Set(job, path, metric::kVisits, {visits}, "timer");
  job.whole = CellTable(kWholeRows);
  return job;
}

// 100 FLOPs, 1000 instructions, 640 bytes by the memory controllers.
JobProfile Hardware() {
  JobProfile job = Pass("perf_event", 4);
  Set(job, 0, kHardwareFlops, {100}, "perf_event");
  Set(job, 0, metric::kInstructions, {1000}, "perf_event");
  Set(job, 0, metric::kCycles, {500}, "perf_event");
  Set(job, 0, metric::kPackageDramReadBytes, {512}, "perf_event");
  Set(job, 0, metric::kPackageDramWriteBytes, {128}, "perf_event");
  FillTotals(job);
  return job;
}

// 90 FLOPs, 1010 instructions, 320 bytes by the cache model.
JobProfile Engine(uint64_t visits = 4) {
  JobProfile job = Pass("counting", visits);
  for (MetricId m = 0; m < kFlopClasses; ++m) Set(job, 0, m, {0});
  Set(job, 0, test::kDp256Fma, {90});
  Set(job, 0, metric::kInstructions, {1010});
  Set(job, 0, metric::kLoadInstructions, {200});
  Set(job, 0, metric::kDramReadBytes, {256}, "counting", Status::kModelled);
  Set(job, 0, metric::kDramWriteBytes, {64}, "counting", Status::kModelled);
  FillTotals(job);
  const CellRow program{job.whole, static_cast<size_t>(WholeRow::kProgram)};
  program[metric::kDramReadBytes] = Cell::Of(1000, 0, Status::kModelled);
  program[metric::kDramWriteBytes] = Cell::Of(24, 0, Status::kModelled);
  return job;
}

double Sum(const JobProfile& job, MetricId id) { return job.At(0, id).SumAsDouble(); }

TEST(JoinCounters, WhatIsExecutedIsTheEnginesAndOnlyThat) {
  const JobProfile joined = JoinPasses(Hardware(), Engine());
  EXPECT_EQ(joined.sources[metric::kFlops].origin, "counting");
  EXPECT_EQ(static_cast<double>(*TotalOf(joined, 0, metric::kFlops).sum), 90);
  EXPECT_EQ(Sum(joined, metric::kInstructions), 1010);
  EXPECT_EQ(Sum(joined, metric::kLoadInstructions), 200);
  EXPECT_EQ(joined.At(0, kHardwareFlops).ranks, 0u) << "FLOPs of two origins would be added up";
  EXPECT_FALSE(HasValue(joined.sources[kHardwareFlops].status));
}

TEST(JoinCounters, WhatHardwareAloneCountsStays) {
  const JobProfile joined = JoinPasses(Hardware(), Engine());
  EXPECT_EQ(Sum(joined, metric::kCycles), 500);
  EXPECT_EQ(joined.sources[metric::kCycles].origin, "perf_event");
}

TEST(JoinCounters, BytesOfMemoryControllersAreBelieved) {
  const JobProfile joined = JoinPasses(Hardware(), Engine());
  EXPECT_EQ(Sum(joined, metric::kDramBytes), 640);
  EXPECT_EQ(joined.sources[metric::kDramBytes].origin, "perf_event");
  EXPECT_EQ(joined.sources[metric::kDramBytes].scope, Scope::kPackage);
  EXPECT_EQ(Sum(joined, metric::kDramReadBytes), 256) << "the model's, beside it";
  EXPECT_EQ(OriginOfTotal(joined, 0, metric::kDramBytes), "perf_event");
}

// Hardware tells nothing of the program as a whole.
TEST(JoinCounters, TheProgramHasTheBytesOfTheModel) {
  const JobProfile program = WholeOf(JoinPasses(Hardware(), Engine()));
  const auto row = static_cast<size_t>(WholeRow::kProgram);
  const Total bytes = TotalOf(program, row, metric::kDramBytes);
  EXPECT_EQ(static_cast<double>(*bytes.sum), 1024);
  EXPECT_EQ(bytes.status, Status::kModelled);
  EXPECT_EQ(OriginOfTotal(program, row, metric::kDramBytes), "counting");
}

TEST(JoinCounters, BothAreKeptWithTheirOrigins) {
  const JobProfile joined = JoinPasses(Hardware(), Engine());
  const auto check = [&](MetricId metric) { return *CrossCheckOf(joined.paths[0], metric); };
  EXPECT_EQ(check(metric::kFlops).hardware.sum, 100);
  EXPECT_EQ(check(metric::kFlops).engine.sum, 90);
  EXPECT_EQ(check(metric::kFlopsDp).engine.sum, 90);
  EXPECT_EQ(CrossCheckOf(joined.paths[0], metric::kFlopsSp), nullptr);
  EXPECT_EQ(check(metric::kInstructions).hardware.sum, 1000);
  EXPECT_EQ(check(metric::kInstructions).hardware.origin, "perf_event");
  EXPECT_EQ(check(metric::kInstructions).engine.origin, "counting");
  EXPECT_EQ(check(metric::kDramBytes).hardware.sum, 640);
  EXPECT_EQ(check(metric::kDramBytes).engine.sum, 320);
  EXPECT_EQ(check(metric::kDramBytes).engine.status, Status::kModelled);
}

// The engine's counts are scaled to the visits of the time pass before they are compared.
TEST(JoinCounters, TheEnginesVisitsAreMatchedFirst) {
  const JobProfile joined = JoinPasses(Hardware(), Engine(/*visits=*/2));
  EXPECT_EQ(CrossCheckOf(joined.paths[0], metric::kFlops)->engine.sum, 180);
  EXPECT_EQ(CrossCheckOf(joined.paths[0], metric::kDramBytes)->engine.sum, 640);
  EXPECT_EQ(Sum(joined, metric::kCycles), 500) << "hardware counted in the time pass itself";
  EXPECT_EQ(Sum(joined, metric::kDramBytes), 640);
}

TEST(JoinCounters, WhatTheEngineDidNotCountIsTheHardwares) {
  JobProfile engine = Engine();
  for (const MetricId metric :
       {metric::kDramReadBytes, metric::kDramWriteBytes, metric::kDramBytes}) {
    engine.sources[metric] = {"", Status::kUnsupported, "count=flops"};
    engine.At(0, metric) = Cell();
  }
  const JobProfile joined = JoinPasses(Hardware(), engine);
  EXPECT_EQ(Sum(joined, metric::kDramBytes), 640);
  EXPECT_EQ(CrossCheckOf(joined.paths[0], metric::kDramBytes), nullptr);

  JobProfile without_flops = Engine();
  for (MetricId m = 0; m < kMetrics; ++m) {
    if (!IsFlops(m) && !(IsTotal(m) && m != metric::kDramBytes)) continue;
    without_flops.sources[m] = {"", Status::kUnsupported, "the engine did not start"};
    without_flops.At(0, m) = Cell();
  }
  const JobProfile of_hardware = JoinPasses(Hardware(), without_flops);
  EXPECT_EQ(of_hardware.sources[metric::kFlops].origin, "perf_event");
  EXPECT_EQ(Sum(of_hardware, metric::kFlops), 100);
  EXPECT_EQ(Sum(of_hardware, metric::kInstructions), 1000) << "of the same origin as the FLOPs";
}

TEST(JoinCounters, WhereNothingWasReadReasonsAreTheWorkPasses) {
  JobProfile time = Pass("timer", 4);
  time.sources[metric::kCycles].reason = "of the time pass";
  JobProfile engine = Engine();
  engine.sources[metric::kCycles].reason = "of the work pass";
  EXPECT_EQ(JoinPasses(time, engine).sources[metric::kCycles].reason, "of the work pass");
  JobProfile denied = Hardware();
  denied.sources[metric::kCycles] = {"", Status::kDenied, "no permission"};
  EXPECT_EQ(JoinPasses(denied, engine).sources[metric::kCycles].reason, "no permission");
}

TEST(JoinCounters, RanksOfOtherFilesHaveNoPartInACheck) {
  JobProfile joined = JoinPasses(Hardware(), Engine());
  JobProfile other = Hardware();
  other.run.first_rank = 1;
  MergeProfiles(joined, other);
  EXPECT_TRUE(joined.paths[0].cross_checks.empty());
}

}  // namespace
}  // namespace roofmark
