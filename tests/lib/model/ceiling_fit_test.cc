// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/ceiling_fit.h"

#include <gtest/gtest.h>

#include "tests/lib/model/analyzed.h"

namespace roofmark {
namespace {

using test::CountedJob;
using test::JobOf;
using test::kGiga;
using test::Set;
using test::Spread;
using test::SpreadFlops;
using test::SpreadReads;

RegionInputs Inputs(const JobProfile& job) {
  const Machine machine = test::ModelMachine();
  return InputsOf(job, 0, test::ModelOf(machine, job.run));
}

TEST(CeilingFit, VectorsPassScalarCeilings) {
  const RegionInputs wide = Inputs(JobOf(Width::k256, FlopKind::kAdd, kGiga, 64));
  EXPECT_EQ(FitVectors(wide, 1).fit, CeilingFit::kPassed);
  EXPECT_EQ(FitVectors(wide, 1).proof.id, ProofId::kLanes);
  EXPECT_NEAR(FitVectors(wide, 1).proof.number, 4, 1e-9);
  EXPECT_EQ(FitVectors(wide, 4).fit, CeilingFit::kOpen);
  const RegionInputs scalar = Inputs(JobOf(Width::kScalar, FlopKind::kAdd, kGiga, 64));
  EXPECT_EQ(FitVectors(scalar, 1).fit, CeilingFit::kOpen);
}

TEST(CeilingFit, FusedOperationsPassCeilingsWithoutThem) {
  EXPECT_EQ(FitFused(Inputs(JobOf(Width::k256, FlopKind::kFma, kGiga, 64))).fit,
            CeilingFit::kPassed);
  EXPECT_EQ(FitFused(Inputs(JobOf(Width::k256, FlopKind::kAdd, kGiga, 64))).fit, CeilingFit::kOpen);
}

TEST(CeilingFit, WhatCountersDoNotTellStaysOpen) {
  JobProfile job = CountedJob();
  for (MetricId m = 0; m < kFlopClasses; ++m) {
    job.sources[m] = {"", Status::kUnsupported, "not on this CPU"};
    job.At(0, m) = Cell();
  }
  Set(job, 0, WholeFlops(WholePrecision::kDouble), {kGiga, kGiga}, "perf_event");
  const RegionInputs region = Inputs(job);
  EXPECT_EQ(FitVectors(region, 1).fit, CeilingFit::kOpen);
  EXPECT_EQ(FitFused(region).fit, CeilingFit::kOpen);
  EXPECT_EQ(FitDivisions(region).fit, CeilingFit::kOpen);
}

TEST(CeilingFit, AMixOfInstructionsPassesLeanerMixes) {
  JobProfile job = JobOf(Width::k256, FlopKind::kFma, 8 * kGiga, 64);  // 1e9 instructions
  Spread(job, metric::kInstructions, 3 * kGiga);
  const RegionInputs region = Inputs(job);
  EXPECT_EQ(FitFpShare(region, 1 / 4.0).fit, CeilingFit::kPassed);
  EXPECT_EQ(FitFpShare(region, 1 / 2.0).fit, CeilingFit::kOpen);
}

TEST(CeilingFit, BalancePassesCeilingsOfFewerCores) {
  JobProfile job = CountedJob(1, 2);
  SpreadFlops(job, Width::k256, FlopKind::kFma, 4 * kGiga);
  SpreadReads(job, 640);
  EXPECT_EQ(FitCores(Inputs(job), 0.5).fit, CeilingFit::kPassed);
  EXPECT_EQ(FitTrafficCores(Inputs(job), 0.5).fit, CeilingFit::kPassed);
  Set(job, 0, metric::kWorkerFlopsMax, {4 * kGiga});
  Set(job, 0, metric::kWorkerBytesMax, {640});
  EXPECT_EQ(FitCores(Inputs(job), 0.5).fit, CeilingFit::kOpen);
  EXPECT_EQ(FitTrafficCores(Inputs(job), 0.5).fit, CeilingFit::kOpen);
}

TEST(CeilingFit, TheDivisionsCeilingIsOfCodeMadeOfThem) {
  EXPECT_EQ(FitDivisions(Inputs(JobOf(Width::k256, FlopKind::kAdd, kGiga, 64))).fit,
            CeilingFit::kForeign);
  EXPECT_EQ(FitDivisions(Inputs(JobOf(Width::k256, FlopKind::kDiv, kGiga, 64))).fit,
            CeilingFit::kOpen);
}

TEST(CeilingFit, BandwidthsAreOfAMixtureOfReadsAndWrites) {
  const auto fits = [](const JobProfile& job) {
    const RegionInputs region = Inputs(job);
    std::string open;
    for (const auto& [mix, letter] : {std::pair{TrafficMix::kReads, 'r'},
                                      {TrafficMix::kOrdinaryStores, 's'},
                                      {TrafficMix::kNonTemporalStores, 'n'}}) {
      if (FitTraffic(region, mix).fit == CeilingFit::kOpen) open += letter;
    }
    return open;
  };
  JobProfile job = JobOf(Width::k256, FlopKind::kAdd, kGiga, 10 * kGiga);
  EXPECT_EQ(fits(job), "r");
  Spread(job, metric::kDramWriteBytes, 5 * kGiga);
  EXPECT_EQ(fits(job), "s");
  Spread(job, metric::kDramNtBytes, 5 * kGiga);
  EXPECT_EQ(fits(job), "n");
  const Proof proof = FitTraffic(Inputs(job), TrafficMix::kReads).proof;
  EXPECT_EQ(proof.id, ProofId::kReadsPastCaches);
  EXPECT_NEAR(proof.number, 2.0 / 3, 1e-9);
  // Controllers that count reads and writes together tell nothing.
  Set(job, 0, metric::kPackageDramBytes, {15 * kGiga}, "perf_event");
  EXPECT_EQ(fits(job), "rsn");
}

TEST(CeilingFit, EitherIsEnough) {
  const Fit passed = {CeilingFit::kPassed, {ProofId::kLanes, 4}};
  EXPECT_EQ(Either({}, passed).proof.id, ProofId::kLanes);
  EXPECT_EQ(Either(passed, {}).proof.id, ProofId::kLanes);
  EXPECT_EQ(Either({}, {}).fit, CeilingFit::kOpen);
}

// Reads come no faster than any mixture has delivered them, whatever the roof.
TEST(CeilingFit, AStreamOfReadsIsHeldAgainstReading) {
  Machine machine = test::ModelMachine();
  machine.ceilings.push_back(test::MakeCeiling("bandwidth.DRAM.copy", "copy", 20, 1.5));
  const JobProfile job = JobOf(Width::k256, FlopKind::kAdd, 3 * kGiga, 30 * kGiga);
  const PathAnalysis path = test::Analyzed(job, machine);
  EXPECT_NEAR(*path.bound.attainable_gflops, 6, 1e-9);  // the roof: copy's 60 GB/s of traffic
  EXPECT_NEAR(*path.runtime.attainable, 4, 1e-9);       // copy's 40 GB/s of reads
  EXPECT_NEAR(path.runtime.ideal_gbs, 40, 1e-9);
}

}  // namespace
}  // namespace roofmark
