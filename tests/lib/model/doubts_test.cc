// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/doubts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "lib/model/health.h"
#include "tests/lib/model/analyzed.h"

namespace roofmark {
namespace {

using test::AnalyzedJob;
using test::JobOf;
using test::kGiga;
using test::Set;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using What = Contradiction::What;

constexpr auto kDram = static_cast<size_t>(MemoryLevel::kDram);

// 8 GFLOP, 10 GB read from DRAM in a second.
JobProfile Job() { return JobOf(Width::kScalar, FlopKind::kMul, 8 * kGiga, 10 * kGiga); }

void Margin(JobProfile& job, uint64_t bytes) {
  Set(job, 0, metric::kDramMarginBytes, {bytes / 2, bytes / 2}, "counting", Status::kModelled);
}

std::vector<What> Found(const JobProfile& job) {
  std::vector<What> found;
  for (const Contradiction& one : Contradictions(job, AnalyzedJob(job))) found.push_back(one.what);
  return found;
}

TEST(Contradictions, OfDeclaredFlopsBeyondTheBounds) {
  JobProfile job = Job();
  const auto declare = [&job](double giga) {
    const auto half = static_cast<uint64_t>(giga * 1e9 / 2);
    Set(job, 0, metric::kDeclaredFlops, {half, half}, "declared");
    return Found(job);
  };
  EXPECT_THAT(declare(8), IsEmpty());
  EXPECT_THAT(declare(9.9), IsEmpty());
  EXPECT_THAT(declare(10.1), ElementsAre(What::kFewerFlops));
  EXPECT_THAT(declare(5.4), IsEmpty());
  EXPECT_THAT(declare(5.3), ElementsAre(What::kMoreFlops));
  const Contradiction one = Contradictions(job, AnalyzedJob(job))[0];
  EXPECT_EQ(one.counted, 8e9);
  EXPECT_EQ(one.declared, 5.3e9);
}

TEST(Contradictions, DeclaredWorkThatStandsInForCountsIsNone) {
  JobProfile job = Job();
  for (MetricId m = 0; m < kFlopClasses; ++m) {
    job.sources[m] = {};
    job.At(0, m) = {};
  }
  job.sources[metric::kFlops] = {};
  job.At(0, metric::kFlops) = {};
  Set(job, 0, metric::kDeclaredFlops, {kGiga, kGiga}, "declared");
  EXPECT_THAT(Found(job), IsEmpty());
}

TEST(Contradictions, MoreBytesDeclaredThanWereLoadedAndStored) {
  JobProfile job = Job();
  Set(job, 0, metric::kLoadBytes, {4 * kGiga, 4 * kGiga});
  Set(job, 0, metric::kDeclaredBytes, {9 * kGiga / 2, 9 * kGiga / 2}, "declared");
  EXPECT_THAT(Found(job), IsEmpty());
  Set(job, 0, metric::kDeclaredBytes, {6 * kGiga, 6 * kGiga}, "declared");
  EXPECT_THAT(Found(job), ElementsAre(What::kMoreBytes));
}

TEST(Contradictions, SmallRegionsHaveNone) {
  JobProfile job = Job();
  Set(job, 0, metric::kDeclaredFlops, {kGiga, kGiga}, "declared");
  ASSERT_EQ(Found(job).size(), 1u);
  job.run.passes[0].wall_s = 101;
  EXPECT_THAT(Found(job), IsEmpty());
}

TEST(Interval, OfTrafficIsItsMargin) {
  JobProfile job = Job();
  EXPECT_FALSE(AnalyzedJob(job).paths[0].traffic_bytes[kDram].within) << "nothing was scaled";
  Margin(job, 2 * kGiga);
  const PathAnalysis path = AnalyzedJob(job).paths[0];
  ASSERT_TRUE(path.traffic_bytes[kDram].within);
  EXPECT_EQ(path.traffic_bytes[kDram].within->least, 8e9);
  EXPECT_EQ(path.traffic_bytes[kDram].within->most, 12e9);
  ASSERT_TRUE(path.intensity[kDram].within);
  EXPECT_NEAR(path.intensity[kDram].within->least, 8. / 12, 1e-9);
  EXPECT_NEAR(path.intensity[kDram].within->most, 1, 1e-9);
  EXPECT_NEAR(*IntervalWidth(path.traffic_bytes[kDram]), 0.2, 1e-9);
}

TEST(Interval, IsNotOfBytesThatAnotherCollectorCounted) {
  JobProfile job = Job();
  Margin(job, 2 * kGiga);
  job.sources[metric::kDramMarginBytes].origin = "other";
  EXPECT_FALSE(AnalyzedJob(job).paths[0].traffic_bytes[kDram].within);
}

TEST(Interval, IsOpenWhereNothingIsKnownOfIt) {
  JobProfile job = Job();
  Margin(job, 0);
  for (Cell* cell : {&job.At(0, metric::kDramMarginBytes)}) {
    cell->status_bits = Bit(Status::kUnsupported);
  }
  const PathAnalysis path = AnalyzedJob(job).paths[0];
  ASSERT_TRUE(path.traffic_bytes[kDram].within);
  EXPECT_TRUE(std::isinf(path.traffic_bytes[kDram].within->most));
  EXPECT_THAT(WidelyExtrapolated(AnalyzedJob(job)), ElementsAre(0));
}

TEST(Interval, OfFlopsThatWereScaledReachesIntensityAndRate) {
  JobProfile job = Job();
  Set(job, 0, metric::kFlopsMargin, {kGiga, kGiga}, "counting", Status::kScaled);
  const PathAnalysis path = AnalyzedJob(job).paths[0];
  ASSERT_TRUE(path.total_flops.within);
  EXPECT_EQ(path.total_flops.within->least, 6e9);
  EXPECT_EQ(path.total_flops.within->most, 10e9);
  EXPECT_NEAR(*IntervalWidth(path.total_flops), 0.25, 1e-9);
  ASSERT_TRUE(path.intensity[kDram].within);
  EXPECT_NEAR(path.intensity[kDram].within->least, 0.6, 1e-9);
  EXPECT_NEAR(path.intensity[kDram].within->most, 1, 1e-9);
  ASSERT_TRUE(path.gflops.within);
  EXPECT_NEAR(path.gflops.within->least, 6, 1e-9);
  EXPECT_NEAR(path.gflops.within->most, 10, 1e-9);
  job.sources[metric::kFlopsMargin].origin = "other";
  EXPECT_FALSE(AnalyzedJob(job).paths[0].total_flops.within) << "of another collector's";
}

TEST(Interval, IsHealthWhereItIsWideAndMatters) {
  JobProfile job = Job();
  const auto wide = [&job] { return WidelyExtrapolated(AnalyzedJob(job)); };
  Margin(job, 19 * kGiga / 10);
  EXPECT_THAT(wide(), IsEmpty());
  Margin(job, 3 * kGiga);
  EXPECT_THAT(wide(), ElementsAre(0));
  const std::vector<HealthIssue> issues = HealthOf(job, AnalyzedJob(job));
  EXPECT_TRUE(std::any_of(issues.begin(), issues.end(), [](const HealthIssue& issue) {
    return issue.id == HealthId::kExtrapolated;
  }));
  // At 30 GB/s 0.13 GB take less than a hundredth of the second.
  JobProfile cached = JobOf(Width::kScalar, FlopKind::kMul, 8 * kGiga, kGiga / 10);
  Margin(cached, kGiga / 30);
  EXPECT_THAT(WidelyExtrapolated(AnalyzedJob(cached)), IsEmpty());
}

}  // namespace
}  // namespace roofmark
