// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/advice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/lib/model/analyzed.h"

namespace roofmark {
namespace {

using testing::AddPath;
using ::testing::ElementsAre;
using testing::JobOf;
using testing::kGiga;
using testing::ModelMachine;
using testing::Set;

// Adds a copy of region "r" named `path`, of `seconds`.
void Copy(JobProfile& job, const std::string& path, uint64_t seconds) {
  const size_t row = AddPath(job, path);
  for (MetricId m = 0; m < kMetrics; ++m) job.At(row, m) = job.At(0, m);
  const std::vector<uint64_t> times(job.run.ranks, seconds * kGiga);
  Set(job, row, metric::kTimeNs, times, "timer");
}

std::vector<std::string> Order(const JobProfile& job) {
  const Machine machine = ModelMachine();
  std::vector<std::string> order;
  for (const Advice& advice : AdviceFor(job, Analyze(job, &machine))) {
    order.push_back(job.paths[advice.path].path + ": " +
                    std::string(InfoOf(advice.shortfall).name));
  }
  return order;
}

// Scalar multiplications gain 4 by SIMD and 2 by FMA.
JobProfile Scalar() { return JobOf(Width::kScalar, FlopKind::kMul, kGiga, 64); }

TEST(Advice, TimeTimesGainOverTheWholeRun) {
  JobProfile job = Scalar();
  Copy(job, "s", 2);
  Copy(job, "t", 1);
  // Saved: 0.75 and 0.5 s of each second; equals stay in the order of their paths.
  EXPECT_THAT(Order(job), ElementsAre("s: simd", "s: fma_balance", "r: simd", "t: simd",
                                      "r: fma_balance", "t: fma_balance"));
}

TEST(Advice, RegionsAroundOthersAreLeftToThem) {
  JobProfile job = Scalar();
  Copy(job, "r/inner", 1);
  EXPECT_THAT(Order(job), ElementsAre("r/inner: simd", "r/inner: fma_balance"));
  // Not if the inner one takes little of it.
  Set(job, 0, metric::kTimeNs, {4 * kGiga, 4 * kGiga}, "timer");
  EXPECT_EQ(Order(job)[0], "r: simd");
}

// A region of much time and next to no work: neither its vectors nor its balance are the matter.
TEST(Advice, RegionsThatWaitAreApart) {
  JobProfile job = Scalar();
  Copy(job, "s", 100);
  for (MetricId m = 0; m < kFlopClasses; ++m) Set(job, 1, m, {0, 0});
  Set(job, 1, testing::kDpScalarAdd, {1000, 0});
  Copy(job, "t", 50);
  Set(job, 2, testing::kDpScalarAdd, {0, 0});
  Set(job, 2, FlopMetric(Precision::kDouble, Width::kScalar, FlopKind::kMul), {0, 0});
  EXPECT_THAT(Order(job), ElementsAre("r: simd", "r: fma_balance"));
  const Machine machine = ModelMachine();
  EXPECT_THAT(WaitingRegions(job, Analyze(job, &machine)), ElementsAre(1, 2));
}

TEST(Advice, TimeInsideMpiCannotBeSaved) {
  JobProfile job = Scalar();
  Set(job, 0, metric::kMpiNs, {kGiga / 4, kGiga / 4}, "timer");
  const Machine machine = ModelMachine();
  const std::vector<Advice> advice = AdviceFor(job, Analyze(job, &machine));
  ASSERT_FALSE(advice.empty());
  EXPECT_NEAR(advice[0].saved_s, 0.75 * 0.75, 1e-9);
}

// More of them than a sort that is not stable leaves in their order by chance.
TEST(Advice, EqualsStayInTheOrderOfTheirPaths) {
  JobProfile job = Scalar();
  std::vector<std::string> simd = {"r: simd"}, fma = {"r: fma_balance"};
  for (int i = 10; i < 40; ++i) {
    const std::string path = "s" + std::to_string(i);
    Copy(job, path, 1);
    simd.push_back(path + ": simd");
    fma.push_back(path + ": fma_balance");
  }
  std::vector<std::string> expected = simd;
  expected.insert(expected.end(), fma.begin(), fma.end());
  EXPECT_EQ(Order(job), expected);
}

TEST(Advice, WithoutAMachineThereIsNone) {
  const JobProfile job = Scalar();
  EXPECT_TRUE(AdviceFor(job, Analyze(job, nullptr)).empty());
}

TEST(Advice, SavedSecondsAreOfTheRegionsTime) {
  const Machine machine = ModelMachine();
  const JobProfile job = Scalar();
  const std::vector<Advice> advice = AdviceFor(job, Analyze(job, &machine));
  ASSERT_FALSE(advice.empty());
  EXPECT_NEAR(advice[0].gain, 4, 1e-9);
  EXPECT_NEAR(advice[0].saved_s, 0.75, 1e-9);
}

}  // namespace
}  // namespace roofmark
