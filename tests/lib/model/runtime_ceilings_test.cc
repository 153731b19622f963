// SPDX-License-Identifier: BSD-3-Clause
//
// Known answers: every figure follows by hand from model_machine.h.
#include "lib/model/runtime_ceilings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/report/advice_words.h"
#include "lib/report/deed_words.h"
#include "tests/lib/model/analyzed.h"

namespace roofmark {
namespace {

using test::AnalyzedSlow;
using test::CountedJob;
using test::ExpectCeiling;
using test::First;
using test::JobOf;
using test::kGiga;
using test::ModelMachine;
using test::Of;
using test::Set;
using test::Spread;
using test::SpreadFlops;
using test::SpreadReads;
using ::testing::HasSubstr;

TEST(RuntimeCeilings, ScalarAdditions) {
  JobProfile job = JobOf(Width::kScalar, FlopKind::kAdd, 4 * kGiga, 64);
  const PathAnalysis path = AnalyzedSlow(job);
  EXPECT_NEAR(*path.runtime.attainable, 8, 1e-9);  // 2 cores x 4
  EXPECT_EQ(path.runtime.binding, "compute");
  ExpectCeiling(path, Shortfall::kFmaBalance, 32, 2);  // widest additions; scalar ones fused: 16
  ExpectCeiling(path, Shortfall::kSimd, 8, 4);
  ExpectCeiling(path, Shortfall::kDivides, 8, 1);
  ExpectCeiling(path, Shortfall::kThreadImbalance, 8, 1);
  EXPECT_EQ(First(path), "simd");
  EXPECT_EQ(AdviceSentence(*WorthCuring(path.runtime)[0], path.runtime),
            "Vectorise (1.0 of 4.0 lanes used): this region's work up to 4.0x faster");
  EXPECT_EQ(MovesSentence(path.runtime), "moving up makes this region's work at most 8.0x faster");
}

TEST(RuntimeCeilings, WideButNotFused) {
  JobProfile job = CountedJob();
  SpreadFlops(job, Width::k256, FlopKind::kAdd, 16 * kGiga);
  SpreadFlops(job, Width::k256, FlopKind::kMul, 16 * kGiga);
  SpreadReads(job, 64);
  const PathAnalysis path = AnalyzedSlow(job);
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
  for (CeilingCurve& ceiling : machine.ceilings) {
    if (!ceiling.id.starts_with("compute.dp.muladd.256")) continue;
    for (MachinePoint& point : ceiling.curve) point.value *= 2;
  }
  const PathAnalysis path = AnalyzedSlow(job, machine);
  EXPECT_NEAR(*path.runtime.attainable, 64, 1e-9);
  // Additions alone do not gain from it.
  job = CountedJob();
  SpreadFlops(job, Width::k256, FlopKind::kAdd, 16 * kGiga);
  SpreadReads(job, 64);
  EXPECT_NEAR(*AnalyzedSlow(job, machine).runtime.attainable, 32, 1e-9);
}

// Fused operations that could share the time with additions: true of the peak, no compiler's work.
TEST(RuntimeCeilings, WhatIsFusedAlreadyIsNotToldToFuse) {
  JobProfile job = JobOf(Width::k256, FlopKind::kFma, 32 * kGiga, 64);
  Machine machine = ModelMachine();
  machine.ceilings.push_back(test::MakeCeiling("compute.dp.fmaadd.256", "fmaadd", 48));
  const PathAnalysis path = AnalyzedSlow(job, machine);
  const Ceiling& fma = Of(path, Shortfall::kFmaBalance);
  EXPECT_NEAR(*fma.gain.least, 1.5, 1e-9);
  EXPECT_EQ(EaseOf(fma), Ease::kAlgorithm);
  EXPECT_EQ(
      AdviceSentence(fma, path.runtime),
      "Let additions run beside the fused operations (100 % of the FLOPs are fused): this region's "
      "work up to 1.50x faster");
}

TEST(RuntimeCeilings, Divisions) {
  JobProfile job = CountedJob();
  SpreadFlops(job, Width::k256, FlopKind::kFma, 32 * kGiga);
  SpreadFlops(job, Width::k256, FlopKind::kDiv, 8 * kGiga);
  SpreadReads(job, 64);
  const PathAnalysis path = AnalyzedSlow(job);
  // The divider needs 8 / 4 = 2 s; without it the pipes need 32/64 + 8/32 = 0.75 s.
  EXPECT_NEAR(*path.runtime.attainable, 20, 1e-9);
  ExpectCeiling(path, Shortfall::kDivides, 20, 2 / 0.75);
  EXPECT_EQ(First(path), "divides");
  EXPECT_NEAR(*path.verdict.flops_at_cost, (32 + 8 * 8) * 1e9,
              1);  // one costs as 8 multiplications
}

TEST(RuntimeCeilings, InstructionsThatDoNoFlops) {
  JobProfile job = JobOf(Width::k256, FlopKind::kFma, 32 * kGiga, 64);  // 4e9 instructions
  Spread(job, metric::kInstructions, 33 * kGiga);
  Spread(job, metric::kBranchInstructions, kGiga);  // one with the comparison before it
  const PathAnalysis path = AnalyzedSlow(job);
  EXPECT_NEAR(*path.runtime.attainable, 16, 1e-9);  // 32 slots at 16 a ns: 2 s; pipes: 0.5 s
  ExpectCeiling(path, Shortfall::kInstructionMix, 16, 4);
  EXPECT_NEAR(*Of(path, Shortfall::kInstructionMix).extent, 0.125, 1e-9);
  EXPECT_EQ(First(path), "instruction_mix");
}

// Hardware counters that ran on while ranks and threads waited: how many of the instructions were
// executed meanwhile is not known, so what they cost is between nothing and all.
TEST(RuntimeCeilings, InstructionsThatMayBeWaiting) {
  JobProfile job = JobOf(Width::k256, FlopKind::kFma, 32 * kGiga, 64);
  Spread(job, metric::kInstructions, 33 * kGiga);
  Spread(job, metric::kBranchInstructions, kGiga);
  for (const MetricId apart :
       {InMpi(metric::kInstructionsApart), InRuntime(metric::kInstructionsApart)}) {
    JobProfile untold = job;
    Set(untold, 0, metric::kWorkers, {2, 2});
    untold.At(0, apart) = Cell{};
    ASSERT_TRUE(MayCountWaiting(untold, 0));
    const PathAnalysis path = AnalyzedSlow(untold);
    EXPECT_NEAR(*path.runtime.attainable, 64, 1e-9) << "the pipes' 0.5 s";
    const Ceiling mix = Of(path, Shortfall::kInstructionMix);
    EXPECT_NEAR(*mix.gain.least, 1, 1e-9);
    EXPECT_NEAR(mix.gain.most, 4, 1e-9);
  }
  EXPECT_FALSE(MayCountWaiting(job, 0));
}

// Vectorised loops have fewer loads, stores and jumps too.
TEST(RuntimeCeilings, WiderRegistersShedOtherInstructions) {
  JobProfile job = JobOf(Width::kScalar, FlopKind::kAdd, 8 * kGiga, 64);
  Spread(job, metric::kInstructions, 32 * kGiga);
  const PathAnalysis path = AnalyzedSlow(job);
  EXPECT_NEAR(*path.runtime.attainable, 4, 1e-9);  // 2 s of issue
  ExpectCeiling(path, Shortfall::kSimd, 8, 4);
  EXPECT_EQ(First(path), "simd");
}

TEST(RuntimeCeilings, OneThreadDoesAll) {
  JobProfile job = CountedJob(1, 2);
  SpreadFlops(job, Width::k256, FlopKind::kFma, 32 * kGiga);
  Set(job, 0, metric::kFlops, {32 * kGiga});
  SpreadReads(job, 640);
  Set(job, 0, metric::kWorkerFlopsMax, {32 * kGiga});
  Set(job, 0, metric::kWorkerBytesMax, {640});
  const PathAnalysis path = AnalyzedSlow(job);
  EXPECT_NEAR(*path.runtime.attainable, 32, 1e-9);
  ExpectCeiling(path, Shortfall::kThreadImbalance, 32, 2);
  ExpectCeiling(path, Shortfall::kRankImbalance, 32, 1);
  EXPECT_EQ(First(path), "thread_imbalance");
}

TEST(RuntimeCeilings, OneRankDoesAll) {
  JobProfile job = CountedJob(2, 1);
  SpreadReads(job, 640);
  Set(job, 0, test::kDp256Fma, {32 * kGiga, 0});
  Set(job, 0, metric::kWorkerFlopsMax, {32 * kGiga, 0});
  const PathAnalysis path = AnalyzedSlow(job);
  ExpectCeiling(path, Shortfall::kThreadImbalance, 64, 1);
  ExpectCeiling(path, Shortfall::kRankImbalance, 32, 2);
  EXPECT_EQ(First(path), "rank_imbalance");
}

// The same FLOPs on both ranks, but one needs all the time and the other waits for it inside MPI.
TEST(RuntimeCeilings, OneRankWaitsForTheOther) {
  JobProfile job = CountedJob(2, 1);
  SpreadReads(job, 640);
  Set(job, 0, test::kDp256Fma, {16 * kGiga, 16 * kGiga});
  Set(job, 0, metric::kWorkerFlopsMax, {16 * kGiga, 16 * kGiga});
  ExpectCeiling(AnalyzedSlow(job), Shortfall::kRankImbalance, 64, 1);
  Set(job, 0, metric::kTimeNs, {kGiga, kGiga}, "timer");
  Set(job, 0, metric::kOutsideMpiNs, {kGiga, 0}, "mpi_wait");
  const PathAnalysis path = AnalyzedSlow(job);
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
  const Interval gain = Of(AnalyzedSlow(job), Shortfall::kThreadImbalance).gain;
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
  Set(job, 0, test::kDp256Fma, {24 * kGiga, 8 * kGiga});
  Set(job, 0, metric::kFlops, {24 * kGiga, 8 * kGiga});
  Set(job, 0, metric::kWorkerFlopsMax, {24 * kGiga, 4 * kGiga});
  const PathAnalysis path = AnalyzedSlow(job);
  // As it is 3x the mean of 8; even threads 1.5x; even ranks (24 + 4) / 2 = 14, 1.75x.
  EXPECT_NEAR(*Of(path, Shortfall::kThreadImbalance).gain.least, 3 / 1.5, 1e-9);
  EXPECT_NEAR(*Of(path, Shortfall::kRankImbalance).gain.least, 3 / 1.75, 1e-9);
}

TEST(RuntimeCeilings, AClockThatFallsWithCoresTempersImbalance) {
  Machine machine = ModelMachine();
  for (CeilingCurve& ceiling : machine.ceilings) {
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

// Of 4e9 cycles of two cores in a second, half were stalled on memory.
TEST(RuntimeCeilings, CyclesTellDependenciesAndLatency) {
  JobProfile job = JobOf(Width::k256, FlopKind::kFma, 16 * kGiga,
                         6 * kGiga);  // 0.25 s of the pipes // 0.2 s of DRAM
  Spread(job, metric::kCycles, 4 * kGiga);
  Spread(job, metric::kMemoryStallCycles, 2 * kGiga);
  const PathAnalysis path = AnalyzedSlow(job);
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
  const PathAnalysis path = AnalyzedSlow(job);
  EXPECT_NEAR(*path.runtime.attainable, 32, 1e-9);  // all fused, 128 bits wide
  const Ceiling& fma = Of(path, Shortfall::kFmaBalance);
  EXPECT_NEAR(*fma.gain.least, 1, 1e-9);
  EXPECT_NEAR(fma.gain.most, 2, 1e-9);
  EXPECT_NEAR(*fma.height.least, 32, 1e-9);
  EXPECT_NEAR(fma.height.most, 64, 1e-9);
  EXPECT_NEAR(*Of(path, Shortfall::kSimd).gain.least, 2, 1e-9);
  EXPECT_EQ(Of(path, Shortfall::kDivides).height.least.reason, Reason::kDivisionsNotTold);
  EXPECT_THAT(AdviceSentence(fma, path.runtime),
              HasSubstr("this region's work 1.00x to 2.0x faster"));
}

TEST(RuntimeCeilings, MissingInputsSayWhy) {
  JobProfile job = JobOf(Width::kScalar, FlopKind::kAdd, kGiga, 64);
  const PathAnalysis path = AnalyzedSlow(job);
  for (const Shortfall s :
       {Shortfall::kIlp, Shortfall::kPrefetch, Shortfall::kAffinity, Shortfall::kControllers}) {
    EXPECT_FALSE(Of(path, s).height.least);
    EXPECT_FALSE(Of(path, s).height.least.reason.empty()) << InfoOf(s).name;
    EXPECT_EQ(Of(path, s).rank, 0);
  }
  Machine machine = ModelMachine();
  std::erase_if(machine.ceilings, [](const CeilingCurve& c) { return c.id.starts_with("mix."); });
  EXPECT_EQ(Of(AnalyzedSlow(job, machine), Shortfall::kInstructionMix).height.least.reason,
            Reason::kNoInstructionMixes);
}

TEST(RuntimeCeilings, OperationsInPlaceOfFlops) {
  JobProfile job = CountedJob();
  SpreadReads(job, 15 * kGiga);
  Spread(job, metric::kInstructions, 4 * kGiga);
  Spread(job, metric::kDeclaredOperations, 2 * kGiga);
  const PathAnalysis path = AnalyzedSlow(job);
  EXPECT_EQ(path.runtime.unit, "operation");
  EXPECT_NEAR(*path.runtime.attainable, 4, 1e-9);  // 0.5 s of DRAM
  EXPECT_NEAR(*path.operation_rate, 0.002, 1e-9);
  EXPECT_EQ(path.runtime.binding, "DRAM");
  EXPECT_EQ(Of(path, Shortfall::kSimd).height.least.reason, Reason::kNoFlops);
}

}  // namespace
}  // namespace roofmark
