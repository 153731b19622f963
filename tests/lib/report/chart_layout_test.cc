// SPDX-License-Identifier: BSD-3-Clause
//
// Geometry of charts with one region to 500, wide and narrow.
#include "lib/report/chart_layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "lib/report/rank_whiskers.h"
#include "lib/report/svg_chart.h"
#include "tests/lib/report/page_jobs.h"

namespace roofmark {
namespace {

using test::PageJob;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<PlacedLabel> All(const ChartLayout& layout) {
  std::vector<PlacedLabel> labels;
  for (const auto* part : {&layout.lines, &layout.walls, &layout.ridges, &layout.dots}) {
    for (const auto& label : *part) {
      if (label) labels.push_back(*label);
    }
  }
  return labels;
}

void ExpectApartAndInside(const std::vector<PlacedLabel>& labels, const PlotFrame& frame) {
  for (size_t i = 0; i < labels.size(); ++i) {
    for (const auto& [x, y] : labels[i].box.Corners()) {
      EXPECT_TRUE(x >= 0 && x <= frame.width && y >= 0 && y <= frame.PlotBottom())
          << labels[i].text << " leaves the chart: " << x << ", " << y;
    }
    for (size_t k = 0; k < i; ++k) {
      EXPECT_FALSE(Overlap(labels[i].box, labels[k].box))
          << labels[i].text << " lies on " << labels[k].text;
    }
  }
}

class ChartsOfAllSizes : public ::testing::TestWithParam<test::PageSize> {
 protected:
  // One analysis for all charts: a large job takes a second.
  const ReportJob job_ = PageJob(GetParam());
};

TEST_P(ChartsOfAllSizes, NoLabelLiesOnAnotherOrLeavesTheChart) {
  for (const ChartKind kind :
       {ChartKind::kRoofline, ChartKind::kHierarchical, ChartKind::kCacheAware}) {
    const Chart chart = MakeChart(job_, kind);
    for (const PlotFrame& frame : {PlotFrame(), FrameOf(321, 343), FrameOf(600, 450)}) {
      const ChartLayout layout = LayOut(chart, LogPlot(frame, chart.Range()));
      ExpectApartAndInside(All(layout), frame);
      for (size_t i = 0; i < chart.lines.size(); ++i) {
        EXPECT_TRUE(layout.lines[i]) << chart.lines[i].label << " has no name";
      }
    }
  }
}

// Nothing says how a dot lies if a name covers it.
TEST_P(ChartsOfAllSizes, NoNameOfAWallCoversADot) {
  const Chart chart = MakeChart(job_);
  for (const PlotFrame& frame : {PlotFrame(), FrameOf(321, 343), FrameOf(600, 450)}) {
    const LogPlot plot(frame, chart.Range());
    for (const auto& wall : LayOut(chart, plot).walls) {
      if (!wall) continue;
      for (const ChartDot& dot : chart.dots) {
        const double radius = RadiusOf(dot, frame);
        EXPECT_FALSE(Overlap(wall->box, {plot.X(dot.x), plot.Y(dot.y), radius, radius, 0}))
            << wall->text << " covers " << dot.name << " at " << frame.width;
      }
    }
  }
}

TEST_P(ChartsOfAllSizes, WhatTakesTheTimeHasAName) {
  const Chart chart = MakeChart(job_);
  const ChartLayout layout = LayOut(chart, LogPlot(PlotFrame(), chart.Range()));
  size_t named = 0;
  const std::vector<size_t> order = ByShare(chart.dots);
  for (size_t i = 0; i < std::min<size_t>(10, order.size()); ++i) {
    named += layout.dots[order[i]] ? 1 : 0;
  }
  EXPECT_GE(named, std::min<size_t>(10, order.size()) * 7 / 10);
}

INSTANTIATE_TEST_SUITE_P(Sizes, ChartsOfAllSizes, ::testing::ValuesIn(test::kPageSizes),
                         [](const ::testing::TestParamInfo<test::PageSize>& size) {
                           return size.param.name;
                         });

TEST(ChartLayout, TheHullEndsAtTheRidge) {
  const Chart chart = MakeChart(PageJob(1, 2));
  ASSERT_EQ(chart.hull.size(), 3u);
  const auto named = std::find_if(chart.ridges.begin(), chart.ridges.end(),
                                  [](const RidgePoint& ridge) { return !ridge.label.empty(); });
  ASSERT_NE(named, chart.ridges.end());
  EXPECT_DOUBLE_EQ(chart.hull[1].first, named->x);
  EXPECT_DOUBLE_EQ(chart.hull[1].second, named->y);
  EXPECT_DOUBLE_EQ(chart.hull[2].second, named->y);
  EXPECT_THAT(SvgChart(chart), HasSubstr("class=\"hull\""));
  EXPECT_TRUE(MakeChart(PageJob(1, 2), ChartKind::kHierarchical).hull.empty());
}

TEST(RankWhiskers, GoFromThe5thToThe95thPercentile) {
  const ReportJob job = PageJob(1, 64);
  const Spread& time = job.profile.SpreadAt(0, Drawn::kTime);
  const double flops = *job.analysis.paths[0].total_flops;
  const Whisker rate = RateOverRanks(job.profile, 0, job.analysis.paths[0]);
  EXPECT_DOUBLE_EQ(rate.low, flops / static_cast<double>(Percentile(time, 95)));
  EXPECT_DOUBLE_EQ(rate.high, flops / static_cast<double>(Percentile(time, 5)));
  const Chart chart = MakeChart(job);
  EXPECT_GE(rate.low, chart.dots[0].y) << "the dot has the slowest rank's time";
  EXPECT_THAT(SvgChart(chart), HasSubstr("class=\"whisker"));
}

TEST(RankWhiskers, AreNotDrawnWhereNothingSpreads) {
  ReportJob job = PageJob(1, 2);
  job.profile.spreads.clear();
  EXPECT_EQ(RateOverRanks(job.profile, 0, job.analysis.paths[0]).high, 0);
  EXPECT_EQ(IntensityOverRanks(job.profile, 0, job.analysis.paths[0]).high, 0);
  EXPECT_THAT(SvgChart(MakeChart(job)), Not(HasSubstr("class=\"whisker")));
}

TEST(ChartLayout, ARegionHasTheImbalanceFamily) {
  const ReportJob job = PageJob(5, 8);
  const RegionLines own = LinesOfRegion(MakeChart(job), job, job.analysis.paths[1], "B");
  std::vector<double> heights;
  for (const ChartLine& line : own.family) {
    if (line.name.find(" of ") != std::string::npos && !line.memory) heights.push_back(line.y0);
  }
  std::sort(heights.begin(), heights.end());
  ASSERT_GE(heights.size(), 2u);
  EXPECT_LT(heights.front(), heights.back());
}

}  // namespace
}  // namespace roofmark
