// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

// 256-bit additions and loads of a region that took one second.
PathAnalysis Region(uint64_t flops, uint64_t bytes) {
  const Machine machine = ModelMachine();
  JobProfile job = CountedJob();
  SpreadFlops(job, Width::k256, FlopKind::kAdd, flops);
  SpreadReads(job, bytes);
  return Analyze(job, &machine).paths.at(0);
}

// 12 GB/s lie between lines in random order (6) and one core's traffic (20).
TEST(Verdict, MemoryCeilingsSandwichAStream) {
  const Verdict verdict = Region(kGiga, 12 * kGiga).verdict;
  ASSERT_TRUE(verdict.above && verdict.below);
  EXPECT_EQ(verdict.above->ceiling.name, "thread parallelism only");  // 1 GFLOP/s
  // Half of the cores that add one number at a time beats lines in random order.
  EXPECT_EQ(verdict.below->ceiling.name, "1/2 of the cores, thread parallelism only");
  EXPECT_DOUBLE_EQ(verdict.below->gflops, 0.5);
  EXPECT_NEAR(*verdict.dram_gbs, 12, 1e-9);
}

TEST(Verdict, TheCeilingAboveNamesTheLimiter) {
  const Verdict verdict = Region(2 * kGiga, 12 * kGiga).verdict;
  ASSERT_TRUE(verdict.above && verdict.below);
  EXPECT_EQ(verdict.above->ceiling.name, "DRAM from 1/2 of the cores");
  EXPECT_DOUBLE_EQ(verdict.above->ceiling.value, 20);
  EXPECT_EQ(verdict.limiter, "memory");
  EXPECT_EQ(verdict.below->ceiling.name, "thread parallelism only");
}

TEST(Verdict, ComputeCeilingsSandwichADenseLoop) {
  const Verdict verdict = Region(20 * kGiga, kGiga).verdict;
  ASSERT_TRUE(verdict.above && verdict.below);
  EXPECT_NEAR(verdict.above->gflops, 32, 1e-9);
  EXPECT_EQ(verdict.limiter, "compute");
  EXPECT_NEAR(verdict.below->gflops, 16, 1e-9);
  EXPECT_EQ(verdict.below->ceiling.name, "1/8 of instructions FP");
  EXPECT_NEAR(*verdict.ridge_point, 32.0 / 30, 1e-9);  // of the roof without FMA
}

// Figure 2c: left of 1/30 FLOP/byte only memory counts, right of 64/6 only computation.
TEST(Verdict, OptimisationRegions) {
  EXPECT_EQ(Region(kGiga, 31 * kGiga).verdict.optimisation_region, "memory");
  EXPECT_EQ(Region(kGiga, 29 * kGiga).verdict.optimisation_region, "both");
  EXPECT_EQ(Region(10 * kGiga, kGiga).verdict.optimisation_region, "both");
  EXPECT_EQ(Region(11 * kGiga, kGiga).verdict.optimisation_region, "compute");
}

TEST(Verdict, EfficiencyAgainstTheFittingAndTheTopRoof) {
  const PathAnalysis path = Region(16 * kGiga, kGiga);
  EXPECT_NEAR(*path.efficiency, 0.5, 1e-9);
  EXPECT_NEAR(*path.verdict.no_fma_efficiency, 0.5, 1e-9);
  EXPECT_NEAR(*path.verdict.top_attainable_gflops, 64, 1e-9);
  EXPECT_NEAR(*path.verdict.top_efficiency, 0.25, 1e-9);
}

TEST(Verdict, CanonicalBesideMeasured) {
  const Machine machine = ModelMachine();
  JobProfile job = CountedJob();
  SpreadFlops(job, Width::k256, FlopKind::kAdd, 12 * kGiga);
  SpreadReads(job, kGiga);
  Spread(job, metric::kDeclaredFlops, 10 * kGiga);
  const Verdict verdict = Analyze(job, &machine).paths.at(0).verdict;
  EXPECT_NEAR(*verdict.canonical_gflops, 10, 1e-9);
  EXPECT_NEAR(*verdict.measured_over_canonical, 1.2, 1e-9);
}

TEST(Verdict, EachLevelsIntercept) {
  const Machine machine = ModelMachine();
  JobProfile job = CountedJob();
  SpreadFlops(job, Width::k256, FlopKind::kAdd, 12 * kGiga);
  SpreadReads(job, 6 * kGiga);
  Spread(job, metric::kL1ReadBytes, 24 * kGiga);  // crosses from L2
  const PathAnalysis path = Analyze(job, &machine).paths.at(0);
  EXPECT_NEAR(*path.verdict.level_gflops[0], 2 * 800, 1e-6);  // 6 GB of loads at 800 GB/s
  EXPECT_NEAR(*path.verdict.level_gflops[1], 0.5 * 400, 1e-6);
  EXPECT_NEAR(*path.verdict.level_gflops[3], 2 * 30, 1e-9);
  EXPECT_THAT(path.verdict.level_gflops[2].reason, HasSubstr("no byte moved"));
}

}  // namespace
}  // namespace roofmark
