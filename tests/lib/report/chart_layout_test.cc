// SPDX-License-Identifier: BSD-3-Clause
//
// Geometry of charts with one region to 500, wide and narrow.
#include "lib/report/chart_layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

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
        // Ceilings of a region are lightly drawn, and in a small chart the plot may be full.
        const bool may_lack = chart.lines[i].rung && frame.width < kSvgChartWidth;
        EXPECT_TRUE(layout.lines[i] || may_lack)
            << chart.lines[i].label << " has no name at " << frame.width;
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

// A job of 64 ranks whose FLOPs and times are given by rank.
struct OfRanks {
  OfRanks(const std::function<uint64_t(uint32_t)>& flops,
          const std::function<uint64_t(uint32_t)>& time_ns)
      : job(PageJob(1, kRanks)) {
    Spread done, took;
    double sum = 0, slowest_ns = 0, fastest = 0;
    for (uint32_t rank = 0; rank < kRanks; ++rank) {
      const auto own = static_cast<double>(flops(rank)), ns = static_cast<double>(time_ns(rank));
      Add(done, {flops(rank), rank}, Bit(Status::kMeasured));
      Add(took, {time_ns(rank), rank}, Bit(Status::kMeasured));
      sum += own;
      slowest_ns = std::max(slowest_ns, ns);
      fastest = std::max(fastest, own / ns);
    }
    job.profile.spreads[static_cast<size_t>(Drawn::kFlops)] = done;
    job.profile.spreads[static_cast<size_t>(Drawn::kTime)] = took;
    PathAnalysis& path = job.analysis.paths[0];
    path.time_s = Value::Of(slowest_ns * 1e-9, Status::kMeasured, "timer");
    path.gflops = Value::Of(sum / slowest_ns, Status::kMeasured, "counting");
    roof = kRanks * fastest;
  }
  Whisker Rate() const { return RateOverRanks(job.profile, 0, job.analysis.paths[0]); }

  static constexpr uint32_t kRanks = 64;
  ReportJob job;
  double roof = 0;  // all ranks at the rate of the fastest one
};

// The dot has the time of the slowest rank, and so have both ends.
TEST(RankWhiskers, GoFromThe5thToThe95thPercentileAroundTheDot) {
  const OfRanks uneven([](uint32_t rank) { return 1'000'000 * (1 + rank); },
                       [](uint32_t rank) { return 1'000'000 * (1 + rank); });
  EXPECT_NEAR(uneven.Rate().low, 4, 0.1);
  EXPECT_NEAR(uneven.Rate().high, 61, 1);
  EXPECT_NEAR(*uneven.job.analysis.paths[0].gflops, 32.5, 1e-9);
  EXPECT_THAT(SvgChart(MakeChart(uneven.job)), HasSubstr("class=\"whisker"));
}

TEST(RankWhiskers, HoldTheDotAndStayBelowWhatEachRankCouldDo) {
  const std::function<uint64_t(uint32_t)> shapes[] = {
      [](uint32_t rank) { return 1'000'000 + 1000 * rank; },
      [](uint32_t rank) { return rank < 60 ? 1'000'000 : 100'000'000; },
      [](uint32_t rank) { return rank < 2 ? 1'000'000 + rank : 50'000'000 + rank; },
      [](uint32_t rank) { return rank == 63 ? 500'000'000 : 1'000'000 + 20'000 * rank; },
      [](uint32_t) { return 1'000'000; }};
  for (const auto& flops : shapes) {
    for (const auto& time_ns : shapes) {
      const OfRanks job(flops, time_ns);
      const Whisker rate = job.Rate();
      if (rate.high == 0) continue;
      EXPECT_LE(rate.low, *job.job.analysis.paths[0].gflops);
      EXPECT_GE(rate.high, *job.job.analysis.paths[0].gflops);
      EXPECT_LE(rate.high, 1.02 * job.roof) << "percentiles are within the error of a bucket";
    }
  }
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
