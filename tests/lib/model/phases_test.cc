// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/phases.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "lib/model/advice.h"
#include "lib/model/own_body.h"
#include "lib/profile/whole.h"
#include "lib/report/advice_words.h"
#include "tests/lib/model/analyzed.h"

namespace roofmark {
namespace {

using test::AddPath;
using test::AnalyzedJob;
using test::CountedJob;
using test::kGiga;
using test::Set;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

Limit By(const std::string& resource) {
  return {.what = LimitedBy::kResource, .resource = resource};
}

// "compute 0.60, DRAM 0.40".
std::string Text(const std::vector<Phase>& phases) {
  std::string text;
  for (const Phase& phase : phases)
    text += fmt::format("{}{} {:.2f}", text.empty() ? "" : ", ", phase.mark, phase.share);
  return text;
}

// The limit of the first of them, by the sum of its work the one it has in `nests`.
Limit Outermost(const std::vector<Nest>& nests) {
  return LimitOfPhases(nests[0].limit, PhasesOf(nests)[0]);
}

TEST(Phases, TwoKindsHaveTheirShares) {
  const Limit limit = Outermost(
      {{kOutermost, 10, By("DRAM"), {}}, {0, 6, By("compute"), {}}, {0, 4, By("DRAM"), {}}});
  EXPECT_EQ(limit.what, LimitedBy::kPhases);
  EXPECT_EQ(limit.Mark(), "compute/DRAM");
  EXPECT_EQ(Text(limit.phases), "compute 0.60, DRAM 0.40");
  EXPECT_EQ(limit.Kind(), "both");
  EXPECT_EQ(limit.resource, "");
}

TEST(Phases, OneKindThatHasNearlyAllIsTheLimit) {
  const std::vector<Nest> nests = {{kOutermost, 100, By("DRAM"), By("latency")},
                                   {0, 50, By("compute"), {}},
                                   {0, 40, By("compute"), {}}};
  const Limit limit = Outermost(nests);
  EXPECT_EQ(limit.what, LimitedBy::kResource);
  EXPECT_EQ(limit.Mark(), "compute");
  EXPECT_EQ(limit.Kind(), "compute");
  EXPECT_EQ(Text(limit.phases), "compute 0.90, latency 0.10");
  EXPECT_TRUE(limit.IsOfPhases());
  // The sum says the same: its details stay.
  const Limit same = LimitOfPhases(By("compute"), PhasesOf(nests)[0]);
  EXPECT_FALSE(same.IsOfPhases());
  EXPECT_EQ(same.Mark(), "compute");
}

TEST(Phases, WhatIsUnknownAndWhatIsUnexplainedIsNotGuessed) {
  const Limit limit = Outermost({{kOutermost, 10, By("compute"), {}},
                                 {0, 3, {}, {}},
                                 {0, 2, {.what = LimitedBy::kUnexplained}, {}},
                                 {0, 5, By("compute"), {}}});
  EXPECT_EQ(limit.Mark(), "?/compute");
  EXPECT_EQ(Text(limit.phases), "? 0.50, compute 0.50");
  EXPECT_EQ(limit.phases[0].what, LimitedBy::kUnexplained);
}

// As where the outer region alone declares its work.
TEST(Phases, WhereNothingIsKnownOfInnerRegionsTheSumTells) {
  EXPECT_EQ(Outermost({{kOutermost, 10, By("DRAM"), {}}, {0, 9, {}, {}}}).Mark(), "DRAM");
}

TEST(Phases, TheyComeFromAllDepths) {
  const std::vector<Nest> nests = {{kOutermost, 100, By("compute"), By("latency")},
                                   {0, 90, By("compute"), By("L2")},
                                   {1, 60, By("DRAM"), {}},
                                   {1, 20, {.what = LimitedBy::kWaiting}, {}}};
  EXPECT_EQ(Text(LimitOfPhases(nests[1].limit, PhasesOf(nests)[1]).phases),
            "DRAM 0.67, wait 0.22, L2 0.11");
  const Limit outer = Outermost(nests);
  EXPECT_EQ(Text(outer.phases), "DRAM 0.60, wait 0.20, L2 0.10, latency 0.10");
  EXPECT_EQ(outer.Mark(), "DRAM/wait");
  EXPECT_EQ(outer.Kind(), "memory");
}

TEST(Phases, SmallOnesAreTogetherTheLast) {
  const Limit limit = Outermost({{kOutermost, 100, By("L1"), By("compute")},
                                 {0, 4, By("L1"), {}},
                                 {0, 3, By("L2"), {}},
                                 {0, 4, By("L3"), {}},
                                 {0, 30, By("DRAM"), {}},
                                 {0, 5, By("latency"), {}}});
  EXPECT_EQ(Text(limit.phases), "compute 0.54, DRAM 0.30, latency 0.05, other 0.11");
  EXPECT_EQ(limit.Mark(), "compute/DRAM");
}

// Threads beside each other, or the clock: 15 s of regions in 10 s.
TEST(Phases, InnerRegionsThatTakeMoreThanAllShareIt) {
  const std::vector<Nest> nests = {{kOutermost, 20, By("L1"), {}},
                                   {0, 10, By("L1"), By("L1")},
                                   {1, 9, By("compute"), {}},
                                   {1, 6, By("DRAM"), {}}};
  const Limit limit = LimitOfPhases(nests[1].limit, PhasesOf(nests)[1]);
  EXPECT_EQ(Text(limit.phases), "compute 0.60, DRAM 0.40");
  EXPECT_EQ(Text(Outermost(nests).phases), "? 0.50, compute 0.30, DRAM 0.20")
      << "they are no more than their region in the one around that";
}

TEST(Phases, TheirSharesAddUpToOne) {
  std::vector<Nest> nests = {{kOutermost, 1, {}, {}}};
  for (const char* resource : {"compute", "L1", "L2", "L3", "DRAM", "latency", "dependences"}) {
    nests.push_back({0, 1.0 / 7, By(resource), {}});
  }
  const Limit limit = Outermost(nests);
  EXPECT_EQ(limit.phases.size(), 7u);
  EXPECT_NEAR(std::accumulate(limit.phases.begin(), limit.phases.end(), 0.0,
                              [](double sum, const Phase& phase) { return sum + phase.share; }),
              1, 1e-12);
}

TEST(Phases, NothingIsSaidOfNoTime) {
  const std::vector<Nest> nests = {{kOutermost, 0, By("DRAM"), {}}, {0, 0, By("compute"), {}}};
  EXPECT_THAT(PhasesOf(nests), ElementsAre(IsEmpty(), IsEmpty()));
  EXPECT_EQ(Outermost(nests).Mark(), "DRAM");
}

// A region of whole seconds on the model machine. Its figures are those of it and of what is in it.
struct Work {
  std::string path;
  double time_s, gflops, gbytes;  // scalar multiplications, and reads of DRAM
};

JobProfile JobOfWork(const std::vector<Work>& regions) {
  JobProfile job = CountedJob();
  job.paths.clear();
  const CellTable one = job.cells;
  job.cells = CellTable(0);
  for (const Work& work : regions) {
    const size_t row = AddPath(job, work.path);
    for (MetricId id = 0; id < kMetrics; ++id) job.cells.Set(row, id, one.At(0, id));
    const auto each = [&](MetricId id, double number) {
      const auto value = static_cast<uint64_t>(number * kGiga);
      Set(job, row, id, {value, value}, job.sources[id].origin);
    };
    each(metric::kTimeNs, work.time_s);
    each(FlopMetric(Precision::kDouble, Width::kScalar, FlopKind::kMul), work.gflops / 2);
    each(metric::kWorkerFlopsMax, work.gflops / 2);
    each(metric::kDramReadBytes, work.gbytes / 2);
    each(metric::kLoadBytes, work.gbytes / 2);
    each(metric::kWorkerBytesMax, work.gbytes / 2);
  }
  return job;
}

// Two cores at 4 GFLOP/s, 30 GB/s: `step` needs 4 s of its 6 s for its arithmetic, `copy` 4 s of 4
// s for its traffic. The sum of both needs 4.1 s of 10 s for either.
std::vector<Work> ComputesThenCopies() {
  return {{"step", 10, 32.8, 124}, {"step/copy", 4, 0.8, 116}, {"step/solve", 6, 32, 8}};
}

TEST(PhasesOfAJob, AFrameIsTheSumOfItsRegions) {
  const JobAnalysis analysis = AnalyzedJob(JobOfWork(ComputesThenCopies()));
  EXPECT_EQ(analysis.paths[1].limit.Mark(), "DRAM");
  EXPECT_EQ(analysis.paths[2].limit.Mark(), "compute");
  EXPECT_EQ(analysis.paths[0].limit.Mark(), "compute/DRAM");
  EXPECT_EQ(LimitSentence(analysis.paths[0]),
            "60 % of its time is limited by computation, 40 % by DRAM bandwidth");
  EXPECT_EQ(analysis.paths[0].verdict.optimisation_region, "both");
}

// Of `step` only the 10 s of its own code, which need 7 s for their arithmetic: inner regions have
// their own advice, and nothing is saved twice.
TEST(PhasesOfAJob, AdviceIsAboutTheOwnCode) {
  JobProfile job =
      JobOfWork({{"step", 20, 83.8, 153}, {"step/copy", 5, 0.8, 145}, {"step/solve", 5, 27, 8}});
  job.run.passes[0].wall_s = 20;
  const JobAnalysis analysis = AnalyzedJob(job);
  const PathAnalysis& step = analysis.paths[0];
  EXPECT_EQ(Text(step.limit.phases), "compute 0.75, DRAM 0.25");
  EXPECT_FALSE(IsFrame(job, analysis, 0));
  EXPECT_THAT(WorthCuring(step.runtime), IsEmpty());
  ASSERT_TRUE(step.own);
  EXPECT_DOUBLE_EQ(*step.own->time_s, 10);
  std::set<std::string> advised;
  double saves_s = 0;
  for (const Advice& each : AdviceFor(job, analysis)) {
    const std::string& path = job.paths[each.path].path;
    EXPECT_LE(each.saves.most, *analysis.paths[each.path].Advised().time_s) << path;
    if (advised.insert(path).second) saves_s += each.saves.most;
  }
  EXPECT_THAT(advised, ::testing::IsSupersetOf({"step", "step/solve"}));
  EXPECT_LE(saves_s, 20);
}

// Of 20 s `copy` has 6 s: the other 14 s are the own code's, which computes.
TEST(PhasesOfAJob, TheOwnCodeIsJudgedWithoutItsInnerRegions) {
  const JobAnalysis analysis =
      AnalyzedJob(JobOfWork({{"step", 20, 112.4, 180}, {"step/copy", 6, 0.4, 180}}));
  EXPECT_EQ(Text(analysis.paths[0].limit.phases), "compute 0.70, DRAM 0.30");
  EXPECT_EQ(analysis.paths[0].limit.Mark(), "compute/DRAM");
}

// It may wait, or do what was not counted.
TEST(PhasesOfAJob, OwnCodeWithoutWorkIsUnexplained) {
  const JobAnalysis analysis =
      AnalyzedJob(JobOfWork({{"step", 8, 0.4, 120}, {"step/copy", 4, 0.4, 120}}));
  EXPECT_EQ(Text(analysis.paths[0].limit.phases), "? 0.50, DRAM 0.50");
}

TEST(PhasesOfAJob, ARegionThatIsMostlyItsOwnCodeKeepsItsLimit) {
  const JobAnalysis analysis =
      AnalyzedJob(JobOfWork({{"step", 10, 70, 30}, {"step/copy", 1, 0.1, 30}}));
  EXPECT_EQ(analysis.paths[0].limit.Mark(), "compute");
  EXPECT_FALSE(analysis.paths[0].limit.IsOfPhases());
}

TEST(PhasesOfAJob, TheProgramIsTheSumOfItsRegionsAndWhatLiesOutside) {
  JobProfile job = JobOfWork({{"copy", 4, 0.8, 116}, {"solve", 4, 32, 8}});
  job.whole = CellTable(kWholeRows);
  const auto set = [&](WholeRow row, MetricId id, double number) {
    const auto value = static_cast<uint64_t>(number * kGiga);
    job.whole.At(static_cast<size_t>(row), id) =
        Combine(Cell::Of(value, 0, Status::kMeasured), Cell::Of(value, 1, Status::kMeasured));
  };
  set(WholeRow::kProgram, metric::kTimeNs, 10);
  set(WholeRow::kOutside, metric::kTimeNs, 2);
  const JobAnalysis analysis = AnalyzedJob(job);
  const Limit& program = analysis.whole[static_cast<size_t>(WholeRow::kProgram)].limit;
  EXPECT_EQ(Text(program.phases), "DRAM 0.40, compute 0.40, ? 0.20");
  EXPECT_EQ(program.Mark(), "DRAM/compute");
}

TEST(PhasesOfAJob, WithoutAMachineNothingChanges) {
  const JobAnalysis analysis = Analyze(JobOfWork(ComputesThenCopies()), nullptr);
  EXPECT_EQ(analysis.paths[0].limit.Mark(), "");
}

TEST(OwnBody, IsADifference) {
  JobProfile job =
      JobOfWork({{"step", 10, 32, 64}, {"step/copy", 4, 2, 60}, {"step/copy/in", 3, 1, 50}});
  Set(job, 0, metric::kSystemNs, {5, 6}, "kernel");
  Set(job, 1, metric::kTimeNs, {1 * kGiga, 7 * kGiga}, "timer");
  EXPECT_THAT(PathsAround(job), ElementsAre(kOutermost, 0u, 1u));
  const NestedPath step = {0, {1}};
  const JobProfile own = OwnBodiesOf(job, {&step, 1});
  EXPECT_EQ(own.paths[0].path, "step");
  const Cell& time = own.At(0, metric::kTimeNs);
  EXPECT_EQ(static_cast<uint64_t>(time.Sum()), 12 * kGiga);
  EXPECT_EQ(time.max, 6 * kGiga) << "at least the mean";
  EXPECT_EQ(static_cast<uint64_t>(own.At(0, metric::kDramReadBytes).Sum()), 4 * kGiga);
  EXPECT_EQ(own.At(0, metric::kWorkers).max, job.At(0, metric::kWorkers).max);
  EXPECT_EQ(own.At(0, metric::kSystemNs).ranks, 0u) << "not known of the inner one";
}

TEST(OwnBody, IsNeverNegative) {
  const JobProfile job = JobOfWork({{"step", 4, 1, 1}, {"step/copy", 5, 2, 3}});
  const NestedPath step = {0, {1}};
  const JobProfile own = OwnBodiesOf(job, {&step, 1});
  EXPECT_EQ(own.At(0, metric::kTimeNs).max, 0u);
  EXPECT_EQ(own.At(0, metric::kLoadBytes).SumAsDouble(), 0);
}

// The region around one that the profile does not have is the next.
TEST(OwnBody, APathIsInTheNearestOneThatIsThere) {
  JobProfile job = test::EmptyJob(1);
  for (const char* path : {"a", "a b", "a/b/c", "d/e"}) AddPath(job, path);
  EXPECT_THAT(PathsAround(job), ElementsAre(kOutermost, kOutermost, 0u, kOutermost));
}

}  // namespace
}  // namespace roofmark
