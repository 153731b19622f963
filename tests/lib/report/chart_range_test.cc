// SPDX-License-Identifier: BSD-3-Clause
//
// Which dots the axes of a chart reach, and what becomes of the others.
#include "lib/report/chart_range.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "lib/report/chart_layout.h"
#include "lib/report/svg_chart.h"
#include "lib/report/terminal_chart.h"
#include "tests/lib/report/page_jobs.h"
#include "tests/lib/report/recorded_job.h"

namespace roofmark {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

ChartDot Dot(double y, double share, double x = 1) {
  ChartDot dot = {};
  dot.key = "K";
  dot.label = "K name";
  dot.x = x;
  dot.y = y;
  dot.share = share;
  return dot;
}

TEST(InFocus, ADotWithLittleTimeFarBelowIsNot) {
  EXPECT_THAT(InFocus({Dot(5, 0.5), Dot(2, 0.3), Dot(1e-4, 0.001)}),
              ElementsAre(true, true, false));
  EXPECT_THAT(InFocus({Dot(5, 0.5), Dot(2, 0.3), Dot(0.3, 0.001)}), Each(true)) << "not far";
  EXPECT_THAT(InFocus({Dot(5, 0.5), Dot(2, 0.3), Dot(0.01, 0.001)}), Each(true))
      << "three decades have room";
  EXPECT_THAT(InFocus({Dot(5, 0.5), Dot(2, 0.3), Dot(1, 0.001, 5e4)}),
              ElementsAre(true, true, false))
      << "far to the right";
  EXPECT_THAT(InFocus({Dot(5, 0.5), Dot(2, 0.3), Dot(1, 0.001, 5e3)}), Each(true))
      << "four decades have room";
}

TEST(InFocus, ADotThatTakesTimeNeedsALargerGap) {
  EXPECT_THAT(InFocus({Dot(5, 0.5), Dot(2, 0.3), Dot(0.05, 0.2)}), Each(true));
  EXPECT_THAT(InFocus({Dot(5, 0.3), Dot(2, 0.3), Dot(1e-4, 0.4)}), ElementsAre(true, true, false));
  // From dot to dot there is no gap.
  EXPECT_THAT(InFocus({Dot(5, 0.3), Dot(0.1, 0.3), Dot(2e-3, 0.4), Dot(5e-5, 0.2)}), Each(true));
}

TEST(InFocus, ManyDotsAreNoExceptions) {
  std::vector<ChartDot> dots = {Dot(5, 0.5), Dot(4, 0.4)};
  for (int i = 0; i < 4; ++i) dots.push_back(Dot(1e-4, 0.001));
  EXPECT_THAT(InFocus(dots), Each(true));
  EXPECT_THAT(InFocus({Dot(1e-4, 1)}), ElementsAre(true)) << "one region";
  EXPECT_THAT(InFocus({}), ElementsAre());
}

TEST(InFocus, WhereNoTimesAreKnownAllDotsCount) {
  EXPECT_THAT(InFocus({Dot(5, 0), Dot(2, 0), Dot(0.05, 0)}), Each(true));
  EXPECT_THAT(InFocus({Dot(5, 0), Dot(2, 0), Dot(1e-4, 0)}), ElementsAre(true, true, false));
}

Chart WithASlowDot(ChartExtent extent = ChartExtent::kFocus) {
  return MakeChart(nullptr, {Dot(5, 0.5), Dot(2, 0.3, 2), Dot(7.18e-4, 0.001)}, {}, {}, false, {},
                   extent);
}

TEST(ChartRange, TheAxesEndWhereTheOthersDo) {
  const Chart chart = WithASlowDot();
  EXPECT_DOUBLE_EQ(chart.y_min, 1);
  EXPECT_EQ(chart.dots[0].beyond, "");
  EXPECT_EQ(chart.dots[2].beyond, "0.000718 GFLOP/s");
  const Chart whole = WithASlowDot(ChartExtent::kWhole);
  EXPECT_LT(whole.y_min, 7.18e-4);
  EXPECT_EQ(whole.dots[2].beyond, "");
}

TEST(ChartRange, WhatLiesOutsideHasAMarkWithItsNameAndItsValue) {
  const std::string svg = SvgChart(WithASlowDot());
  EXPECT_THAT(svg, HasSubstr("rotate(90)")) << "points down";
  EXPECT_THAT(svg, HasSubstr(">K name: 0.000718 GFLOP/s<"));
  EXPECT_THAT(svg, HasSubstr(">outside of the axes (1)<"));
  EXPECT_THAT(SvgChart(WithASlowDot(ChartExtent::kWhole)), Not(HasSubstr("outside of the axes")));
  EXPECT_THAT(DrawInTerminal(WithASlowDot(), {.unicode = false}),
              HasSubstr("outside of the axes: K at 0.000718 GFLOP/s"));
}

// Two of its regions do nothing but wait, at a thousandth of the others' speed.
TEST(ChartRange, OfARealCode) {
  const ReportJob job = test::RecordedJob("lulesh");
  const Chart chart = MakeChart(job);
  const auto beyond = [](const ChartDot& dot) { return !dot.beyond.empty(); };
  EXPECT_EQ(std::count_if(chart.dots.begin(), chart.dots.end(), beyond), 2);
  EXPECT_LE(chart.y_max / chart.y_min, 2000);
  const Chart whole = MakeChart(job, ChartKind::kRoofline, ChartExtent::kWhole);
  EXPECT_GE(whole.y_max / whole.y_min, 1e5) << "all of it";
  EXPECT_EQ(std::count_if(whole.dots.begin(), whole.dots.end(), beyond), 0);
  for (const PlotFrame& frame : {PlotFrame(), FrameOf(321, 343)}) {
    const LogPlot plot(frame, chart.Range());
    const ChartLayout layout = LayOut(chart, plot);
    for (size_t i = 0; i < chart.dots.size(); ++i) {
      const DotSpot spot = SpotOf(chart.dots[i], plot);
      EXPECT_TRUE(spot.x >= frame.left && spot.x <= frame.PlotRight() && spot.y >= frame.top &&
                  spot.y <= frame.PlotBottom())
          << chart.dots[i].name;
      if (!beyond(chart.dots[i])) continue;
      ASSERT_TRUE(layout.dots[i]) << chart.dots[i].name << " has no name at " << frame.width;
      // In a small chart there may be room for the key alone.
      EXPECT_THAT(layout.dots[i]->text, HasSubstr(frame.narrow() ? chart.dots[i].key : "GFLOP/s"));
    }
  }
}

}  // namespace
}  // namespace roofmark
