// SPDX-License-Identifier: BSD-3-Clause
//
// Known answers: every figure follows by hand from model_machine.h.
#include "lib/model/runtime_ceilings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/model/advice.h"
#include "lib/model/analysis.h"
#include "tests/lib/model/model_machine.h"

namespace roofmark {
namespace {

using testing::CountedJob;
using ::testing::HasSubstr;
using testing::ModelMachine;
using testing::Set;
using testing::Spread;
using testing::SpreadFlops;
using testing::SpreadReads;

constexpr uint64_t kGiga = 1'000'000'000;

PathAnalysis Analyzed(const JobProfile& job) {
  const Machine machine = ModelMachine();
  return Analyze(job, &machine).paths.at(0);
}

const RuntimeCeiling& Of(const PathAnalysis& path, Shortfall shortfall) {
  return path.runtime.ceilings.at(Index(shortfall));
}

void ExpectCeiling(const PathAnalysis& path, Shortfall shortfall, double height, double gain) {
  const RuntimeCeiling& ceiling = Of(path, shortfall);
  ASSERT_TRUE(ceiling.height.least) << ceiling.height.least.reason;
  EXPECT_NEAR(*ceiling.height.least, height, 1e-6 * height) << InfoOf(shortfall).id;
  EXPECT_NEAR(*ceiling.gain.least, gain, 1e-6) << InfoOf(shortfall).id;
}

std::string First(const PathAnalysis& path) {
  const auto ranked = WorthCuring(path.runtime);
  return ranked.empty() ? "" : std::string(InfoOf(ranked[0]->shortfall).id);
}

TEST(RuntimeCeilings, ScalarAdditions) {
  JobProfile job = CountedJob();
  SpreadFlops(job, Width::kScalar, FlopKind::kAdd, 4 * kGiga);
  SpreadReads(job, 64);
  const PathAnalysis path = Analyzed(job);
  EXPECT_NEAR(*path.runtime.attainable, 8, 1e-9);  // 2 cores x 4
  EXPECT_EQ(path.runtime.binding, "compute");
  ExpectCeiling(path, Shortfall::kFmaBalance, 32, 2);  // widest additions; scalar ones fused: 16
  ExpectCeiling(path, Shortfall::kSimd, 8, 4);
  ExpectCeiling(path, Shortfall::kDivides, 8, 1);
  ExpectCeiling(path, Shortfall::kThreadImbalance, 8, 1);
  EXPECT_EQ(First(path), "simd");
  EXPECT_EQ(AdviceSentence(*WorthCuring(path.runtime)[0], path.runtime),
            "SIMD: 1.0 of 4.0 lanes used; vectorising is worth up to 4.0x");
  EXPECT_EQ(MovesSentence(path.runtime),
            "compute binds; moving right (more FLOPs per byte) is worth at most 1.00x, moving up "
            "at most 8.0x");
}

TEST(RuntimeCeilings, WideButNotFused) {
  JobProfile job = CountedJob();
  SpreadFlops(job, Width::k256, FlopKind::kAdd, 16 * kGiga);
  SpreadFlops(job, Width::k256, FlopKind::kMul, 16 * kGiga);
  SpreadReads(job, 64);
  const PathAnalysis path = Analyzed(job);
  EXPECT_NEAR(*path.runtime.attainable, 32, 1e-9);
  ExpectCeiling(path, Shortfall::kFmaBalance, 32, 2);
  ExpectCeiling(path, Shortfall::kSimd, 32, 1);
  EXPECT_EQ(First(path), "fma_balance");
}

TEST(RuntimeCeilings, PipesThatOnlyAddLetAdditionsPassBesideMultiplications) {
  JobProfile job = CountedJob();
  SpreadFlops(job, Width::k256, FlopKind::kAdd, 16 * kGiga);
  SpreadFlops(job, Width::k256, FlopKind::kMul, 16 * kGiga);
  SpreadReads(job, 64);
  Machine machine = ModelMachine();
  for (Ceiling& ceiling : machine.ceilings) {
    if (!ceiling.id.starts_with("compute.dp.muladd.256")) continue;
    for (MachinePoint& point : ceiling.curve) point.value *= 2;
  }
  const PathAnalysis path = Analyze(job, &machine).paths.at(0);
  EXPECT_NEAR(*path.runtime.attainable, 64, 1e-9);
  // Additions alone do not gain from it.
  job = CountedJob();
  SpreadFlops(job, Width::k256, FlopKind::kAdd, 16 * kGiga);
  SpreadReads(job, 64);
  EXPECT_NEAR(*Analyze(job, &machine).paths.at(0).runtime.attainable, 32, 1e-9);
}

// Fused operations that could share the time with additions: true of the peak, no compiler's work.
TEST(RuntimeCeilings, WhatIsFusedAlreadyIsNotToldToFuse) {
  JobProfile job = CountedJob();
  SpreadFlops(job, Width::k256, FlopKind::kFma, 32 * kGiga);
  SpreadReads(job, 64);
  Machine machine = ModelMachine();
  machine.ceilings.push_back(testing::MakeCeiling("compute.dp.fmaadd.256", "fmaadd", 48));
  const PathAnalysis path = Analyze(job, &machine).paths.at(0);
  const RuntimeCeiling& fma = Of(path, Shortfall::kFmaBalance);
  EXPECT_NEAR(*fma.gain.least, 1.5, 1e-9);
  EXPECT_EQ(EaseOf(fma), Ease::kAlgorithm);
  EXPECT_EQ(AdviceSentence(fma, path.runtime),
            "FMA: 100 % of the FLOPs are fused; additions beside them, which have pipes of their "
            "own, are worth up to 1.50x");
}

TEST(RuntimeCeilings, Divisions) {
  JobProfile job = CountedJob();
  SpreadFlops(job, Width::k256, FlopKind::kFma, 32 * kGiga);
  SpreadFlops(job, Width::k256, FlopKind::kDiv, 8 * kGiga);
  SpreadReads(job, 64);
  const PathAnalysis path = Analyzed(job);
  // The divider needs 8 / 4 = 2 s; without it the pipes need 32/64 + 8/32 = 0.75 s.
  EXPECT_NEAR(*path.runtime.attainable, 20, 1e-9);
  ExpectCeiling(path, Shortfall::kDivides, 20, 2 / 0.75);
  EXPECT_EQ(First(path), "divides");
  EXPECT_NEAR(*path.verdict.flops_at_cost, (32 + 8 * 8) * 1e9,
              1);  // one costs as 8 multiplications
}

TEST(RuntimeCeilings, InstructionsThatDoNoFlops) {
  JobProfile job = CountedJob();
  SpreadFlops(job, Width::k256, FlopKind::kFma, 32 * kGiga);  // 4e9 instructions
  SpreadReads(job, 64);
  Spread(job, metric::kInstructions, 33 * kGiga);
  Spread(job, metric::kBranchInstructions, kGiga);  // one with the comparison before it
  const PathAnalysis path = Analyzed(job);
  EXPECT_NEAR(*path.runtime.attainable, 16, 1e-9);  // 32 slots at 16 a ns: 2 s; pipes: 0.5 s
  ExpectCeiling(path, Shortfall::kInstructionMix, 16, 4);
  EXPECT_NEAR(*Of(path, Shortfall::kInstructionMix).extent, 0.125, 1e-9);
  EXPECT_EQ(First(path), "instruction_mix");
}

// Vectorised loops have fewer loads, stores and jumps too.
TEST(RuntimeCeilings, WiderRegistersShedOtherInstructions) {
  JobProfile job = CountedJob();
  SpreadFlops(job, Width::kScalar, FlopKind::kAdd, 8 * kGiga);
  SpreadReads(job, 64);
  Spread(job, metric::kInstructions, 32 * kGiga);
  const PathAnalysis path = Analyzed(job);
  EXPECT_NEAR(*path.runtime.attainable, 4, 1e-9);  // 2 s of issue
  ExpectCeiling(path, Shortfall::kSimd, 8, 4);
  EXPECT_EQ(First(path), "simd");
}

TEST(RuntimeCeilings, OneThreadDoesAll) {
  JobProfile job = CountedJob(1, 2);
  SpreadFlops(job, Width::k256, FlopKind::kFma, 32 * kGiga);
  SpreadReads(job, 640);
  Set(job, 0, metric::kWorkerFlopsMax, {32 * kGiga});
  Set(job, 0, metric::kWorkerBytesMax, {640});
  const PathAnalysis path = Analyzed(job);
  EXPECT_NEAR(*path.runtime.attainable, 32, 1e-9);
  ExpectCeiling(path, Shortfall::kThreadImbalance, 32, 2);
  ExpectCeiling(path, Shortfall::kRankImbalance, 32, 1);
  EXPECT_EQ(First(path), "thread_imbalance");
}

TEST(RuntimeCeilings, OneRankDoesAll) {
  JobProfile job = CountedJob(2, 1);
  SpreadReads(job, 640);
  Set(job, 0, testing::kDp256Fma, {32 * kGiga, 0});
  Set(job, 0, metric::kWorkerFlopsMax, {32 * kGiga, 0});
  const PathAnalysis path = Analyzed(job);
  ExpectCeiling(path, Shortfall::kThreadImbalance, 64, 1);
  ExpectCeiling(path, Shortfall::kRankImbalance, 32, 2);
  EXPECT_EQ(First(path), "rank_imbalance");
}

// What else the busiest executes is not known: surely its FLOPs, at most its part of all.
TEST(RuntimeCeilings, ImbalanceOfAMixedRegionIsAnInterval) {
  JobProfile job = CountedJob(1, 2);
  SpreadFlops(job, Width::k256, FlopKind::kFma, 32 * kGiga);  // 0.5 s, or 1 s of one core
  SpreadReads(job, 640);
  Spread(job, metric::kInstructions, 8 * kGiga);  // 0.5 s
  Set(job, 0, metric::kWorkerFlopsMax, {24 * kGiga});
  Spread(job, FlopMetric(Precision::kDouble, Width::k256, FlopKind::kAdd), 16 * kGiga);
  Set(job, 0, metric::kWorkerFlopsMax, {32 * kGiga});
  const Interval& gain = Of(Analyzed(job), Shortfall::kThreadImbalance).gain;
  // 48e9 FLOPs, balanced 1 s. The busiest has 2/3 of them: all fused 1 s of its core, or of the
  // mix 4/3 s.
  EXPECT_NEAR(*gain.least, 1, 1e-9);
  EXPECT_NEAR(gain.most, 4.0 / 3, 1e-9);
}

// Two ranks of two threads: rank 0 does 3 of 4 parts, of which one thread does all.
TEST(RuntimeCeilings, ImbalanceWithinAndBetweenRanks) {
  JobProfile job = CountedJob(2, 2);
  job.run.hosts = {{"a", 1, "0-1", 2}, {"b", 1, "0-1", 2}};
  SpreadReads(job, 640);
  Set(job, 0, testing::kDp256Fma, {24 * kGiga, 8 * kGiga});
  Set(job, 0, metric::kWorkerFlopsMax, {24 * kGiga, 4 * kGiga});
  const PathAnalysis path = Analyzed(job);
  // As it is 3x the mean of 8; even threads 1.5x; even ranks (24 + 4) / 2 = 14, 1.75x.
  EXPECT_NEAR(*Of(path, Shortfall::kThreadImbalance).gain.least, 3 / 1.5, 1e-9);
  EXPECT_NEAR(*Of(path, Shortfall::kRankImbalance).gain.least, 3 / 1.75, 1e-9);
}

TEST(RuntimeCeilings, AClockThatFallsWithCoresTempersImbalance) {
  Machine machine = ModelMachine();
  for (Ceiling& ceiling : machine.ceilings) {
    if (ceiling.id != "compute.dp.peak") continue;
    ceiling.curve[1].value = 48;  // both cores at three quarters of one's clock
  }
  const JobProfile job = CountedJob();
  const UnitRates rates(machine, ActiveHosts(machine, job.run));
  EXPECT_DOUBLE_EQ(rates.scaling, 0.75);
  EXPECT_DOUBLE_EQ(ImbalanceFactor(1, 2, rates), 1);
  EXPECT_DOUBLE_EQ(ImbalanceFactor(2, 2, rates), 1.5);           // one does all: 2 x 0.75
  EXPECT_DOUBLE_EQ(ImbalanceFactor(1.5, 2, rates), 0.5 + 0.75);  // half the time with both
  EXPECT_DOUBLE_EQ(ImbalanceFactor(2, 4, rates), 1);             // four workers on two cores
}

TEST(RuntimeCeilings, MemoryTrafficOfOneCore) {
  JobProfile job = CountedJob(1, 2);
  SpreadFlops(job, Width::k256, FlopKind::kFma, kGiga);
  SpreadReads(job, 30 * kGiga);
  Set(job, 0, metric::kWorkerBytesMax, {30 * kGiga});
  const PathAnalysis path = Analyzed(job);
  EXPECT_EQ(path.runtime.binding, "DRAM");
  ExpectCeiling(path, Shortfall::kConcurrency, 20, 1.5);
  EXPECT_NEAR(*Of(path, Shortfall::kConcurrency).extent, 0.5, 1e-9);
  EXPECT_EQ(First(path), "concurrency");  // the FLOPs are balanced
  // One thread does all: then that is the cause.
  Set(job, 0, metric::kWorkerFlopsMax, {kGiga});
  EXPECT_EQ(First(Analyzed(job)), "thread_imbalance");
}

TEST(RuntimeCeilings, StoresThatFetchWhatTheyOverwrite) {
  JobProfile job = CountedJob();
  SpreadFlops(job, Width::k256, FlopKind::kFma, 2 * kGiga);
  SpreadReads(job, 16 * kGiga);  // loaded
  Spread(job, metric::kDramReadBytes, 24 * kGiga);
  Spread(job, metric::kDramWriteBytes, 8 * kGiga);
  Spread(job, metric::kStoreBytes, 8 * kGiga);
  Spread(job, metric::kStoreFillBytes, 8 * kGiga);
  const PathAnalysis path = Analyzed(job);
  ExpectCeiling(path, Shortfall::kWriteAllocate, 2.0 / 32, 32.0 / 24);
  EXPECT_EQ(First(path), "write_allocate");
  // Lines that were loaded before they were stored to had to be fetched.
  Spread(job, metric::kStoreFillBytes, 0);
  EXPECT_EQ(First(Analyzed(job)), "");
}

TEST(RuntimeCeilings, WithoutFetchesOfStoresWriteAllocateIsAnInterval) {
  JobProfile job = CountedJob();
  SpreadFlops(job, Width::k256, FlopKind::kFma, 2 * kGiga);
  SpreadReads(job, 20 * kGiga);  // 4 of the 24 read cannot have been loaded
  Spread(job, metric::kDramReadBytes, 24 * kGiga);
  Spread(job, metric::kDramWriteBytes, 8 * kGiga);
  Spread(job, metric::kStoreBytes, 8 * kGiga);
  job.At(0, metric::kStoreFillBytes) = Cell();
  job.sources[metric::kStoreFillBytes] = {"", Status::kUnsupported, "not counted"};
  const PathAnalysis path = Analyzed(job);
  const Interval& gain = Of(path, Shortfall::kWriteAllocate).gain;
  EXPECT_NEAR(*gain.least, 32.0 / 28, 1e-9);
  EXPECT_NEAR(gain.most, 32.0 / 24, 1e-9);
}

TEST(RuntimeCeilings, MissesByCause) {
  JobProfile job = CountedJob();
  SpreadFlops(job, Width::k256, FlopKind::kFma, 3 * kGiga);
  SpreadReads(job, 30 * kGiga);
  Spread(job, metric::kMissesCompulsory, 10 * kGiga / 64);
  Spread(job, metric::kMissesConflict, 20 * kGiga / 64);
  PathAnalysis path = Analyzed(job);
  ExpectCeiling(path, Shortfall::kWriteAllocate, 0.3, 1);  // compulsory traffic only: 10 GB
  ExpectCeiling(path, Shortfall::kCapacity, 0.3, 1);
  ExpectCeiling(path, Shortfall::kConflict, 0.1, 3);
  EXPECT_EQ(First(path), "conflict");
  std::swap(job.At(0, metric::kMissesConflict), job.At(0, metric::kMissesCapacity));
  path = Analyzed(job);
  ExpectCeiling(path, Shortfall::kCapacity, 0.1, 3);
  EXPECT_EQ(First(path), "capacity");
}

// Padding is a small change, reuse over sweeps an algorithm.
TEST(RuntimeCeilings, EqualGainsAreOrderedByEase) {
  JobProfile job = CountedJob();
  SpreadFlops(job, Width::k256, FlopKind::kFma, 3 * kGiga);
  SpreadReads(job, 30 * kGiga);
  Spread(job, metric::kMissesCapacity, 10 * kGiga / 64);
  Spread(job, metric::kMissesCompulsory, 10 * kGiga / 64);
  Spread(job, metric::kMissesConflict, 10 * kGiga / 64);
  const PathAnalysis path = Analyzed(job);
  EXPECT_EQ(First(path), "conflict");
  EXPECT_EQ(Of(path, Shortfall::kCapacity).rank, 2);
}

// Package counters of a two-node machine: all pages lie on one node.
TEST(RuntimeCeilings, PagesOnOneNodeOfTwo) {
  Machine machine = ModelMachine();
  machine.packages = 2;
  machine.package_cpus = {"0", "1"};
  machine.ceilings.push_back(testing::MakeCeiling("bandwidth.DRAM.read_far", "far", 7.5));
  for (Ceiling& ceiling : machine.ceilings) ceiling.curve[1].packages = 2;
  JobProfile job = CountedJob();
  SpreadFlops(job, Width::k256, FlopKind::kFma, 3 * kGiga);
  SpreadReads(job, 30 * kGiga);
  Set(job, 0, metric::kPackageDramReadBytes, {30 * kGiga, 0}, "perf_event");
  Set(job, 0, metric::kPackageDramWriteBytes, {0, 0}, "perf_event");
  Set(job, 0, metric::kPackageControllers, {4, 4}, "perf_event");
  Set(job, 0, metric::kPackageControllerBytesMax, {7'500'000'000, 0}, "perf_event");
  PathAnalysis path = Analyze(job, &machine).paths.at(0);
  EXPECT_EQ(First(path), "affinity");
  ExpectCeiling(path, Shortfall::kAffinity, 15, 2);
  EXPECT_NEAR(*Of(path, Shortfall::kAffinity).extent, 0.5, 1e-9);
  ExpectCeiling(path, Shortfall::kControllers, 15, 1);
  // Spread over both, but each package's busiest controller has half of its traffic.
  Set(job, 0, metric::kPackageDramReadBytes, {15 * kGiga, 15 * kGiga}, "perf_event");
  Set(job, 0, metric::kPackageControllerBytesMax, {7'500'000'000, 7'500'000'000}, "perf_event");
  path = Analyze(job, &machine).paths.at(0);
  EXPECT_EQ(First(path), "controllers");
  ExpectCeiling(path, Shortfall::kControllers, 15, 2);
}

// Of 4e9 cycles of two cores in a second, half were stalled on memory.
TEST(RuntimeCeilings, CyclesTellDependenciesAndLatency) {
  JobProfile job = CountedJob();
  SpreadFlops(job, Width::k256, FlopKind::kFma, 16 * kGiga);  // 0.25 s of the pipes
  SpreadReads(job, 6 * kGiga);                                // 0.2 s of DRAM
  Spread(job, metric::kCycles, 4 * kGiga);
  Spread(job, metric::kMemoryStallCycles, 2 * kGiga);
  const PathAnalysis path = Analyzed(job);
  EXPECT_NEAR(*path.runtime.attainable, 16, 1e-9);   // all of the second is accounted for
  ExpectCeiling(path, Shortfall::kIlp, 32, 2);       // busy for 0.5 s; cured: 0.5 s of stalls
  ExpectCeiling(path, Shortfall::kPrefetch, 12, 2);  // 6 GB in 0.5 s
}

TEST(RuntimeCeilings, WhatIntelCountsLeavesTheFmaShareOpen) {
  JobProfile job = CountedJob();
  for (MetricId m = 0; m < kFlopClasses; ++m) {
    job.sources[m] = {"", Status::kUnsupported, "not on this CPU"};
    job.At(0, m) = Cell();
  }
  for (const Width width : {Width::kScalar, Width::k128, Width::k256, Width::k512}) {
    Set(job, 0, AnyKindFlops(Precision::kDouble, width), {0, 0}, "perf_event");
  }
  Set(job, 0, AnyKindFlops(Precision::kDouble, Width::k128), {8 * kGiga, 8 * kGiga}, "perf_event");
  SpreadReads(job, 64);
  const PathAnalysis path = Analyzed(job);
  EXPECT_NEAR(*path.runtime.attainable, 32, 1e-9);  // all fused, 128 bits wide
  const RuntimeCeiling& fma = Of(path, Shortfall::kFmaBalance);
  EXPECT_NEAR(*fma.gain.least, 1, 1e-9);
  EXPECT_NEAR(fma.gain.most, 2, 1e-9);
  EXPECT_NEAR(*fma.height.least, 32, 1e-9);
  EXPECT_NEAR(fma.height.most, 64, 1e-9);
  EXPECT_NEAR(*Of(path, Shortfall::kSimd).gain.least, 2, 1e-9);
  EXPECT_THAT(Of(path, Shortfall::kDivides).height.least.reason, HasSubstr("tell divisions apart"));
  EXPECT_THAT(AdviceSentence(fma, path.runtime), HasSubstr("is worth 1.00x to 2.0x"));
}

TEST(RuntimeCeilings, MissingInputsSayWhy) {
  JobProfile job = CountedJob();
  SpreadFlops(job, Width::kScalar, FlopKind::kAdd, kGiga);
  SpreadReads(job, 64);
  const PathAnalysis path = Analyzed(job);
  for (const Shortfall s :
       {Shortfall::kIlp, Shortfall::kPrefetch, Shortfall::kAffinity, Shortfall::kControllers}) {
    EXPECT_FALSE(Of(path, s).height.least);
    EXPECT_FALSE(Of(path, s).height.least.reason.empty()) << InfoOf(s).id;
    EXPECT_EQ(Of(path, s).rank, 0);
  }
  Machine machine = ModelMachine();
  std::erase_if(machine.ceilings, [](const Ceiling& c) { return c.id.starts_with("mix."); });
  EXPECT_THAT(Of(Analyze(job, &machine).paths[0], Shortfall::kInstructionMix).height.least.reason,
              HasSubstr("no instruction mixes"));
}

TEST(RuntimeCeilings, OperationsInPlaceOfFlops) {
  JobProfile job = CountedJob();
  SpreadReads(job, 15 * kGiga);
  Spread(job, metric::kInstructions, 4 * kGiga);
  Spread(job, metric::kDeclaredOperations, 2 * kGiga);
  const PathAnalysis path = Analyzed(job);
  EXPECT_EQ(path.runtime.unit, "operation");
  EXPECT_NEAR(*path.runtime.attainable, 4, 1e-9);  // 0.5 s of DRAM
  EXPECT_NEAR(*path.operation_rate, 2, 1e-9);
  EXPECT_EQ(path.runtime.binding, "DRAM");
  EXPECT_THAT(Of(path, Shortfall::kSimd).height.least.reason, HasSubstr("no floating-point"));
}

TEST(RuntimeCeilings, UnknownTrafficLeavesComputeGains) {
  JobProfile job = CountedJob();
  SpreadFlops(job, Width::kScalar, FlopKind::kAdd, 4 * kGiga);
  for (MetricId m = metric::kDramReadBytes; m <= metric::kDramDirtyBytes; ++m) {
    job.sources[m] = {"", Status::kDenied, "not permitted"};
    job.At(0, m) = Cell();
  }
  const PathAnalysis path = Analyzed(job);
  EXPECT_EQ(path.runtime.attainable.reason, "not permitted");
  EXPECT_NEAR(*Of(path, Shortfall::kSimd).gain.least, 4, 1e-9);
  EXPECT_THAT(path.runtime.note, HasSubstr("DRAM traffic is not known"));
}

}  // namespace
}  // namespace roofmark
