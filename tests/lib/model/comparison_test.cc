// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/lib/profile/sample_job.h"

namespace roofmark {
namespace {

using test::AddPass;
using test::AddPath;
using test::EmptyJob;
using test::Set;
using ::testing::ElementsAre;

// Of a run of 10 s with a region for each entry: its times in all executions.
struct Times {
  std::string path;
  std::vector<double> seconds;
  uint64_t flops = 1'000'000;
};

JobProfile Job(const std::vector<Times>& regions) {
  JobProfile job = EmptyJob(1);
  AddPass(job, "timer", 10);
  const size_t executions = regions.front().seconds.size();
  for (size_t i = 0; executions > 1 && i < executions; ++i) job.run.repeats_s.push_back(10);
  for (const Times& region : regions) {
    const size_t row = AddPath(job, region.path);
    const auto ns = [](double s) { return static_cast<uint64_t>(s * 1e9); };
    Set(job, row, metric::kTimeNs, {ns(region.seconds[region.seconds.size() / 2])}, "timer");
    for (MetricId m = 0; m < kFlopClasses; ++m) Set(job, row, m, {0});
    Set(job, row, test::kDpScalarAdd, {region.flops});
    Set(job, row, metric::kFlops, {region.flops});
    for (const double s : region.seconds) {
      if (executions > 1) job.paths[row].repeats_ns.push_back(ns(s));
    }
  }
  return job;
}

Comparison Compared(const JobProfile& a, const JobProfile& b, const RenameMap& renamed = {},
                    const TestedAlways& always = {}) {
  const JobAnalysis first = Analyze(a, nullptr), second = Analyze(b, nullptr);
  return CompareRuns({a, first}, {b, second}, renamed, always);
}

std::vector<double> Around(double s) { return {s, 1.01 * s, 0.99 * s, 1.005 * s, 0.995 * s}; }

TEST(Comparison, ASlowerRegionIsSignificantAndAnEqualOneIsNot) {
  const Comparison comparison = Compared(Job({{"a", Around(1)}, {"b", Around(2)}}),
                                         Job({{"a", Around(1.1)}, {"b", Around(2.002)}}));
  ASSERT_EQ(comparison.regions.size(), 2u);
  EXPECT_EQ(comparison.tested, 2u);
  const Change& a = comparison.regions[0].Of(Quantity::kTime);
  EXPECT_TRUE(a.significant);
  EXPECT_NEAR(*a.factor, 1.1, 1e-6);
  EXPECT_NEAR(*a.before, 1, 1e-4);  // the geometric mean
  EXPECT_LT(a.difference->change.least, 1.1);
  EXPECT_GT(a.difference->change.least, 1.05);
  const Change& b = comparison.regions[1].Of(Quantity::kTime);
  EXPECT_EQ(b.noise, NoiseKind::kTested);
  EXPECT_FALSE(b.significant);
  EXPECT_EQ(Significant(comparison, Quantity::kTime).size(), 1u);
}

// 1,000 bytes give or take so many, of a million FLOPs.
JobProfile Extrapolated(uint64_t bytes, uint64_t margin) {
  JobProfile job = Job({{"a", {1}}});
  const auto set = [&job](MetricId id, uint64_t value) {
    Set(job, 0, id, {value}, "counting", Status::kModelled);
  };
  set(metric::kDramReadBytes, bytes);
  set(metric::kDramWriteBytes, 0);
  set(metric::kDramDirtyBytes, 0);
  set(metric::kDramBytes, bytes);
  set(metric::kDramMarginBytes, margin);
  return job;
}

TEST(Comparison, IntervalsThatOverlapLeaveAChangeOpen) {
  const auto noise = [](const JobProfile& a, const JobProfile& b) {
    return Compared(a, b).regions[0].Of(Quantity::kIntensity).noise;
  };
  EXPECT_EQ(noise(Extrapolated(1000, 0), Extrapolated(1050, 0)), NoiseKind::kCountedOnce);
  EXPECT_EQ(noise(Extrapolated(1000, 100), Extrapolated(1050, 0)), NoiseKind::kUnknown);
  EXPECT_EQ(noise(Extrapolated(1000, 100), Extrapolated(1200, 50)), NoiseKind::kCountedOnce);
}

// The same FLOPs in more time; and as many more FLOPs as time: then FLOP/s stay.
TEST(Comparison, SpeedFollowsFromTimeAndWork) {
  const Comparison comparison = Compared(Job({{"a", Around(1)}, {"b", Around(1), 1'000'000}}),
                                         Job({{"a", Around(1.1)}, {"b", Around(1.1), 1'100'000}}));
  const Change& a = comparison.regions[0].Of(Quantity::kGflops);
  EXPECT_TRUE(a.significant);
  EXPECT_NEAR(*a.factor, 1 / 1.1, 1e-6);
  const Change& b = comparison.regions[1].Of(Quantity::kGflops);
  EXPECT_FALSE(b.significant);
  EXPECT_NEAR(*b.factor, 1, 1e-6);
}

TEST(Comparison, SingleRunsHaveNoKnownNoise) {
  const Comparison comparison = Compared(Job({{"a", {1}}}), Job({{"a", {2}}}));
  EXPECT_FALSE(comparison.noise_known());
  EXPECT_EQ(comparison.regions[0].Of(Quantity::kTime).noise, NoiseKind::kUnknown);
  EXPECT_FALSE(comparison.regions[0].Of(Quantity::kTime).significant);
  EXPECT_EQ(*comparison.regions[0].Of(Quantity::kTime).factor, 2);
}

TEST(Comparison, NewVanishedAndRenamed) {
  RenameMap map;
  ASSERT_TRUE(map.Add("b=c"));
  const JobProfile first = Job({{"a", {1}}, {"b", {1}}, {"b/x", {1}}});
  const JobProfile second = Job({{"c", {1}}, {"c/x", {2}}, {"d", {1}}});
  const Comparison comparison = Compared(first, second, map);
  std::vector<std::string> seen;
  for (const RegionChange& region : comparison.regions) {
    seen.push_back(region.path + ">" + region.new_path +
                   std::to_string(static_cast<int>(region.presence)));
  }
  EXPECT_THAT(seen, ElementsAre("a>a2", "b>c0", "b/x>c/x0", "d>d1"));
  EXPECT_EQ(*comparison.regions[2].Of(Quantity::kTime).factor, 2);
  EXPECT_FALSE(comparison.regions[0].Of(Quantity::kTime).factor);
  EXPECT_EQ(*comparison.regions[0].Of(Quantity::kTime).before, 1);
}

// Two regions of the first run cannot both be the same one of the second.
TEST(Comparison, TwoRegionsThatBecomeOne) {
  RenameMap map;
  ASSERT_TRUE(map.Add("b=a"));
  const Comparison comparison = Compared(Job({{"a", {1}}, {"b", {1}}}), Job({{"a", {1}}}), map);
  EXPECT_EQ(comparison.regions[0].presence, Presence::kBoth);
  EXPECT_EQ(comparison.regions[1].presence, Presence::kVanished);
}

TEST(Comparison, SmallRegionsAreNotTestedUnlessARuleNamesThem) {
  const JobProfile first = Job({{"a", Around(1)}, {"b", Around(0.001)}});
  const JobProfile second = Job({{"a", Around(1)}, {"b", Around(0.002)}});
  const Comparison comparison = Compared(first, second);
  EXPECT_EQ(comparison.tested, 1u);
  EXPECT_EQ(comparison.regions[1].Of(Quantity::kTime).noise, NoiseKind::kSmall);
  const Comparison named =
      Compared(first, second, {}, [](const RegionChange& region) { return region.path == "b"; });
  EXPECT_EQ(named.tested, 2u);
  EXPECT_TRUE(named.regions[1].Of(Quantity::kTime).significant);
}

// With many regions the same times prove less.
TEST(Comparison, ManyRegionsNeedMore) {
  std::vector<Times> before, after;
  for (int i = 0; i < 40; ++i) {
    const std::string name = "r" + std::to_string(10 + i);
    before.push_back({name, Around(1)});
    after.push_back({name, Around(i == 0 ? 1.02 : 1)});
  }
  EXPECT_FALSE(Compared(Job(before), Job(after)).regions[0].Of(Quantity::kTime).significant);
  EXPECT_TRUE(
      Compared(Job({before[0]}), Job({after[0]})).regions[0].Of(Quantity::kTime).significant);
}

TEST(Comparison, TurnsAreThoseOfTheSameRun) {
  JobProfile first = Job({{"a", Around(1)}}), second = first, third = first;
  first.run.passes[0].facts[kAgainstFact] = "1";
  second.run.passes[0].facts[kAgainstFact] = "1";
  third.run.passes[0].facts[kAgainstFact] = "2";
  EXPECT_TRUE(Compared(first, second).interleaved);
  EXPECT_FALSE(Compared(first, third).interleaved);
  const JobProfile none = Job({{"a", Around(1)}});
  EXPECT_FALSE(Compared(none, none).interleaved);
}

}  // namespace
}  // namespace roofmark
