// SPDX-License-Identifier: BSD-3-Clause
//
// Hierarchical and cache-aware charts, and the runtime-oriented ceilings in the plain one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "lib/report/chart.h"
#include "lib/report/guidance.h"
#include "tests/lib/model/analyzed.h"

namespace roofmark {
namespace {

using test::CountedJob;
using test::JobOf;
using test::kGiga;
using test::Spread;
using test::SpreadReads;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// 4e9 scalar additions in a second: 16 GB loaded, 8 GB from L2, none from L3, 4 GB from DRAM.
ReportJob Job() {
  JobProfile job = JobOf(Width::kScalar, FlopKind::kAdd, 4 * kGiga, 4 * kGiga);
  Spread(job, metric::kLoadBytes, 16 * kGiga);
  Spread(job, metric::kL1ReadBytes, 8 * kGiga);
  Spread(job, metric::kDeclaredFlops, 5 * kGiga);
  JobAnalysis analysis = test::AnalyzedJob(job);
  return {"job", std::move(job), std::move(analysis)};
}

std::vector<std::string> Labels(const Chart& chart) {
  std::vector<std::string> labels;
  for (const ChartLine& line : chart.lines) labels.push_back(line.label);
  return labels;
}

TEST(Charts, HierarchicalHasADotForEachLevelThatMovesBytes) {
  const Chart chart = MakeChart(Job(), ChartKind::kHierarchical);
  ASSERT_EQ(chart.dots.size(), 3u);
  EXPECT_EQ(chart.dots[0].key, "A.L1");
  EXPECT_DOUBLE_EQ(chart.dots[0].x, 0.25);
  EXPECT_EQ(chart.dots[1].key, "A.L2");
  EXPECT_DOUBLE_EQ(chart.dots[1].x, 0.5);
  EXPECT_EQ(chart.dots[2].key, "A.DRAM");
  EXPECT_DOUBLE_EQ(chart.dots[2].x, 1);
  for (const ChartDot& dot : chart.dots) EXPECT_DOUBLE_EQ(dot.y, 4);
  EXPECT_THAT(chart.x_axis, HasSubstr("at each level"));
}

TEST(Charts, TooltipsOfThePageNameAllPhases) {
  ReportJob job = Job();
  const std::string compute = "100 % of the time, computation limits\"";
  EXPECT_THAT(RenderHtml({job}), HasSubstr(compute));
  job.analysis.paths[0].limit = {.what = LimitedBy::kPhases,
                                 .mark = "compute/DRAM",
                                 .phases = {{LimitedBy::kResource, "compute", "", "", 0.6},
                                            {LimitedBy::kResource, "DRAM", "", "", 0.4}}};
  EXPECT_THAT(RenderHtml({job}),
              HasSubstr("100 % of the time; 60 % of its time is limited by computation, 40 % by "
                        "DRAM bandwidth\""));
}

TEST(Charts, CacheAwareStandsAtLoadsAndStoresAgainstEverySlope) {
  const Chart chart = MakeChart(Job(), ChartKind::kCacheAware);
  ASSERT_EQ(chart.dots.size(), 1u);
  EXPECT_DOUBLE_EQ(chart.dots[0].x, 0.25);
  EXPECT_THAT(Labels(chart), Contains("L1 800 GB/s"));
  EXPECT_THAT(Labels(chart), Contains("DRAM 30.0 GB/s"));
  EXPECT_THAT(RenderChart({Job()}, {100, false}, ChartKind::kCacheAware),
              HasSubstr("loaded and stored"));
}

TEST(Charts, ThePlainOneHasTheCeilingsOfTheRegionNamedFirst) {
  std::vector<std::string> rungs;
  for (const ChartLine& line : MakeChart(Job()).lines) {
    if (line.rung) rungs.push_back(line.label);
  }
  EXPECT_THAT(rungs,
              ElementsAre("A: too few FMAs 32.0 GFLOP/s", "A: too little SIMD 8.00 GFLOP/s"));
}

// 30 GB in a second, of which 10 are compulsory, 5 fetched for stores, the rest conflicts.
ReportJob WalledJob() {
  JobProfile job = JobOf(Width::k256, FlopKind::kFma, 3 * kGiga, 25 * kGiga);
  Spread(job, metric::kDramWriteBytes, 5 * kGiga);
  Spread(job, metric::kStoreBytes, 5 * kGiga);
  Spread(job, metric::kStoreFillBytes, 5 * kGiga);
  Spread(job, metric::kMissesCompulsory, 15 * kGiga / 64);
  Spread(job, metric::kMissesConflict, 10 * kGiga / 64);
  JobAnalysis analysis = test::AnalyzedJob(job);
  return {"job", std::move(job), std::move(analysis)};
}

TEST(Charts, WallsStandWhereTrafficIsMoreThanCompulsory) {
  const Chart chart = MakeChart(WalledJob());
  ASSERT_EQ(chart.walls.size(), 3u);
  EXPECT_THAT(chart.walls[0].label, HasSubstr("A: compulsory only 0.200"));
  EXPECT_NEAR(chart.walls[0].x, 3.0 / 15, 1e-9);  // 25 GB without fetches, of which 3/5 are left
  EXPECT_NEAR(chart.walls[0].y1, 6, 1e-9);        // 30 GB/s there
  EXPECT_THAT(chart.walls[1].label, HasSubstr("A: + write-allocate 0.167"));
  EXPECT_THAT(chart.walls[2].label, HasSubstr("A: + conflict misses 0.100"));
  EXPECT_NEAR(chart.walls[2].x, chart.dots[0].x, 1e-9);  // all of its traffic: where it is
  EXPECT_TRUE(MakeChart(Job()).walls.empty());
  EXPECT_TRUE(MakeChart(WalledJob(), ChartKind::kCacheAware).walls.empty());
}

TEST(Charts, WallsAreDrawnAndNamed) {
  const std::string svg = RenderSvg({WalledJob()});
  const std::string text = RenderChart({WalledJob()}, {100, false});
  for (const char* name : {"compulsory only", "+ write-allocate", "+ conflict misses"}) {
    EXPECT_THAT(svg, HasSubstr(name));
    EXPECT_THAT(text, HasSubstr(name));
  }
  EXPECT_THAT(svg, HasSubstr("class=\"wall\""));
  EXPECT_THAT(RenderSvg({Job()}), ::testing::Not(HasSubstr("class=\"wall\"")));
}

// How many columns of an ASCII chart hold a wall; labels and other lines hide a part of each.
size_t WallColumns(const std::string& text) {
  std::map<size_t, int> rows;  // with a part of a wall, by column
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    for (size_t column = 0; column < line.size(); ++column) rows[column] += line[column] == ':';
  }
  return static_cast<size_t>(std::count_if(rows.begin(), rows.end(),
                                           [](const auto& column) { return column.second >= 5; }));
}

TEST(Charts, TheTerminalDrawsEachWall) {
  EXPECT_EQ(WallColumns(RenderChart({WalledJob()}, {100, false})), 3u);
  EXPECT_EQ(WallColumns(RenderChart({Job()}, {100, false})), 0u);
}

TEST(Guidance, SaysWhatToDoAndWhereTheRegionStands) {
  const ReportJob job = Job();
  EXPECT_THAT(FirstThings(job, 2),
              ElementsAre("A r (100 % of the run): Vectorise (1.0 of 4.0 lanes used): saves "
                          "348 ms to 770 ms",
                          "A r (100 % of the run): Fuse multiplications with additions (0 % of the "
                          "FLOPs are fused): saves 237 ms to 525 ms"));
  const std::vector<Standing> standings = Standings(job, Detail::kAll);
  ASSERT_EQ(standings.size(), 1u);
  const auto& lines = standings[0].lines;
  EXPECT_EQ(lines[0], "computation limits it: its work needs at least 500 ms of 1.00 s (50 %)");
  EXPECT_THAT(lines, Contains("4.00 GFLOP measured, 5.00 GFLOP declared (x0.800)"));
  EXPECT_THAT(lines, Contains("moving up makes this region's work at most 3.8x faster"));
}

TEST(Guidance, OperationsHaveTheirOwnName) {
  JobProfile job = CountedJob();
  SpreadReads(job, 15 * kGiga);
  Spread(job, metric::kInstructions, 4 * kGiga);
  Spread(job, metric::kDeclaredOperations, 2 * kGiga);
  job.paths[0].operation = "updates";
  JobAnalysis analysis = test::AnalyzedJob(job);
  const std::vector<Standing> standings = Standings({"job", job, analysis}, Detail::kAll);
  ASSERT_EQ(standings.size(), 1u);
  EXPECT_THAT(standings[0].lines,
              Contains("2.00G updates, 2.00 Gupdates/s; attainable 4.00 Gupdates/s"));
}

std::vector<std::string> LinesWithInstructionsApart(uint64_t mpi, uint64_t runtime) {
  JobProfile job = CountedJob();
  Spread(job, metric::kInstructions, 4 * kGiga);
  Spread(job, InMpi(metric::kInstructionsApart), mpi);
  Spread(job, InRuntime(metric::kInstructionsApart), runtime);
  JobAnalysis analysis = test::AnalyzedJob(job);
  const std::vector<Standing> standings = Standings({"job", job, analysis}, Detail::kAll);
  return standings.empty() ? std::vector<std::string>() : standings[0].lines;
}

TEST(Guidance, SaysWhatWasExecutedBesideTheWorkIfItIsMuch) {
  EXPECT_THAT(LinesWithInstructionsApart(5 * kGiga, kGiga),
              Contains("of the instructions executed in it 50 % inside MPI, 10 % in the OpenMP "
                       "runtime: in none of the counts"));
  EXPECT_THAT(LinesWithInstructionsApart(0, kGiga),
              Contains("of the instructions executed in it 20 % in the OpenMP runtime: in none of "
                       "the counts"));
  EXPECT_THAT(LinesWithInstructionsApart(kGiga / 10, 0),
              ::testing::AllOf(::testing::Not(::testing::IsEmpty()),
                               ::testing::Not(Contains(HasSubstr("in none of the counts")))));
}

}  // namespace
}  // namespace roofmark
