// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/analysis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/model/balance.h"
#include "lib/report/words.h"
#include "tests/lib/model/sample_machine.h"
#include "tests/lib/profile/sample_job.h"

namespace roofmark {
namespace {

using test::AddPass;
using test::AddPath;
using test::EmptyJob;
using test::SampleMachine;
using test::Set;

constexpr auto kDram = static_cast<size_t>(MemoryLevel::kDram);

// Two ranks of one thread on two CPUs: 8e9 scalar additions and 24e9 bytes in 2 s by the slower.
JobProfile Stencil() {
  JobProfile job = EmptyJob(2, 1, 2);
  AddPass(job, "timer", 4.0);
  AddPass(job, "counting", 100.0);
  const size_t path = AddPath(job, "stencil");
  Set(job, path, metric::kVisits, {10, 10}, "timer");
  Set(job, path, metric::kTimeNs, {2'000'000'000, 1'000'000'000}, "timer");
  for (MetricId m = 0; m < kFlopClasses; ++m) Set(job, path, m, {0, 0});
  Set(job, path, test::kDpScalarAdd, {5'000'000'000, 3'000'000'000});
  Set(job, path, metric::kDramReadBytes, {8'000'000'000, 8'000'000'000}, "counting",
      Status::kModelled);
  Set(job, path, metric::kDramWriteBytes, {3'000'000'000, 4'000'000'000}, "counting",
      Status::kModelled);
  Set(job, path, metric::kDramDirtyBytes, {1'000'000'000, 0}, "counting", Status::kModelled);
  Set(job, path, metric::kWorkers, {1, 1}, "counting");
  Set(job, path, metric::kWorkerFlopsMax, {5'000'000'000, 3'000'000'000}, "counting");
  return job;
}

PathAnalysis First(const JobProfile& job, const Machine* machine) {
  return Analyze(job, machine).paths.at(0);
}

TEST(Analysis, HandComputedStencil) {
  const Machine machine = SampleMachine();
  JobProfile job = Stencil();
  Set(job, 0, metric::kFlops, {5'000'000'000, 3'000'000'000});
  const PathAnalysis path = First(job, &machine);
  EXPECT_DOUBLE_EQ(*path.visits, 20);
  EXPECT_DOUBLE_EQ(*path.time_s, 2);
  EXPECT_DOUBLE_EQ(*path.time_share, 0.5);
  EXPECT_DOUBLE_EQ(*path.flops[0], 8e9);
  EXPECT_DOUBLE_EQ(*path.flops[1], 0);
  EXPECT_DOUBLE_EQ(*path.gflops, 4);                   // 8e9 / 2 s
  EXPECT_DOUBLE_EQ(*path.traffic_bytes[kDram], 24e9);  // 16 read + 7 written + 1 dirty
  EXPECT_DOUBLE_EQ(*path.intensity[kDram], 1.0 / 3);
  // DRAM roof: triad 2 x 15 GB/s x 4/3 = 40 GB/s, above the read's 34.
  EXPECT_NEAR(*path.bound.attainable_gflops, 40.0 / 3, 1e-12);
  EXPECT_EQ(path.bound.binding, "DRAM");
  EXPECT_NEAR(*path.efficiency, 0.3, 1e-12);
  EXPECT_DOUBLE_EQ(*path.ceiling.height.least, 80);  // no FMA: 2 x 40, not 2 x 80
  EXPECT_EQ(CeilingName(path.ceiling), "dp without FMA");
  EXPECT_DOUBLE_EQ(*path.time_imbalance, 2 / 1.5);
  EXPECT_DOUBLE_EQ(*path.flop_imbalance, 1.25);
  EXPECT_DOUBLE_EQ(*path.worker_imbalance, 1.25);
}

// As Intel counts: by precision and width, a fused operation as two.
JobProfile IntelStencil() {
  JobProfile job = Stencil();
  for (MetricId m = 0; m < kFlopClasses; ++m) {
    job.sources[m] = {"", Status::kUnsupported, "not on this CPU"};
    job.At(0, m) = Cell();
  }
  Set(job, 0, AnyKindFlops(Precision::kDouble, Width::kScalar), {1'000'000'000, 0}, "perf_event");
  Set(job, 0, AnyKindFlops(Precision::kDouble, Width::k256), {4'000'000'000, 3'000'000'000},
      "perf_event");
  Set(job, 0, AnyKindFlops(Precision::kSingle, Width::kScalar), {0, 0}, "perf_event");
  return job;
}

TEST(Analysis, FlopsWithoutTheirKindAreHeldAgainstThePeak) {
  const Machine machine = SampleMachine();
  const JobProfile job = IntelStencil();
  const PathAnalysis path = First(job, &machine);
  EXPECT_DOUBLE_EQ(*path.flops[0], 8e9);
  EXPECT_DOUBLE_EQ(*path.flops[1], 0);
  EXPECT_FALSE(path.flops[2]);  // half precision: nothing counts it, and nothing is missing
  EXPECT_DOUBLE_EQ(*path.total_flops, 8e9);
  EXPECT_EQ(CeilingName(path.ceiling), "dp peak");
  const Share fma = FmaShare(job, 0, Precision::kDouble);
  EXPECT_EQ(fma.least, 0);
  EXPECT_EQ(fma.most, 1);
  EXPECT_EQ(FmaShare(job, 0, Precision::kSingle).most, 0);
}

TEST(Analysis, APrecisionThatWasToBeCountedLeavesNoTotal) {
  JobProfile job = IntelStencil();
  job.sources[AnyKindFlops(Precision::kSingle, Width::kScalar)].status = Status::kDenied;
  for (MetricId m = 0; m < kFlopClasses; ++m) job.sources[m].status = Status::kDenied;
  job.At(0, AnyKindFlops(Precision::kSingle, Width::kScalar)) = Cell();
  EXPECT_FALSE(TotalFlops(job, 0));
  EXPECT_EQ(TotalFlops(job, 0).status, Status::kDenied);
}

TEST(Analysis, MixedPrecisionSaysSo) {
  const Machine machine = SampleMachine();
  JobProfile job = IntelStencil();
  for (MetricId m = metric::kFirstAnyKind; m < metric::kFirstMixed; ++m) {
    job.sources[m] = {};
    job.At(0, m) = Cell();
  }
  for (const FlopKind kind : {FlopKind::kAdd, FlopKind::kFma}) {
    Set(job, 0, MixedFlops(kind), {2'000'000'000, 2'000'000'000}, "perf_event",
        Status::kMixedPrecision);
  }
  const PathAnalysis path = First(job, &machine);
  EXPECT_DOUBLE_EQ(*path.total_flops, 8e9);
  EXPECT_EQ(path.total_flops.status, Status::kMixedPrecision);
  EXPECT_FALSE(path.flops[0]);
  EXPECT_EQ(path.ceiling.note, MixNote::kPrecisionsMixed);
}

TEST(Analysis, LastLevelMissesSuggestTrafficButAreNoDramBytes) {
  JobProfile job = IntelStencil();
  for (const MetricId id : {metric::kDramReadBytes, metric::kDramWriteBytes}) {
    job.sources[id] = {"", Status::kDenied, "the kernel forbids it"};
    job.At(0, id) = Cell();
  }
  Set(job, 0, metric::kLastLevelMisses, {100, 50}, "perf_event");
  job.run.passes[0].facts["line_bytes"] = "128";
  const Machine machine = SampleMachine();
  const PathAnalysis path = First(job, &machine);
  EXPECT_DOUBLE_EQ(*path.miss_bytes, 150 * 128);
  EXPECT_EQ(path.miss_bytes.status, Status::kModelled);
  EXPECT_FALSE(path.traffic_bytes[static_cast<size_t>(MemoryLevel::kDram)]);
  EXPECT_FALSE(path.roof_intensity);
}

TEST(Analysis, PackagesCountTheTrafficOfAllTheirRanks) {
  JobProfile job = Stencil();
  Set(job, 0, metric::kPackageDramReadBytes, {600}, "perf_event");
  Set(job, 0, metric::kPackageDramWriteBytes, {400}, "perf_event");
  EXPECT_DOUBLE_EQ(*Traffic(job, 0, MemoryLevel::kDram), 1000);
  job.At(0, metric::kPackageDramWriteBytes).status_bits = Bit(Status::kInvalid);
  EXPECT_FALSE(Traffic(job, 0, MemoryLevel::kDram)) << "a part is missing";
}

TEST(Analysis, StatusIsThatOfTheWorstInput) {
  const Machine machine = SampleMachine();
  const PathAnalysis path = First(Stencil(), &machine);
  EXPECT_EQ(path.gflops.status, Status::kMeasured);
  EXPECT_EQ(path.gflops.origin, "counting+timer");
  EXPECT_EQ(path.intensity[kDram].status, Status::kModelled);
  EXPECT_EQ(path.efficiency.status, Status::kModelled);
}

TEST(Analysis, TimesUnderTheCountingEngineAreNoTimes) {
  JobProfile job = Stencil();
  job.run.passes.erase(job.run.passes.begin());
  const Machine machine = SampleMachine();
  const PathAnalysis path = First(job, &machine);
  for (const Value& value : {path.time_s, path.time_share, path.gflops, path.efficiency}) {
    EXPECT_FALSE(value);
    EXPECT_EQ(value.reason, Reason::kNoRealTimes);
  }
  EXPECT_TRUE(path.bound.attainable_gflops);
}

TEST(Analysis, WithoutAMachineNothingIsAttainable) {
  const JobAnalysis analysis = Analyze(Stencil(), nullptr);
  EXPECT_FALSE(analysis.roofs);
  EXPECT_FALSE(analysis.paths[0].bound.attainable_gflops);
  EXPECT_EQ(analysis.paths[0].efficiency.reason, Reason::kNoMachine);
  EXPECT_TRUE(analysis.paths[0].gflops);
}

TEST(Analysis, FusedCodeIsHeldAgainstThePeak) {
  JobProfile job = Stencil();
  Set(job, 0, test::kDp256Fma, {1'000'000'000, 1'000'000'000});
  const Machine machine = SampleMachine();
  EXPECT_DOUBLE_EQ(*First(job, &machine).ceiling.height.least, 160);
}

TEST(Analysis, MixedPrecisionsShareTheTime) {
  JobProfile job = Stencil();
  Set(job, 0, test::kDpScalarAdd, {0, 0});
  Set(job, 0, test::kDp256Fma, {4'000'000'000, 0});
  Set(job, 0, FlopMetric(Precision::kSingle, Width::k256, FlopKind::kFma), {4'000'000'000, 0});
  const Machine machine = SampleMachine();
  // 8 / (4 / 160 + 4 / 320)
  EXPECT_NEAR(*First(job, &machine).ceiling.height.least, 8 / (4.0 / 160 + 4.0 / 320), 1e-9);
}

TEST(Analysis, MissingNoFmaRoofIsSaid) {
  Machine machine = SampleMachine();
  std::erase_if(machine.ceilings,
                [](const CeilingCurve& c) { return c.id == "compute.dp.add.512"; });
  const PathAnalysis path = First(Stencil(), &machine);
  EXPECT_DOUBLE_EQ(*path.ceiling.height.least, 160);
  EXPECT_EQ(path.ceiling.note, MixNote::kNoRoofWithoutFma);
}

TEST(Analysis, ACacheLevelCanBind) {
  JobProfile job = Stencil();
  Set(job, 0, metric::kLoadBytes, {400'000'000'000, 400'000'000'000});
  Set(job, 0, metric::kStoreBytes, {0, 0});
  const Machine machine = SampleMachine();
  const PathAnalysis path = First(job, &machine);
  EXPECT_EQ(path.bound.binding, "L1");  // 720 GB/s x 8e9 / 800e9
  EXPECT_NEAR(*path.bound.attainable_gflops, 7.2, 1e-12);
}

TEST(Analysis, CacheResidentCodeIsBoundByCompute) {
  JobProfile job = Stencil();
  for (MetricId m : {metric::kDramReadBytes, metric::kDramWriteBytes, metric::kDramDirtyBytes}) {
    Set(job, 0, m, {0, 0});
  }
  const Machine machine = SampleMachine();
  const PathAnalysis path = First(job, &machine);
  EXPECT_FALSE(path.intensity[kDram]);
  EXPECT_EQ(path.bound.binding, "compute");
  EXPECT_DOUBLE_EQ(*path.bound.attainable_gflops, 80);
}

TEST(Analysis, DeclaredWorkStandsInWhereNothingWasCounted) {
  JobProfile job = EmptyJob(1, 1, 2);
  AddPass(job, "timer", 4.0);
  AddPath(job, "solve");
  Set(job, 0, metric::kTimeNs, {1'000'000'000}, "timer");
  Set(job, 0, metric::kDeclaredFlops, {3'000'000'000}, "declared", Status::kDeclared);
  Set(job, 0, metric::kDeclaredBytes, {6'000'000'000}, "declared", Status::kDeclared);
  const Machine machine = SampleMachine();
  const PathAnalysis path = First(job, &machine);
  EXPECT_DOUBLE_EQ(*path.gflops, 3);
  EXPECT_EQ(path.gflops.status, Status::kDeclared);
  EXPECT_DOUBLE_EQ(*path.roof_intensity, 0.5);
  EXPECT_EQ(path.roof_intensity.status, Status::kDeclared);
  EXPECT_DOUBLE_EQ(*path.bound.attainable_gflops, 10);  // one core: 20 GB/s x 0.5
}

TEST(Analysis, MissingMetricsKeepTheirReason) {
  JobProfile job = EmptyJob(1);
  AddPass(job, "timer", 4.0);
  AddPath(job, "solve");
  Set(job, 0, metric::kTimeNs, {1'000'000'000}, "timer");
  const PathAnalysis path = First(job, nullptr);
  EXPECT_FALSE(path.gflops);
  EXPECT_EQ(path.gflops.reason, Why(Reason::kRecorded, "no collector of this run counts it"));
  EXPECT_FALSE(path.roof_intensity);
}

TEST(Roofs, SumOverHostsAtTheCoresInUse) {
  const Machine machine = SampleMachine();
  JobProfile job = EmptyJob(3, 1, 2);
  job.run.hosts = {{"a", 2, "0-1", 2}, {"b", 1, "0-1", 2}};
  const JobRoofs roofs = RoofsOf(machine, job.run);
  EXPECT_DOUBLE_EQ(roofs.cores, 3);  // both CPUs of a, one of b
  EXPECT_DOUBLE_EQ(roofs.compute[0].peak->value, 160 + 80);
  EXPECT_DOUBLE_EQ(roofs.bandwidth[kDram]->value, 40 + 20);
  EXPECT_EQ(roofs.bandwidth[kDram]->id, "bandwidth.DRAM.triad");
}

TEST(Roofs, MoreThreadsThanCpusUseTheCpus) {
  EXPECT_EQ(RoofsOf(SampleMachine(), EmptyJob(4, 8, 4).run).cores, 4);
  EXPECT_EQ(RoofsOf(SampleMachine(), EmptyJob(1, 3, 4).run).cores, 3);
}

// Property: attainable never exceeds a roof, and rises with every intensity.
TEST(Attainable, NeverAboveAnyRoofAndMonotonic) {
  const JobRoofs roofs = RoofsOf(SampleMachine(), EmptyJob(2, 1, 2).run);
  const Value ceiling = Value::Of(80, Status::kMeasured, "machine");
  double before = 0;
  for (double dram = 0.01; dram < 100; dram *= 1.3) {
    std::array<Value, kMemoryLevels> intensity;
    intensity[0] = Value::Of(dram / 10, Status::kMeasured, "counting");
    intensity[kDram] = Value::Of(dram, Status::kModelled, "counting");
    const Bound bound = Attainable(roofs, ceiling, intensity);
    ASSERT_TRUE(bound.attainable_gflops);
    EXPECT_LE(*bound.attainable_gflops, 80);
    EXPECT_LE(*bound.attainable_gflops, 40 * dram * (1 + 1e-12));
    EXPECT_LE(*bound.attainable_gflops, 720 * dram / 10 * (1 + 1e-12));
    EXPECT_GE(*bound.attainable_gflops, before);
    before = *bound.attainable_gflops;
  }
  EXPECT_DOUBLE_EQ(before, 80);
}

TEST(Analysis, InstructionsOfMpiAndRuntimesAreAShareOfAll) {
  JobProfile job = EmptyJob(1, 1);
  AddPath(job, "solve");
  Set(job, 0, metric::kInstructions, {600}, "counting");
  EXPECT_FALSE(InMpiInstructions(job, 0));
  Set(job, 0, InMpi(metric::kInstructionsApart), {300}, "counting");
  Set(job, 0, InRuntime(metric::kInstructionsApart), {100}, "counting");
  EXPECT_DOUBLE_EQ(*InMpiInstructions(job, 0), 0.3);
  EXPECT_DOUBLE_EQ(*InRuntimeInstructions(job, 0), 0.1);
  Set(job, 0, metric::kInstructions, {0}, "counting");
  Set(job, 0, InMpi(metric::kInstructionsApart), {0}, "counting");
  Set(job, 0, InRuntime(metric::kInstructionsApart), {0}, "counting");
  EXPECT_FALSE(InMpiInstructions(job, 0)) << "nothing was executed";
}

}  // namespace
}  // namespace roofmark
