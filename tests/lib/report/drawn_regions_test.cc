// SPDX-License-Identifier: BSD-3-Clause
//
// Pictures of some of the regions.
#include "lib/report/drawn_regions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/report/chart.h"
#include "lib/report/rows.h"
#include "tests/lib/report/page_jobs.h"
#include "tests/lib/report/recorded_job.h"

namespace roofmark {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// Indices of its regions are 0 and up; the program is 5.
const ReportJob& FiveRegions() {
  static const auto& job = *new ReportJob(test::PageJob(5, 4));
  return job;
}

std::string PathOf(size_t row) { return FiveRegions().profile.paths[row].path; }

std::vector<size_t> DrawnOf(const std::string& list) {
  return DrawnRegions::Parse(list)->In(FiveRegions().profile);
}

TEST(DrawnRegions, StandInTheOrderInWhichTheyAreNamed) {
  EXPECT_THAT(DrawnOf(PathOf(3) + "," + PathOf(1)), ElementsAre(3, 1));
  EXPECT_THAT(DrawnOf(PathOf(3) + "," + PathOf(1) + "," + PathOf(3)), ElementsAre(3, 1));
  EXPECT_THAT(DrawnOf("*"), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(DrawnOf("-" + PathOf(2)), ElementsAre(0, 1, 3, 4));
  EXPECT_THAT(DrawnOf("*,-" + PathOf(0) + "," + PathOf(0)), ElementsAre(1, 2, 3, 4, 0));
}

TEST(DrawnRegions, TheProgramIsOneOfThem) {
  const ReportJob job = test::RecordedJob("lulesh");
  const size_t program = job.profile.paths.size();
  ASSERT_EQ(job.analysis.whole.size(), 2u);
  EXPECT_THAT(DrawnRegions::Parse("(program)")->In(job.profile), ElementsAre(program));
}

TEST(DrawnRegions, UnknownOnesAreNamed) {
  const std::vector<ReportJob> jobs = {test::RecordedJob("stencil")};
  const auto why = [&jobs](const char* list) {
    return DrawnRegions::Parse(list)->WhyUnknown(jobs);
  };
  EXPECT_THAT(why("halo,stencil"), IsEmpty());
  EXPECT_EQ(why("halo,stensil"), "no region is called stensil: did you mean stencil?");
  EXPECT_EQ(why("x/*"), "no region is called x/*: `roofmark report FILE --all` lists them");
  EXPECT_FALSE(DrawnRegions::Parse("halo,,stencil"));
}

ReportJob Drawing(std::vector<size_t> rows) {
  ReportJob job = FiveRegions();
  job.drawn = std::move(rows);
  return job;
}

std::vector<size_t> RowsOfDots(const Chart& chart) {
  std::vector<size_t> rows;
  for (const ChartDot& dot : chart.dots) {
    if (rows.empty() || rows.back() != dot.region) rows.push_back(dot.region);
  }
  return rows;
}

TEST(DrawnRegions, AreTheDotsOfEveryKindOfChart) {
  for (const ChartKind kind :
       {ChartKind::kRoofline, ChartKind::kHierarchical, ChartKind::kCacheAware}) {
    EXPECT_THAT(RowsOfDots(MakeChart(Drawing({3, 1}), kind)), ElementsAre(3, 1));
    EXPECT_THAT(RowsOfDots(MakeChart(Drawing({}), kind)), IsEmpty());
  }
}

// The ceilings below the roofs are of one region: of one that is drawn.
TEST(DrawnRegions, HaveTheirOwnCeilings) {
  ReportJob job = FiveRegions();
  const std::optional<size_t> first = FirstPath(job);
  ASSERT_TRUE(first);
  job.drawn = std::vector<size_t>{};
  for (size_t row = 0; row < 5; ++row) {
    if (row != *first) job.drawn->push_back(row);
  }
  EXPECT_NE(FirstPath(job), first);
}

TEST(DrawnRegions, AreTheRowsOfThePicturesTable) {
  const std::vector<Row> rows = TableRows(FiveRegions());
  const std::string svg = RenderSvg({Drawing({3, 1})});
  const std::string third = ">" + NameOf(rows[3]) + "</text>", first = ">" + NameOf(rows[1]);
  ASSERT_NE(svg.rfind(third), std::string::npos);
  EXPECT_LT(svg.rfind(third), svg.rfind(first));
  EXPECT_THAT(svg, Not(HasSubstr(">" + NameOf(rows[2]))));
}

}  // namespace
}  // namespace roofmark
