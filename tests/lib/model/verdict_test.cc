// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/report/words.h"
#include "tests/lib/model/analyzed.h"

namespace roofmark {
namespace {

using test::Analyzed;
using test::JobOf;
using test::kGiga;
using test::Spread;
using test::SpreadFlops;

// 256-bit additions and loads, evenly on both cores, that took one second.
PathAnalysis Region(uint64_t flops, uint64_t bytes) {
  return Analyzed(JobOf(Width::k256, FlopKind::kAdd, flops, bytes));
}

// 24 GB/s lie above what one core draws (20), which both do, and below what reading allows (30).
TEST(Verdict, MemoryCeilingsSandwichAStream) {
  const PathAnalysis region = Region(kGiga, 24 * kGiga);
  const Verdict& verdict = region.verdict;
  ASSERT_TRUE(verdict.above && verdict.below);
  EXPECT_EQ(CeilingName(verdict.above->ceiling), "DRAM read");
  EXPECT_DOUBLE_EQ(*verdict.above->ceiling.height.least, 30);
  EXPECT_EQ(region.limit.Kind(), "memory");
  EXPECT_EQ(CeilingName(verdict.below->ceiling), "DRAM from 1/2 of the cores");
  EXPECT_EQ(ProofText(verdict.below->ceiling.proof), "traffic from 100 % of the cores");
  EXPECT_NEAR(*verdict.dram_gbs, 24, 1e-9);
}

// Vectors that run on both cores are held down neither by scalar code's ceilings nor by one core's.
TEST(Verdict, WhatTheRegionHasDoesNotLimitIt) {
  const Verdict verdict = Region(3 * kGiga, 12 * kGiga).verdict;
  ASSERT_TRUE(verdict.above && verdict.below);
  EXPECT_EQ(CeilingName(verdict.above->ceiling),
            "DRAM read");  // not +ILP (8), nor one core's traffic (5)
  EXPECT_EQ(CeilingName(verdict.below->ceiling), "thread parallelism only");
  // The same by one thread, of scalars: both may.
  JobProfile job = test::CountedJob(1, 2);
  SpreadFlops(job, Width::kScalar, FlopKind::kAdd, 3 * kGiga);
  test::SpreadReads(job, 12 * kGiga);
  test::Set(job, 0, metric::kWorkerFlopsMax, {3 * kGiga});
  test::Set(job, 0, metric::kWorkerBytesMax, {12 * kGiga});
  const Verdict alone = Analyzed(job).verdict;
  ASSERT_TRUE(alone.above);
  EXPECT_EQ(CeilingName(alone.above->ceiling), "its own ceiling of thread imbalance");  // 4 GFLOP/s
  EXPECT_NEAR(alone.above->gflops, 4, 1e-9);
}

// 3.5 GFLOP/s of additions lie just below what divisions reach (4), which says nothing of them; of
// divisions it is the limit.
TEST(Verdict, CeilingsOfAnotherKindOfWorkAreNoNeighbours) {
  const auto above = [](FlopKind kind) {
    return Analyzed(JobOf(Width::k256, kind, 7 * kGiga / 2, 64)).verdict.above.value();
  };
  EXPECT_EQ(CeilingName(above(FlopKind::kDiv).ceiling), "divisions alone");
  EXPECT_NE(CeilingName(above(FlopKind::kAdd).ceiling), "divisions alone");
  EXPECT_NEAR(above(FlopKind::kAdd).gflops, 32, 1e-9);  // all that is lower it has passed
}

// Both stacks of the region's own counters, from the ideal region down.
TEST(Verdict, ItsOwnCeilingsAreAmongThem) {
  const Verdict verdict = Analyzed(JobOf(Width::kScalar, FlopKind::kAdd, 7 * kGiga, 64)).verdict;
  ASSERT_TRUE(verdict.above);
  EXPECT_EQ(CeilingName(verdict.above->ceiling), "+ILP");  // 8 GFLOP/s, as is the next
  std::vector<std::string> own;
  for (const Neighbour& ceiling : verdict.ceilings) {
    if (ceiling.ceiling.origin == CeilingOrigin::kShortfall) {
      own.push_back(CeilingName(ceiling.ceiling));
    }
  }
  EXPECT_EQ(own, (std::vector<std::string>{"its own ceiling of too few FMAs",
                                           "its own ceiling of too little SIMD"}));
}

TEST(Verdict, ComputeCeilingsSandwichADenseLoop) {
  const PathAnalysis region = Region(20 * kGiga, kGiga);
  const Verdict& verdict = region.verdict;
  ASSERT_TRUE(verdict.above && verdict.below);
  EXPECT_NEAR(verdict.above->gflops, 32, 1e-9);
  EXPECT_EQ(region.limit.Kind(), "compute");
  EXPECT_NEAR(verdict.below->gflops, 16, 1e-9);
  EXPECT_EQ(CeilingName(verdict.below->ceiling), "1/8 of instructions FP");
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
  JobProfile job = JobOf(Width::k256, FlopKind::kAdd, 12 * kGiga, kGiga);
  Spread(job, metric::kDeclaredFlops, 10 * kGiga);
  const Verdict verdict = Analyzed(job).verdict;
  EXPECT_NEAR(*verdict.canonical_gflops, 10, 1e-9);
  EXPECT_NEAR(*verdict.measured_over_canonical, 1.2, 1e-9);
}

TEST(Verdict, EachLevelsIntercept) {
  JobProfile job = JobOf(Width::k256, FlopKind::kAdd, 12 * kGiga, 6 * kGiga);
  Spread(job, metric::kL1ReadBytes, 24 * kGiga);  // crosses from L2
  const PathAnalysis path = Analyzed(job);
  EXPECT_NEAR(*path.verdict.level_gflops[0], 2 * 800, 1e-6);  // 6 GB of loads at 800 GB/s
  EXPECT_NEAR(*path.verdict.level_gflops[1], 0.5 * 400, 1e-6);
  EXPECT_NEAR(*path.verdict.level_gflops[3], 2 * 30, 1e-9);
  EXPECT_EQ(path.verdict.level_gflops[2].reason, Reason::kNoBytesAtLevel);
}

}  // namespace
}  // namespace roofmark
