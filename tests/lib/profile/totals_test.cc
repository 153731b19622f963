// SPDX-License-Identifier: BSD-3-Clause
#include "lib/profile/totals.h"

#include <gtest/gtest.h>

#include <map>

#include "lib/profile/roofline_json.h"
#include "tests/lib/profile/sample_job.h"

namespace roofmark {
namespace {

using test::kDp256Fma;
using test::kDpScalarAdd;

constexpr MetricId kSpScalarMul = FlopMetric(Precision::kSingle, Width::kScalar, FlopKind::kMul);

// One rank with one region.
JobProfile RankWith(uint32_t rank, const std::map<MetricId, uint64_t>& values) {
  JobProfile job = test::EmptyJob(1);
  job.run.first_rank = rank;
  const size_t path = test::AddPath(job, "solve");
  for (const auto& [id, value] : values) {
    job.sources[id] = {"counting", Status::kMeasured, ""};
    job.At(path, id) = Cell::Of(value, rank, Status::kMeasured);
  }
  return job;
}

// The same where all classes are counted, those that are not given as zero.
JobProfile CountedRank(uint32_t rank, std::map<MetricId, uint64_t> values) {
  for (MetricId id = 0; id < kFlopClasses; ++id) values.emplace(id, 0);
  return RankWith(rank, values);
}

JobProfile Merged(std::vector<JobProfile> ranks) {
  for (JobProfile& rank : ranks) FillTotals(rank);
  for (size_t i = 1; i < ranks.size(); ++i) MergeProfiles(ranks[0], ranks[i]);
  return ranks[0];
}

// Rank 2 does most in all, though rank 0 leads in additions and rank 1 in fused operations.
JobProfile ThreeRanks() {
  return Merged({CountedRank(0, {{kDpScalarAdd, 100}, {kSpScalarMul, 1}}),
                 CountedRank(1, {{kDp256Fma, 90}, {kSpScalarMul, 20}}),
                 CountedRank(2, {{kDpScalarAdd, 70}, {kDp256Fma, 60}})});
}

TEST(Totals, AreTheSumsOfTheirClasses) {
  const JobProfile job = ThreeRanks();
  Sum128 all = 0, dp = 0;
  for (MetricId id = 0; id < kFlopClasses; ++id) {
    all += job.At(0, id).Sum();
    if (id < kWidths * kFlopKinds) dp += job.At(0, id).Sum();
  }
  EXPECT_EQ(static_cast<uint64_t>(all), 341u);
  EXPECT_TRUE(job.At(0, metric::kFlops).Sum() == all);
  EXPECT_TRUE(job.At(0, metric::kFlopsDp).Sum() == dp);
  EXPECT_TRUE(job.At(0, metric::kFlopsSp).Sum() == 21);
  EXPECT_EQ(job.At(0, metric::kFlopsHp).ranks, 3u) << "counted, and zero";
}

TEST(Totals, ExtremesAreThoseOfTheRanksAndOfNoClass) {
  const JobProfile job = ThreeRanks();
  const Cell& flops = job.At(0, metric::kFlops);  // 101, 110, 130
  EXPECT_EQ(flops.ranks, 3u);
  EXPECT_EQ(flops.max, 130u);
  EXPECT_EQ(flops.max_rank, 2u);
  EXPECT_EQ(flops.min, 101u);
  EXPECT_EQ(flops.min_rank, 0u);
  EXPECT_DOUBLE_EQ(flops.mean, 341 / 3.0);
  EXPECT_EQ(job.At(0, kDpScalarAdd).max_rank, 0u);
  EXPECT_EQ(job.At(0, kDp256Fma).max_rank, 1u);
}

TEST(Totals, CountersThatTellNoKindArePartOfThem) {
  const JobProfile job = Merged({RankWith(0, {{AnyKindFlops(Precision::kDouble, Width::kScalar), 5},
                                              {AnyKindFlops(Precision::kDouble, Width::k256), 40},
                                              {WholeFlops(WholePrecision::kDouble), 300},
                                              {WholeFlops(WholePrecision::kBfloat16), 2000}})});
  EXPECT_EQ(job.At(0, metric::kFlopsDp).max, 345u);
  EXPECT_EQ(job.At(0, metric::kFlops).max, 2345u);
  EXPECT_EQ(job.At(0, metric::kFlopsSp).ranks, 0u);
  EXPECT_EQ(job.sources[metric::kFlopsSp].reason, "no collector of this run counts it");
}

TEST(Totals, APartThatIsNotToBeBelievedLeavesNone) {
  JobProfile rank = CountedRank(4, {{kDp256Fma, 7}});
  rank.At(0, kDp256Fma) = Cell::Of(0, 4, Status::kInvalid);
  const JobProfile job = Merged({rank});
  EXPECT_EQ(Worst(job.At(0, metric::kFlops).status_bits), Status::kInvalid);
  const Total flops = TotalOf(job, 0, metric::kFlops);
  EXPECT_FALSE(flops);
  EXPECT_EQ(flops.status, Status::kInvalid);
  EXPECT_EQ(flops.missing, kDp256Fma) << "the total says why";
  EXPECT_TRUE(TotalOf(job, 0, metric::kFlopsSp));
}

TEST(Totals, BytesAreReadWrittenAndLeftDirty) {
  const JobProfile job = Merged({RankWith(0, {{metric::kDramReadBytes, 100},
                                              {metric::kDramWriteBytes, 10},
                                              {metric::kDramDirtyBytes, 1}})});
  EXPECT_EQ(job.At(0, metric::kDramBytes).max, 111u);
  EXPECT_EQ(MetricScope(job, metric::kDramBytes), Scope::kThread);
  const JobProfile reads = Merged({RankWith(0, {{metric::kDramReadBytes, 100}})});
  EXPECT_EQ(reads.At(0, metric::kDramBytes).ranks, 0u) << "reads alone are no traffic";
}

TEST(Totals, PackagesComeBeforeThreads) {
  const JobProfile job = Merged({RankWith(3, {{metric::kPackageDramReadBytes, 1000},
                                              {metric::kPackageDramWriteBytes, 500},
                                              {metric::kPackageHbmReadBytes, 70}})});
  EXPECT_EQ(job.At(0, metric::kDramBytes).max, 1570u);
  EXPECT_EQ(job.At(0, metric::kDramBytes).max_rank, 3u);
  EXPECT_EQ(MetricScope(job, metric::kDramBytes), Scope::kPackage);
}

TEST(Totals, OfAProcessOnTwoPackagesOnlyTheSumIsKnown) {
  JobProfile rank =
      RankWith(0, {{metric::kPackageDramReadBytes, 1000}, {metric::kPackageDramWriteBytes, 500}});
  for (const MetricId id : {metric::kPackageDramReadBytes, metric::kPackageDramWriteBytes}) {
    rank.At(0, id) = Combine(rank.At(0, id), Cell::Of(7, 0, Status::kMeasured));
  }
  const JobProfile job = Merged({rank});
  EXPECT_EQ(job.At(0, metric::kDramBytes).ranks, 0u);
  EXPECT_TRUE(*TotalOf(job, 0, metric::kDramBytes).sum == 1514);
}

// As an older roofmark wrote it.
JobProfile WithoutTotals(JobProfile job) {
  for (MetricId id = metric::kFirstTotal; id <= metric::kLastTotal; ++id) {
    job.sources[id] = {};
    job.At(0, id) = Cell();
  }
  return job;
}

TEST(Totals, OfAnOlderFileAreSumsWithoutExtremes) {
  JobProfile old = WithoutTotals(ThreeRanks());
  EXPECT_TRUE(*TotalOf(old, 0, metric::kFlops).sum == 341);
  JobProfile rank = CountedRank(3, {{kDpScalarAdd, 59}});
  FillTotals(rank);
  MergeProfiles(old, rank);
  EXPECT_EQ(old.At(0, metric::kFlops).ranks, 0u) << "of one rank of four";
  EXPECT_TRUE(*TotalOf(old, 0, metric::kFlops).sum == 400);
}

TEST(Totals, AreReadAsTheyWereWrittenAndMadeForAnOlderPart) {
  const JobProfile job = ThreeRanks();
  const auto again = RooflineFromJson(RooflineToJson({job, {}}), "job.json");
  ASSERT_TRUE(again) << again.error();
  EXPECT_EQ(again->job.At(0, metric::kFlops).max_rank, 2u);
  EXPECT_EQ(again->job.sources[metric::kFlops].origin, "counting");
  const auto part = RooflineFromJson(
      RooflineToJson({WithoutTotals(CountedRank(5, {{kDpScalarAdd, 9}})), {}}), "part.json");
  ASSERT_TRUE(part) << part.error();
  EXPECT_EQ(part->job.At(0, metric::kFlops).max, 9u);
  EXPECT_EQ(part->job.At(0, metric::kFlops).max_rank, 5u);
}

}  // namespace
}  // namespace roofmark
