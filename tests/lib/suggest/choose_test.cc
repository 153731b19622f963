// SPDX-License-Identifier: BSD-3-Clause
#include "lib/suggest/choose.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/lib/model/analyzed.h"

namespace roofmark::suggest {
namespace {

using roofmark::test::AddPath;
using roofmark::test::EmptyJob;
using roofmark::test::Set;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr uint64_t kMs = 1'000'000;

class SuggestChooseTest : public ::testing::Test {
 protected:
  // Paths are added in order. Their line is 10 and their number.
  void Add(const std::string& path, uint64_t visits, uint64_t time_ns,
           RegionKind kind = RegionKind::kFound) {
    const size_t at = AddPath(job_, path, kind);
    Set(job_, at, metric::kVisits, {visits});
    if (time_ns > 0) Set(job_, at, metric::kTimeNs, {time_ns}, "timer");
  }
  Candidates Chosen() {
    Result<Candidates> result = Choose(job_, nullptr, options_);
    EXPECT_TRUE(result) << result.error();
    return result ? *result : Candidates();
  }
  std::vector<std::string> Paths() {
    std::vector<std::string> paths;
    for (const Candidate& each : Chosen().chosen) paths.push_back(job_.paths[each.paths[0]].path);
    return paths;
  }

  JobProfile job_ = EmptyJob(1);
  ChooseOptions options_;
};

TEST_F(SuggestChooseTest, TheOutermostOfEachBranchByTime) {
  Add("a.c:1 in f()", 10, 30 * kMs);
  Add("a.c:1 in f()/a.c:2 in f()", 100, 30 * kMs);
  Add("a.c:5 in g()", 10, 70 * kMs);
  EXPECT_THAT(Paths(), ElementsAre("a.c:5 in g()", "a.c:1 in f()"));
  const Candidates chosen = Chosen();
  EXPECT_EQ(chosen.weight, Weight::kTime);
  EXPECT_FALSE(chosen.by_gain);
  EXPECT_DOUBLE_EQ(chosen.chosen[0].share, 0.7);
  EXPECT_DOUBLE_EQ(chosen.chosen[0].per_entry, 7e6);
  EXPECT_EQ(chosen.chosen[0].name, "g");
}

TEST_F(SuggestChooseTest, ALoopAroundNearlyEverythingIsLeftToThoseBelow) {
  Add("a.c:1 in main()", 1, 99 * kMs);
  Add("a.c:1 in main()/a.c:2 in main()", 10, 60 * kMs);
  Add("a.c:1 in main()/a.c:3 in main()", 10, 37 * kMs);
  Add("b.c:9 in end()", 1, 1 * kMs);
  EXPECT_THAT(Paths(), ElementsAre("a.c:1 in main()/a.c:2 in main()",
                                   "a.c:1 in main()/a.c:3 in main()", "b.c:9 in end()"));
}

TEST_F(SuggestChooseTest, ALoopAroundLoopsOfOtherFunctionsIsLeftToThem) {
  Add("a.c:1 in cg()", 1, 50 * kMs);
  Add("a.c:1 in cg()/a.c:7 in dot()", 10, 20 * kMs);
  Add("a.c:1 in cg()/a.c:8 in mul()", 10, 30 * kMs);
  Add("b.c:9 in other()", 1, 50 * kMs);
  EXPECT_THAT(Paths(), ElementsAre("b.c:9 in other()", "a.c:1 in cg()/a.c:8 in mul()",
                                   "a.c:1 in cg()/a.c:7 in dot()"));
}

TEST_F(SuggestChooseTest, LoopsOfOneFunctionStayOneNest) {
  Add("a.c:1 in f()", 10, 40 * kMs);
  Add("a.c:1 in f()/a.c:2 in f()", 10, 20 * kMs);
  Add("a.c:1 in f()/a.c:3 in f()", 10, 20 * kMs);
  Add("b.c:9 in other()", 1, 60 * kMs);
  EXPECT_THAT(Paths(), ElementsAre("b.c:9 in other()", "a.c:1 in f()"));
}

TEST_F(SuggestChooseTest, ATimeLoopIsLeftToTheOneFunctionThatItCalls) {
  Add("a.c:1 in main()", 1, 99 * kMs);
  Add("a.c:1 in main()/a.c:7 in sweep()", 10, 98 * kMs);
  EXPECT_THAT(Paths(), ElementsAre("a.c:1 in main()/a.c:7 in sweep()"));
}

TEST_F(SuggestChooseTest, TheOnlyNestOfAProgramIsTaken) {
  Add("a.c:1 in f()", 1, 99 * kMs);
  Add("a.c:1 in f()/a.c:2 in f()", 1000, 98 * kMs);
  EXPECT_THAT(Paths(), ElementsAre("a.c:1 in f()"));
}

TEST_F(SuggestChooseTest, NotIntoShortEntries) {
  Add("a.c:1 in main()", 1, 99 * kMs);
  Add("a.c:1 in main()/a.c:7 in g()", 20'000, 98 * kMs);  // 4.9 us each
  EXPECT_THAT(Paths(), ElementsAre("a.c:1 in main()"));
  options_.least_us = 1;
  EXPECT_THAT(Paths(), ElementsAre("a.c:1 in main()/a.c:7 in g()"));
  options_.least_us = 1e6;
  const Candidates none = Chosen();
  EXPECT_THAT(none.chosen, IsEmpty());
  ASSERT_EQ(none.passed.size(), 1u);
  EXPECT_EQ(none.passed[0].path, 0u);
  EXPECT_EQ(none.passed[0].why, "it takes less than 1e+06 us per entry");
}

TEST_F(SuggestChooseTest, NotIntoParallelConstructs) {
  Add("a.c:1 in main()", 1, 99 * kMs);
  Add("a.c:1 in main()/a.c:7 in sweep()", 10, 98 * kMs);
  options_.in_parallel = [](const PathInfo& info) { return info.path == "a.c:1 in main()"; };
  EXPECT_THAT(Paths(), ElementsAre("a.c:1 in main()"));
}

TEST_F(SuggestChooseTest, AFunctionIsLeftToItsLoop) {
  Add("f()", 10, 50 * kMs);
  Add("f()/a.c:2 in f()", 10, 49 * kMs);
  Add("g()", 10, 50 * kMs);
  EXPECT_THAT(Paths(), ElementsAre("g()", "f()/a.c:2 in f()"));
}

TEST_F(SuggestChooseTest, WhatNeedsNoMarkers) {
  Add("main()", 1, 100 * kMs);
  Add("solve", 1, 50 * kMs, RegionKind::kTeam);
  Add("solve/a.c:2 in f()", 1, 48 * kMs);
  Add("tiny()", 1, 1 * kMs);
  const Candidates chosen = Chosen();
  EXPECT_THAT(chosen.chosen, IsEmpty());
  ASSERT_EQ(chosen.passed.size(), 2u);
  EXPECT_THAT(chosen.passed[0].why, HasSubstr("the whole program"));
  EXPECT_EQ(chosen.passed[1].why, "the region solve around it has nearly all of its work");
}

TEST_F(SuggestChooseTest, WithoutSource) {
  Add("app+0x10 in app+0x8", 1, 100 * kMs);
  job_.paths[0].file = "";
  EXPECT_THAT(Chosen().passed.at(0).why, HasSubstr("compile it with -g"));
}

TEST_F(SuggestChooseTest, OnePlaceOnSeveralPathsIsOneCandidate) {
  Add("a()", 1, 50 * kMs);
  Add("a()/c.c:5 in f()", 10, 50 * kMs);
  Add("b()", 1, 30 * kMs);
  Add("b()/c.c:5 in f()", 30, 30 * kMs);
  job_.paths[1].line = job_.paths[3].line = 5;
  const Candidates chosen = Chosen();
  ASSERT_EQ(chosen.chosen.size(), 1u);
  EXPECT_THAT(chosen.chosen[0].paths, ElementsAre(1, 3));
  EXPECT_DOUBLE_EQ(chosen.chosen[0].weight, 80.0 * kMs);
  EXPECT_DOUBLE_EQ(chosen.chosen[0].per_entry, 2.0 * kMs);
}

TEST_F(SuggestChooseTest, NamesDiffer) {
  Add("a.c:1 in n::f<int>()", 1, 50 * kMs);
  Add("a.c:2 in n::f<int>()", 1, 40 * kMs);
  Add("a.c:3 in operator+()", 1, 30 * kMs);
  const Candidates chosen = Chosen();
  ASSERT_EQ(chosen.chosen.size(), 3u);
  EXPECT_EQ(chosen.chosen[0].name, "f:10");
  EXPECT_EQ(chosen.chosen[1].name, "f:11");
  EXPECT_EQ(chosen.chosen[2].name, "operator_");
}

TEST_F(SuggestChooseTest, WithoutTimesByInstructionsThenByFlops) {
  Add("a.c:1 in f()", 10, 0);
  Add("a.c:2 in g()", 10, 0);
  EXPECT_FALSE(Choose(job_, nullptr, options_));
  for (MetricId m = 0; m < kFlopClasses; ++m) {
    Set(job_, 0, m, {m == roofmark::test::kDpScalarAdd ? 200'000u : 0});
    Set(job_, 1, m, {m == roofmark::test::kDpScalarAdd ? 90'000u : 0});
  }
  EXPECT_EQ(Chosen().weight, Weight::kFlops);
  EXPECT_THAT(Paths(), ElementsAre("a.c:1 in f()"));
  Set(job_, 0, metric::kInstructions, {400'000});
  Set(job_, 1, metric::kInstructions, {600'000});
  EXPECT_EQ(Chosen().weight, Weight::kInstructions);
  EXPECT_THAT(Paths(), ElementsAre("a.c:2 in g()", "a.c:1 in f()"));
  EXPECT_DOUBLE_EQ(Chosen().chosen[0].per_entry, 60'000);
}

TEST_F(SuggestChooseTest, WithoutAnythingFound) {
  Add("solve", 1, 50 * kMs, RegionKind::kTeam);
  EXPECT_THAT(Choose(job_, nullptr, options_).error(), HasSubstr("ROOFMARK_NESTS"));
}

// Of two loops of a second each, one at its roof and one far below, the latter comes first.
TEST(ChooseByGainTest, WhatCanBeGainedDecides) {
  JobProfile job = roofmark::test::CountedJob();
  job.paths[0] = {"a.c:1 in near_the_roof()", "a.c", 1, RegionKind::kFound};
  roofmark::test::SpreadFlops(job, Width::k256, FlopKind::kFma, 60 * roofmark::test::kGiga);
  const size_t far = AddPath(job, "a.c:2 in far()", RegionKind::kFound);
  for (MetricId m = 0; m < kMetrics; ++m) job.cells.Set(far, m, job.At(0, m));
  Set(job, far, metric::kTimeNs, {900'000'000, 900'000'000}, "timer");
  const MetricId fma = FlopMetric(Precision::kDouble, Width::k256, FlopKind::kFma);
  Set(job, far, fma, {0, 0});
  Set(job, far, FlopMetric(Precision::kDouble, Width::kScalar, FlopKind::kAdd),
      {3'000'000'000, 3'000'000'000});
  Set(job, far, metric::kWorkerFlopsMax, {3'000'000'000, 3'000'000'000});
  const JobAnalysis analysis = roofmark::test::AnalyzedJob(job);
  const Result<Candidates> chosen = Choose(job, &analysis, {});
  ASSERT_TRUE(chosen) << chosen.error();
  ASSERT_EQ(chosen->chosen.size(), 2u);
  EXPECT_TRUE(chosen->by_gain);
  EXPECT_EQ(chosen->chosen[0].paths, std::vector<size_t>{far});
  EXPECT_GT(*chosen->chosen[0].gain_s, *chosen->chosen[1].gain_s);
  const Result<Candidates> by_time = Choose(job, nullptr, {});
  EXPECT_FALSE(by_time->by_gain);
  EXPECT_EQ(by_time->chosen[0].paths, std::vector<size_t>{0});
  EXPECT_FALSE(by_time->chosen[0].gain_s);
}

}  // namespace
}  // namespace roofmark::suggest
