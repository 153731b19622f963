// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/health.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/profile/whole.h"
#include "tests/lib/model/analyzed.h"

namespace roofmark {
namespace {

using test::JobOf;
using test::kGiga;
using test::ModelMachine;
using test::Set;
using ::testing::ElementsAre;

std::vector<HealthIssue> IssuesOf(const JobProfile& job) {
  return HealthOf(job, test::AnalyzedJob(job));
}

// Of two ranks on two CPUs: a second at what its mix can attain.
JobProfile Healthy() { return JobOf(Width::kScalar, FlopKind::kMul, 8 * kGiga, 64); }

void OnCpus(JobProfile& job, uint32_t cpus) { job.run.hosts.front().cpus = cpus; }

TEST(Health, AHealthyRunHasNoIssue) {
  JobProfile job = Healthy();
  OnCpus(job, 2);
  EXPECT_TRUE(IssuesOf(job).empty());
}

TEST(Health, ThreadsThatShareCpusComeFirst) {
  JobProfile job = JobOf(Width::kScalar, FlopKind::kMul, 2 * kGiga, 64);
  job.run.passes[0].wall_s = 10;
  OnCpus(job, 1);
  const std::vector<HealthIssue> issues = IssuesOf(job);
  ASSERT_EQ(issues.size(), 2u);
  EXPECT_EQ(issues[0].id, HealthId::kSharedCpus);
  EXPECT_EQ(issues[0].ranks * issues[0].threads, 2u);
  EXPECT_EQ(issues[0].cpus, 1u);
  EXPECT_TRUE(issues[0].bound);  // the model machine has two
  ASSERT_TRUE(issues[0].cost);
  EXPECT_NEAR(issues[0].cost->most, 0.5, 1e-6);
  EXPECT_TRUE(TimesAreDoubtful(issues));
  EXPECT_EQ(issues[1].id, HealthId::kOutsideRegions);
}

TEST(Health, MoreThreadsThanTheMachineHasAreNotBound) {
  JobProfile job = Healthy();
  OnCpus(job, 2);
  job.run.threads_max = 2;
  const std::vector<HealthIssue> issues = IssuesOf(job);
  ASSERT_EQ(issues.size(), 1u);
  EXPECT_EQ(issues[0].id, HealthId::kSharedCpus);
  EXPECT_FALSE(issues[0].bound);
}

TEST(Health, ThreadsThatAQuotaStops) {
  JobProfile job = JobOf(Width::kScalar, FlopKind::kMul, 4 * kGiga, 64);
  OnCpus(job, 4);
  const auto quota = [&job](uint64_t mcpus) {
    job.run.hosts.front().quota_mcpus = OverHost::Of(mcpus);
    return IssuesOf(job);
  };
  EXPECT_TRUE(quota(2000).empty()) << "two ranks of one thread each";
  const std::vector<HealthIssue> issues = quota(1500);
  ASSERT_EQ(issues.size(), 1u);
  EXPECT_EQ(issues[0].id, HealthId::kSharedCpus);
  EXPECT_EQ(issues[0].quota, 1.5);
  EXPECT_FALSE(issues[0].bound) << "no launcher is the cause";
  EXPECT_TRUE(TimesAreDoubtful(issues));
  OnCpus(job, 1);
  EXPECT_FALSE(quota(1500)[0].quota) << "the CPUs are fewer";
}

TEST(Health, CpusThatNobodyToldAreNotJudged) {
  JobProfile job = Healthy();
  OnCpus(job, 0);
  EXPECT_TRUE(IssuesOf(job).empty());
}

TEST(Health, FasterThanAttainable) {
  JobProfile job = JobOf(Width::kScalar, FlopKind::kMul, kGiga, 90 * kGiga);
  const std::vector<HealthIssue> issues = IssuesOf(job);
  ASSERT_EQ(issues.size(), 1u);
  EXPECT_EQ(issues[0].id, HealthId::kAboveAttainable);
  EXPECT_THAT(issues[0].paths, ElementsAre(0));
}

TEST(Health, MarkersMatterWhereTheirRegionDoes) {
  JobProfile job = Healthy();
  Set(job, 0, metric::kMarkerNs, {kGiga / 10, kGiga / 10}, "timer", Status::kModelled);
  std::vector<HealthIssue> issues = IssuesOf(job);
  ASSERT_EQ(issues.size(), 1u);
  EXPECT_EQ(issues[0].id, HealthId::kMarkers);
  EXPECT_NEAR(issues[0].share, 0.1, 1e-9);
  EXPECT_NEAR(issues[0].cost->most, 0.1, 1e-9);
  job.run.passes[0].wall_s = 1000;
  issues = IssuesOf(job);
  ASSERT_EQ(issues.size(), 1u);
  EXPECT_EQ(issues[0].id, HealthId::kOutsideRegions);
}

TEST(Health, WhatWasFoundHasNoMarkersAndNoLongestVisit) {
  JobProfile job = Healthy();
  Set(job, 0, metric::kMarkerNs, {kGiga / 10, kGiga / 10}, "timer", Status::kModelled);
  Set(job, 0, metric::kVisits, {101, 101}, "timer");
  Set(job, 0, metric::kLongestVisitNs, {kGiga / 2, kGiga / 2}, "timer");
  EXPECT_EQ(IssuesOf(job).size(), 2u);
  job.paths[0].kind = RegionKind::kFound;
  EXPECT_TRUE(IssuesOf(job).empty());
  EXPECT_FALSE(VisitLengthsOf(job, 0));
}

TEST(Health, WarningsAndMissingRanksComeBeforeWhatRestsOnThem) {
  JobProfile job = Healthy();
  job.run.ranks = 3;
  job.run.warnings = {"a", "b"};
  job.run.passes[0].wall_s = 4;
  const std::vector<HealthIssue> issues = IssuesOf(job);
  ASSERT_EQ(issues.size(), 4u);
  EXPECT_EQ(issues[0].id, HealthId::kMissingRanks);
  EXPECT_NEAR(issues[0].share, 1 / 3.0, 1e-9);
  EXPECT_EQ(issues[1].id, HealthId::kWarning);
  EXPECT_EQ(issues[1].text, "a");
  EXPECT_EQ(issues[2].text, "b");
  EXPECT_EQ(issues[3].id, HealthId::kOutsideRegions);
}

// Of the points of the curves only those that the job uses matter.
TEST(Health, RoofsThatWereMeasuredUnderLoad) {
  const JobProfile job = JobOf(Width::kScalar, FlopKind::kMul, kGiga, 27 * kGiga);
  Machine machine = ModelMachine();
  for (CeilingCurve& ceiling : machine.ceilings) {
    for (MachinePoint& point : ceiling.curve) {
      if (ceiling.id.starts_with("bandwidth.DRAM")) point.noise = point.cores == 2 ? 0.12 : 0.9;
      if (ceiling.id == "compute.dp.fma.256") point.noise = point.cores == 2 ? 0.05 : 0.9;
    }
  }
  const std::vector<HealthIssue> issues = HealthOf(job, Analyze(job, &machine));
  ASSERT_EQ(issues.size(), 1u);
  EXPECT_EQ(issues[0].id, HealthId::kNoisyRoofs);
  ASSERT_EQ(issues[0].roofs.size(), 1u);
  EXPECT_EQ(issues[0].roofs[0].noise, 0.12);
  EXPECT_THAT(issues[0].roofs[0].label, ::testing::HasSubstr("DRAM"));
}

TEST(Health, FiguresOfTheMachineThatContradictEachOther) {
  const JobProfile job = Healthy();
  Machine machine = ModelMachine();
  machine.contradictions = {"DRAM read: 2 GB/s on 2 cores, 20 GB/s on 1 core"};
  const std::vector<HealthIssue> issues = HealthOf(job, Analyze(job, &machine));
  ASSERT_EQ(issues.size(), 1u);
  EXPECT_EQ(issues[0].id, HealthId::kDoubtfulMachine);
  EXPECT_EQ(issues[0].text, machine.contradictions[0]);
}

// What computes has nothing to do with the noise of DRAM, of L2 and of another precision.
TEST(Health, RoofsThatNoRegionIsHeldAgainstAreNotNamed) {
  const JobProfile job = Healthy();
  Machine machine = ModelMachine();
  for (CeilingCurve& ceiling : machine.ceilings) {
    const bool other = ceiling.id.starts_with("bandwidth") || ceiling.id.starts_with("compute.sp");
    for (MachinePoint& point : ceiling.curve) point.noise = other ? 0.9 : 0;
  }
  EXPECT_TRUE(HealthOf(job, Analyze(job, &machine)).empty());
}

// Regions around others have the faults of these, too.
TEST(Health, PageFaultsAreNamedWithTheInnermostRegionsThatHaveThem) {
  JobProfile job = Healthy();
  for (const char* path : {"r/few", "r/most", "r/some"}) {
    const size_t row = test::AddPath(job, path);
    for (MetricId m = 0; m < kMetrics; ++m) job.At(row, m) = job.At(0, m);
  }
  job.run.kernel.system_ns = Cell::Of(kGiga / 4, 1, Status::kMeasured);
  job.run.kernel.page_faults = Cell::Of(100'000, 0, Status::kMeasured);
  Set(job, 0, metric::kPageFaults, {95'000, 0}, "kernel");
  Set(job, 1, metric::kPageFaults, {5'000, 0}, "kernel");
  Set(job, 2, metric::kPageFaults, {60'000, 0}, "kernel");
  Set(job, 3, metric::kPageFaults, {25'000, 0}, "kernel");
  const std::vector<HealthIssue> issues = IssuesOf(job);
  ASSERT_FALSE(issues.empty());
  EXPECT_EQ(issues[0].id, HealthId::kPageFaults);
  EXPECT_THAT(issues[0].paths, ElementsAre(2, 3));
}

TEST(Health, PagesThatTheKernelSuppliesAgainAndAgain) {
  JobProfile job = Healthy();
  const auto set = [&job](uint64_t system_ns, uint64_t faults) {
    job.run.kernel.system_ns =
        Combine(Cell::Of(0, 0, Status::kMeasured), Cell::Of(system_ns, 1, Status::kMeasured));
    job.run.kernel.page_faults = Cell::Of(faults, 0, Status::kMeasured);
  };
  set(kGiga / 4, 100'000);
  ASSERT_EQ(IssuesOf(job).size(), 1u);
  EXPECT_EQ(IssuesOf(job)[0].id, HealthId::kPageFaults);
  EXPECT_NEAR(IssuesOf(job)[0].cost->most, 0.25, 1e-9);
  EXPECT_NEAR(IssuesOf(job)[0].share, 0.25, 1e-9);
  EXPECT_FALSE(IssuesOf(job)[0].once) << "nobody knows how much memory there was";
  job.run.kernel.resident_bytes = Cell::Of(uint64_t{50'000} * 4096, 0, Status::kMeasured);
  EXPECT_FALSE(IssuesOf(job)[0].once);
  job.run.kernel.resident_bytes = Cell::Of(uint64_t{70'000} * 4096, 0, Status::kMeasured);
  EXPECT_TRUE(IssuesOf(job)[0].once);
  set(kGiga / 4, 5'000);  // the kernel did something else
  EXPECT_TRUE(IssuesOf(job).empty());
  set(kGiga / 100, 100'000);
  EXPECT_TRUE(IssuesOf(job).empty());
  set(100 * uint64_t{kGiga}, 100'000);  // of 200 threads
  EXPECT_NEAR(IssuesOf(job)[0].cost->most, 1, 1e-9);
}

TEST(Health, ThreadsThatWaitForACpuThoughNoneIsShared) {
  JobProfile job = Healthy();
  const auto waits = [&job](uint64_t ns) {
    job.run.kernel.run_queue_ns =
        Combine(Cell::Of(0, 0, Status::kMeasured), Cell::Of(ns, 1, Status::kMeasured));
    return IssuesOf(job);
  };
  EXPECT_TRUE(waits(kGiga / 100).empty());
  ASSERT_EQ(waits(kGiga / 10).size(), 1u);
  EXPECT_EQ(waits(kGiga / 10)[0].id, HealthId::kRunQueue);
  EXPECT_NEAR(waits(kGiga / 10)[0].cost->most, 0.1, 1e-9);
  EXPECT_NEAR(waits(10 * uint64_t{kGiga})[0].cost->most, 1, 1e-9) << "no more than the run";
  EXPECT_TRUE(TimesAreDoubtful(waits(kGiga / 5)));
  EXPECT_FALSE(TimesAreDoubtful(waits(kGiga / 20)));
  OnCpus(job, 1);
  EXPECT_EQ(waits(kGiga / 10)[0].id, HealthId::kSharedCpus);
  EXPECT_NEAR(*waits(kGiga / 10)[0].waited_s, 0.1, 1e-9);
  for (const HealthIssue& issue : waits(kGiga / 10)) EXPECT_NE(issue.id, HealthId::kRunQueue);
}

TEST(Health, AMachineFileOfAnotherMachine) {
  JobProfile job = Healthy();
  job.run.hosts.push_back({"node2", 1, "0", 1, "Other CPU"});
  ASSERT_EQ(IssuesOf(job).size(), 1u) << "of the first host nothing is known";
  EXPECT_EQ(IssuesOf(job)[0].id, HealthId::kOtherMachine);
  EXPECT_EQ(IssuesOf(job)[0].host, "node2");
  EXPECT_EQ(IssuesOf(job)[0].text, "Other CPU");
  job.run.hosts.back().cpu = ModelMachine().cpu_model;
  EXPECT_TRUE(IssuesOf(job).empty());
}

TEST(Health, ARankWithALowerClockThanTheMachineHad) {
  JobProfile job = Healthy();
  Machine machine = ModelMachine();
  job.run.kernel.clock_khz =
      Combine(Cell::Of(3'000'000, 0, Status::kMeasured), Cell::Of(2'000'000, 1, Status::kMeasured));
  EXPECT_TRUE(HealthOf(job, Analyze(job, &machine)).empty()) << "nobody knows the machine's";
  machine.ceilings.push_back(test::MakeCeiling("clock.scalar", "clock", 3.5));
  MachinePoint both;
  both.cores = 2;
  both.value = 2.5;
  machine.ceilings.back().curve.push_back(both);
  std::vector<HealthIssue> issues = HealthOf(job, Analyze(job, &machine));
  ASSERT_EQ(issues.size(), 1u);
  EXPECT_EQ(issues[0].id, HealthId::kLowClock);
  EXPECT_NEAR(issues[0].share, 0.8, 1e-9);
  EXPECT_NEAR(issues[0].cost->most, 0.2, 1e-9);
  job.run.kernel.clock_khz = Cell::Of(2'300'000, 1, Status::kMeasured);
  EXPECT_TRUE(HealthOf(job, Analyze(job, &machine)).empty());
}

// A region of 1 s in 101 visits, one of which took half of it.
TEST(Health, AVisitThatTookMuchLongerThanTheOthers) {
  JobProfile job = Healthy();
  const size_t inner = test::AddPath(job, "r/inner");
  for (MetricId m = 0; m < kMetrics; ++m) job.At(inner, m) = job.At(0, m);
  const auto set = [&job](size_t path, uint64_t visits, uint64_t longest_ns) {
    Set(job, path, metric::kVisits, {visits, visits}, "timer");
    Set(job, path, metric::kLongestVisitNs, {longest_ns, longest_ns / 2}, "timer");
  };
  set(0, 101, kGiga / 2);
  set(inner, 101, kGiga / 20);
  std::vector<HealthIssue> issues = IssuesOf(job);
  ASSERT_EQ(issues.size(), 1u);
  EXPECT_EQ(issues[0].id, HealthId::kUnevenVisits);
  EXPECT_THAT(issues[0].paths, ElementsAre(0));
  EXPECT_NEAR(issues[0].cost->most, 0.5 - 0.005, 1e-9);
  set(inner, 101, kGiga / 2);
  EXPECT_THAT(IssuesOf(job).at(0).paths, ElementsAre(1)) << "it is the reason";
  set(inner, 101, kGiga / 20);
  JobProfile waits = job;
  for (const size_t path : {size_t{0}, inner}) {
    Set(waits, path, metric::kMpiNs, {6 * kGiga / 10, 6 * kGiga / 10}, "timer");
  }
  EXPECT_THAT(IssuesOf(waits),
              ElementsAre(::testing::Field(&HealthIssue::id, HealthId::kAboveAttainable)))
      << "for MPI: only its work, which fills the second, is too much";
  set(0, 5, kGiga / 2);
  EXPECT_TRUE(IssuesOf(job).empty()) << "4 times the others";
  set(0, 3, 9 * kGiga / 10);
  EXPECT_TRUE(IssuesOf(job).empty()) << "few visits";
}

TEST(Health, ScaledFlopsThatContradictDeclaredOnes) {
  JobProfile job = Healthy();
  Set(job, 0, metric::kDeclaredFlops, {3 * kGiga, 2 * kGiga}, "declared");
  ASSERT_EQ(IssuesOf(job).size(), 1u);
  EXPECT_EQ(IssuesOf(job)[0].contradictions[0].what, Contradiction::What::kMoreFlops);
  for (MetricId m = 0; m < kFlopClasses; ++m) {
    job.sources[m].status = Status::kScaled;
    job.At(0, m).status_bits = Bit(Status::kScaled);
  }
  ASSERT_EQ(IssuesOf(job).size(), 1u);
  EXPECT_EQ(IssuesOf(job)[0].id, HealthId::kDeclaredDiffers);
  EXPECT_THAT(IssuesOf(job)[0].paths, ElementsAre(0));
  EXPECT_NEAR(IssuesOf(job)[0].share, 1.6, 1e-9);
  EXPECT_EQ(IssuesOf(job)[0].contradictions[0].what, Contradiction::What::kScaledFlops);
  Set(job, 0, metric::kDeclaredFlops, {4 * kGiga, 4 * kGiga}, "declared");
  EXPECT_TRUE(IssuesOf(job).empty());
}

// Three executions: the run takes 2 s to 2.1 s, its region 0.9 s to 1.2 s.
TEST(Health, ExecutionsThatDiffer) {
  JobProfile job = Healthy();
  job.run.repeats_s = {2, 2.1, 2.05};
  job.paths[0].repeats_ns = {kGiga, 9 * kGiga / 10, 12 * kGiga / 10};
  const std::vector<HealthIssue> issues = IssuesOf(job);
  ASSERT_EQ(issues.size(), 1u);
  EXPECT_EQ(issues[0].id, HealthId::kRepeatsDiffer);
  EXPECT_NEAR(issues[0].share, 0.05, 1e-9);
  EXPECT_THAT(issues[0].paths, ElementsAre(0));
  EXPECT_EQ(issues[0].cost->least, 2);
  EXPECT_EQ(issues[0].cost->most, 2.1);
  job.paths[0].repeats_ns = {kGiga, 95 * kGiga / 100, 0};  // it was not entered once
  EXPECT_TRUE(IssuesOf(job).empty());
  job.run.repeats_s = {2, 2.3, 2.05};
  EXPECT_EQ(IssuesOf(job).size(), 1u);
}

TEST(Health, TimeOutsideOfAllRegions) {
  JobProfile job = Healthy();
  job.run.passes[0].wall_s = 4;
  const size_t inner = test::AddPath(job, "r/inner");  // within r, so it covers no more
  Set(job, inner, metric::kTimeNs, {kGiga, kGiga}, "timer");
  const std::vector<HealthIssue> issues = IssuesOf(job);
  ASSERT_EQ(issues.size(), 1u);
  EXPECT_EQ(issues[0].id, HealthId::kOutsideRegions);
  EXPECT_NEAR(issues[0].share, 0.75, 1e-9);
  EXPECT_NEAR(issues[0].cost->most, 3, 1e-9);
}

// Who puts a marker around MPI_Init learns nothing.
TEST(Health, TimeInsideMpiIsNotMissedByRegions) {
  JobProfile job = Healthy();
  job.run.passes[0].wall_s = 4;
  job.whole = CellTable(kWholeRows);
  const auto spend = [&job](MetricId metric, uint64_t ns) {
    job.whole.At(static_cast<size_t>(WholeRow::kOutside), metric) =
        Combine(Cell::Of(ns, 0, Status::kMeasured), Cell::Of(ns, 1, Status::kMeasured));
    job.sources[metric] = {"timer", Status::kMeasured, ""};
  };
  spend(metric::kTimeNs, 3 * kGiga);
  spend(metric::kMpiNs, kGiga);
  std::vector<HealthIssue> issues = IssuesOf(job);
  ASSERT_EQ(issues.size(), 1u);
  EXPECT_NEAR(issues[0].share, 0.5, 1e-9);
  EXPECT_NEAR(issues[0].cost->most, 2, 1e-9);
  spend(metric::kMpiNs, 25 * kGiga / 10);
  EXPECT_TRUE(IssuesOf(job).empty());
}

}  // namespace
}  // namespace roofmark
