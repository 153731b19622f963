// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/scaling.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/lib/profile/sample_job.h"

namespace roofmark {
namespace {

using test::AddPass;
using test::AddPath;
using test::EmptyJob;
using test::Set;

// One region `solve`: milliseconds of each rank, and of them outside MPI (empty: not measured).
JobProfile Job(const std::vector<uint64_t>& time_ms, const std::vector<uint64_t>& outside_ms,
               uint64_t flops) {
  const auto ranks = static_cast<uint32_t>(time_ms.size());
  JobProfile job = EmptyJob(ranks);
  AddPass(job, "timer", 10);
  const size_t row = AddPath(job, "solve");
  const auto ns = [](std::vector<uint64_t> values) {
    for (uint64_t& value : values) value *= 1'000'000;
    return values;
  };
  Set(job, row, metric::kTimeNs, ns(time_ms), "timer");
  if (!outside_ms.empty()) Set(job, row, metric::kOutsideMpiNs, ns(outside_ms), "timer");
  for (MetricId m = 0; m < kFlopClasses; ++m) Set(job, row, m, std::vector<uint64_t>(ranks, 0));
  Set(job, row, test::kDpScalarAdd, std::vector<uint64_t>(ranks, flops / ranks));
  Set(job, row, metric::kFlops, std::vector<uint64_t>(ranks, flops / ranks));
  return job;
}

Scaling Of(const std::vector<JobProfile>& jobs, std::optional<ScalingKind> kind = {}) {
  std::vector<JobAnalysis> analyses;
  for (const JobProfile& job : jobs) analyses.push_back(Analyze(job, nullptr));
  std::vector<ComparedRun> runs;
  for (size_t i = 0; i < jobs.size(); ++i) runs.push_back({jobs[i], analyses[i]});
  return ScalingOf(runs, kind);
}

void ExpectProduct(const ScalingPoint& point) {
  ASSERT_TRUE(point.computation && point.communication && point.balance);
  EXPECT_NEAR(*point.computation * *point.communication * *point.balance, *point.efficiency, 1e-9);
}

// Amdahl: a tenth of one second is serial; 4 workers take 0.1 + 0.9 / 4.
TEST(Scaling, SerialShareOfKarpAndFlatt) {
  const Scaling scaling = Of({Job({1000}, {}, 4000), Job({325, 325, 325, 325}, {}, 4000)});
  EXPECT_EQ(scaling.kind, ScalingKind::kStrong);
  const ScalingPoint& four = scaling.regions[0].points[1];
  EXPECT_NEAR(*four.speedup, 1 / 0.325, 1e-9);
  EXPECT_NEAR(*four.efficiency, 1 / 0.325 / 4, 1e-9);
  EXPECT_NEAR(*four.serial, 0.1, 1e-9);
  EXPECT_FALSE(four.communication);  // time inside MPI was not measured
}

// 2 ranks compute 400 and 600 ms of what took one 1000 ms, and 150 ms of MPI follow.
TEST(Scaling, WhereEfficiencyIsLost) {
  const Scaling scaling = Of({Job({1000}, {1000}, 4000), Job({750, 750}, {400, 600}, 4000)});
  const ScalingPoint& two = scaling.regions[0].points[1];
  EXPECT_NEAR(*two.efficiency, 1000.0 / 750 / 2, 1e-9);
  EXPECT_NEAR(*two.computation, 1, 1e-9);
  EXPECT_NEAR(*two.communication, 600.0 / 750, 1e-9);
  EXPECT_NEAR(*two.balance, 1000.0 / (2 * 600), 1e-9);
  ExpectProduct(two);
}

TEST(Scaling, MoreWorkIsLostComputation) {
  const Scaling scaling = Of({Job({1000}, {1000}, 4000), Job({600, 600}, {600, 600}, 4000)});
  EXPECT_NEAR(*scaling.regions[0].points[1].computation, 1000.0 / 1200, 1e-9);
  ExpectProduct(scaling.regions[0].points[1]);
}

TEST(Scaling, WorkThatGrowsIsWeakScaling) {
  const std::vector<JobProfile> jobs = {Job({1000}, {1000}, 4000),
                                        Job({1250, 1250}, {1000, 1000}, 8000)};
  const Scaling scaling = Of(jobs);
  EXPECT_EQ(scaling.kind, ScalingKind::kWeak);
  EXPECT_NEAR(*scaling.work_growth, 2, 1e-9);
  const ScalingPoint& two = scaling.regions[0].points[1];
  EXPECT_NEAR(*two.efficiency, 0.8, 1e-9);
  EXPECT_NEAR(*two.speedup, 1.6, 1e-9);
  EXPECT_NEAR(*two.communication, 0.8, 1e-9);
  EXPECT_FALSE(two.serial);
  ExpectProduct(two);
  EXPECT_EQ(Of(jobs, ScalingKind::kStrong).kind, ScalingKind::kStrong);
}

TEST(Scaling, FilesComeInAnyOrderAndMayLackARegion) {
  JobProfile other = Job({500, 500}, {500, 500}, 4000);
  other.paths[0].path = "other";
  const Scaling scaling = Of({other, Job({1000}, {1000}, 4000)});
  EXPECT_EQ(scaling.runs[0].file, 1u);
  ASSERT_EQ(scaling.regions.size(), 2u);
  EXPECT_EQ(scaling.regions[0].path, "other");
  EXPECT_FALSE(scaling.regions[0].points[0].time_s);
  EXPECT_TRUE(scaling.regions[0].points[1].time_s);
  EXPECT_FALSE(scaling.regions[0].points[1].efficiency);
}

// Threads that wait in OpenMP do not compute: 2 threads, 1 s, of which one works half.
TEST(Scaling, ThreadsThatWait) {
  JobProfile job = Job({1000}, {1000}, 4000);
  job.run.threads_max = 2;
  Set(job, 0, metric::kParallelNs, {1'000'000'000}, "timer");
  Set(job, 0, metric::kOpenMpBusyNs, {1'500'000'000}, "timer");
  const Scaling scaling = Of({Job({1500}, {1500}, 4000), job});
  const ScalingPoint& two = scaling.regions[0].points[1];
  EXPECT_NEAR(*two.balance, 0.75, 1e-9);
  EXPECT_NEAR(*two.computation, 1, 1e-9);
  ExpectProduct(two);
}

// The geometric mean of the executions is the time, of all parts alike.
TEST(Scaling, RepeatedRuns) {
  JobProfile job = Job({750, 750}, {400, 600}, 4000);
  job.paths[0].repeats_ns = {500'000'000, 2'000'000'000};
  const Scaling scaling = Of({Job({1000}, {1000}, 4000), job});
  EXPECT_NEAR(*scaling.regions[0].points[1].time_s, 1, 1e-9);
  ExpectProduct(scaling.regions[0].points[1]);
}

}  // namespace
}  // namespace roofmark
