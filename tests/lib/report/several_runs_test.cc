// SPDX-License-Identifier: BSD-3-Clause
//
// Pictures and pages of several runs: geometry with one region to 500, what is emphasised, hostile
// names, golden files.
#include "tests/lib/report/several_runs.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "lib/report/chart_layout.h"
#include "lib/report/movement.h"
#include "lib/report/picture.h"
#include "lib/report/portability_report.h"
#include "lib/report/scaling_report.h"
#include "lib/report/svg_chart.h"
#include "tests/lib/report/golden.h"
#include "tests/lib/report/hostile_jobs.h"
#include "tests/lib/report/recorded_job.h"
#include "tests/lib/report/svg_texts.h"

namespace roofmark {
namespace {

using test::ExpectTextsApart;
using test::NothingMoves;
using test::RegionsThatArePorted;
using test::RegionsThatMove;
using test::RegionsThatScale;
using test::TwoRuns;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr double kWidthsMm[] = {0, 85, 120, 180};

std::string Picture(const TwoRuns& runs, double width_mm = 0) {
  return RenderComparisonSvg({runs.jobs()}, {.width_mm = width_mm});
}

class SeveralRuns : public ::testing::TestWithParam<size_t> {};

TEST_P(SeveralRuns, NoTextOfAComparisonLiesOnAnotherOrLeavesThePicture) {
  for (const size_t executions : {1, 5}) {
    const TwoRuns runs = RegionsThatMove(GetParam(), executions);
    for (const double width : kWidthsMm) {
      ExpectTextsApart(Picture(runs, width), fmt::format("{} regions, {} executions, {} mm",
                                                         GetParam(), executions, width));
    }
  }
}

TEST_P(SeveralRuns, NoTextOfScalingLiesOnAnotherOrLeavesThePicture) {
  for (const ScalingKind kind : {ScalingKind::kStrong, ScalingKind::kWeak}) {
    const test::ScaledJobs made = RegionsThatScale(GetParam(), kind);
    for (const double width : kWidthsMm) {
      ExpectTextsApart(RenderScalingSvg(made.scaling, {.width_mm = width}),
                       fmt::format("{} regions, {} mm", GetParam(), width));
    }
  }
}

TEST_P(SeveralRuns, NoTextOfPortabilityLiesOnAnotherOrLeavesThePicture) {
  const test::PortedJobs made = RegionsThatArePorted(GetParam());
  for (const double width : kWidthsMm) {
    ExpectTextsApart(RenderPortabilitySvg(made.regions, made.jobs, {.width_mm = width}),
                     fmt::format("{} regions, {} mm", GetParam(), width));
  }
}

// They are sent by mail.
TEST_P(SeveralRuns, PagesAreSmall) {
  constexpr size_t kMostBytes = 1'500'000;
  const test::ScaledJobs scaled = RegionsThatScale(GetParam(), ScalingKind::kStrong);
  EXPECT_LE(RenderScalingHtml(scaled.scaling, scaled.jobs).size(), kMostBytes);
  EXPECT_LE(RenderComparisonHtml({RegionsThatMove(GetParam()).jobs()}).size(), kMostBytes);
  const test::PortedJobs ported = RegionsThatArePorted(GetParam());
  EXPECT_LE(RenderPortabilityHtml(ported.regions, ported.jobs).size(), kMostBytes);
}

INSTANTIATE_TEST_SUITE_P(Sizes, SeveralRuns, ::testing::Values(1, 5, 30, 500));

// --- Comparisons --------------------------------------------------------------------------------

const ChartDot* DotOf(const Chart& chart, const std::string& begin) {
  for (const ChartDot& dot : chart.dots) {
    if (dot.name.starts_with(begin)) return &dot;
  }
  return nullptr;
}

TEST(MovementChart, EachRegionHasAnArrowFromItsFirstDotToItsSecond) {
  const TwoRuns runs = RegionsThatMove(5);
  const Chart chart = MakeMovementChart(runs.jobs()).chart;
  ASSERT_EQ(chart.arrows.size(), 4u) << "one region vanishes, one is new";
  for (const ChartArrow& arrow : chart.arrows) {
    const ChartDot &from = chart.dots[arrow.from], &to = chart.dots[arrow.to];
    EXPECT_TRUE(from.is_before);
    EXPECT_FALSE(to.is_before);
    EXPECT_EQ(from.region, to.region);
    EXPECT_TRUE(from.label.empty()) << "a region is named once";
    EXPECT_FALSE(to.label.empty());
    const Change& speed = runs.jobs().comparison.regions[to.region].Of(Quantity::kGflops);
    EXPECT_DOUBLE_EQ(from.y, *speed.before);
    EXPECT_DOUBLE_EQ(to.y, *speed.after);
  }
}

TEST(MovementChart, WhatIsBeyondNoiseIsStrongAndTheRestPale) {
  const TwoRuns runs = RegionsThatMove(30);
  const Chart chart = MakeMovementChart(runs.jobs()).chart;
  size_t strong = 0, pale = 0;
  for (const ChartArrow& arrow : chart.arrows) {
    const RegionChange& region = runs.jobs().comparison.regions[chart.dots[arrow.to].region];
    const bool beyond = region.Of(Quantity::kTime).significant;
    EXPECT_EQ(arrow.weight == Weight::kStrong, beyond) << region.path;
    EXPECT_EQ(arrow.weight == Weight::kPale, !beyond) << region.path;
    (beyond ? strong : pale)++;
  }
  EXPECT_GT(strong, 5u);
  EXPECT_GT(pale, 3u);
  const std::string svg = Picture(runs);
  EXPECT_THAT(svg, HasSubstr("class=\"arrow strong\""));
  EXPECT_THAT(svg, HasSubstr(">faster or slower beyond noise<"));
  EXPECT_THAT(svg,
              ContainsRegex("dot-name strong[^>]*>[A-Za-z0-9]+ [^<]*: [-+x][0-9.]+[^<]* time<"));
}

// Five hundred arrows cannot be read.
TEST(MovementChart, OfManyRegionsThoseThatChangedMostHaveArrows) {
  const TwoRuns runs = RegionsThatMove(500);
  const Chart chart = MakeMovementChart(runs.jobs()).chart;
  const auto seconds = [&](const ChartDot& dot) {
    const Change& time = runs.jobs().comparison.regions[dot.region].Of(Quantity::kTime);
    return time.before && time.after ? std::abs(*time.after - *time.before) : 0;
  };
  size_t shown = 0, aside = 0;
  double least_shown = 1e300, most_aside = 0;
  for (const ChartDot& dot : chart.dots) {
    if (dot.key.empty() || dot.is_program) continue;
    const bool is_aside = dot.weight == Weight::kAside;
    EXPECT_EQ(dot.label.empty(), is_aside) << dot.name;
    (is_aside ? aside : shown)++;
    if (is_aside) most_aside = std::max(most_aside, seconds(dot));
    if (!is_aside) least_shown = std::min(least_shown, seconds(dot));
  }
  EXPECT_EQ(shown, kMostMoves);
  EXPECT_GE(least_shown, most_aside) << "by seconds";
  EXPECT_EQ(chart.aside.substr(0, chart.aside.find(" (")),
            fmt::format("{} others that changed less", aside));
  EXPECT_THAT(chart.aside, HasSubstr(" beyond noise)"));
  const std::string svg = Picture(runs);
  EXPECT_THAT(svg, HasSubstr(chart.aside)) << "says what it leaves out";
  EXPECT_THAT(svg, Not(HasSubstr("arrow aside")));
  EXPECT_THAT(svg, HasSubstr(" more that changed less<")) << "below the table";
  EXPECT_THAT(RenderComparisonHtml({runs.jobs()}), HasSubstr("class=\"arrow aside\""))
      << "to be shown when a row is chosen";
}

// A large change is a factor, "x3.5*", and no percentage.
TEST(MovementChart, MarkBehindAFactorIsExplained) {
  const std::string svg = Picture(test::OneRegionSlower(3.5));
  EXPECT_THAT(svg, HasSubstr(">x3.5*<"));
  EXPECT_THAT(svg, HasSubstr(">*: beyond noise<"));
}

TEST(MovementChart, WithSingleRunsNothingIsEmphasised) {
  const TwoRuns runs = RegionsThatMove(5, 1);
  const std::string svg = Picture(runs);
  EXPECT_THAT(svg, Not(HasSubstr("arrow strong")));
  EXPECT_THAT(svg, HasSubstr(">noise is not known<"));
  EXPECT_THAT(RenderComparisonHtml({runs.jobs()}), HasSubstr("noise between runs is not known"));
}

TEST(MovementChart, NewAndVanishedRegionsHaveSigns) {
  const TwoRuns runs = RegionsThatMove(5);
  const Chart chart = MakeMovementChart(runs.jobs()).chart;
  size_t fresh = 0, vanished = 0;
  for (const ChartDot& dot : chart.dots) {
    fresh += dot.sign == DotSign::kNew;
    vanished += dot.sign == DotSign::kVanished;
    EXPECT_EQ(dot.label.ends_with(": new"), dot.sign == DotSign::kNew);
    EXPECT_EQ(dot.label.ends_with(": vanished"), dot.sign == DotSign::kVanished);
    EXPECT_EQ(dot.is_before && !dot.label.empty(), dot.sign == DotSign::kVanished);
  }
  EXPECT_EQ(fresh, 1u);
  EXPECT_EQ(vanished, 1u);
  const std::string svg = Picture(runs);
  for (const char* wanted : {"class=\"sign new", "class=\"sign vanished", ">new<", ">vanished<"}) {
    EXPECT_THAT(svg, HasSubstr(wanted));
  }
}

TEST(MovementChart, NoArrowWhereNothingMoves) {
  const TwoRuns runs = NothingMoves(30);
  const std::string svg = Picture(runs);
  EXPECT_THAT(svg, Not(HasSubstr("arrow strong")));
  EXPECT_THAT(svg, Not(ContainsRegex("class=\"arrow[^\"]*\" d=\"[^\"]*\" data-part")));
}

// Two codes that have no region in common, but the program as a whole.
TEST(MovementChart, OfUnlikeCodes) {
  const TwoRuns runs(test::RecordedJob("lulesh"), test::RecordedJob("stencil"));
  for (const double width : kWidthsMm) ExpectTextsApart(Picture(runs, width), "unlike codes");
  const Chart chart = MakeMovementChart(runs.jobs()).chart;
  const ChartDot* program = DotOf(chart, "(program)");
  ASSERT_NE(program, nullptr);
  EXPECT_TRUE(program->is_program);
}

// Marks of every kind: the picture is as high as its legend needs.
TEST(MovementChart, HasRoomForTheWholeLegend) {
  const TwoRuns runs = RegionsThatMove(30);
  Chart chart = MakeMovementChart(runs.jobs()).chart;
  for (size_t i = 0; i < chart.dots.size(); ++i)
    chart.dots[i].limit = static_cast<LimitColor>(i % 5);
  chart.dots.back().is_program = true;
  chart.dots.front().weight = Weight::kPlain;
  chart.dots.front().sign = DotSign::kNone;
  const PlotFrame frame = ChartFrame(321);
  const Drawing drawing = DrawChart(chart, frame);
  EXPECT_GT(drawing.height, frame.height);
  ExpectTextsApart(
      fmt::format("<svg viewBox=\"0 0 321 {}\">{}</svg>", drawing.height, drawing.group),
      "all marks");
}

TEST(ArrowPlace, EndsAtTheEdgesOfDots) {
  Chart chart = {};
  chart.x_min = 0.1, chart.x_max = 10, chart.y_min = 0.1, chart.y_max = 10;
  chart.dots.resize(2);
  chart.dots[0].x = chart.dots[0].y = 0.2;
  chart.dots[1].x = chart.dots[1].y = 5;
  const PlotFrame frame;
  const LogPlot plot(frame, chart.Range());
  const double radius = RadiusOf(chart.dots[1], frame);
  const auto far = PlaceArrow(chart, {0, 1, Weight::kPale}, plot);
  ASSERT_TRUE(far);
  EXPECT_TRUE(far->has_shaft);
  EXPECT_NEAR(std::hypot(far->x1 - plot.X(5), far->y1 - plot.Y(5)), radius + 1.5, 0.01);
  EXPECT_NEAR(std::hypot(far->x0 - plot.X(0.2), far->y0 - plot.Y(0.2)), radius, 0.01);
  // Too close for a shaft: the tip lies behind the second dot, in the direction of the way.
  chart.dots[0].x = 4.8;
  chart.dots[0].y = 5;
  const auto near = PlaceArrow(chart, {0, 1, Weight::kStrong}, plot);
  ASSERT_TRUE(near);
  EXPECT_FALSE(near->has_shaft);
  EXPECT_GT(near->x1, plot.X(5) + radius);
  EXPECT_FALSE(PlaceArrow(chart, {0, 1, Weight::kPale}, plot));
  chart.dots[0].x = 5;
  EXPECT_FALSE(PlaceArrow(chart, {0, 1, Weight::kStrong}, plot)) << "nothing moved";
}

nlohmann::json DataOf(const std::string& page) {
  const std::string begin = "<script type=\"application/json\" id=\"data\">";
  const size_t at = page.find(begin) + begin.size();
  return nlohmann::json::parse(page.substr(at, page.find("</script>", at) - at));
}

TEST(ComparisonPage, HealthStandsFirstThenThePictureAndTheTable) {
  const TwoRuns runs = RegionsThatMove(5, 1);
  const std::string page = RenderComparisonHtml({runs.jobs(), runs.jobs()});
  const size_t noise = page.find("noise between runs"), picture = page.find("<svg xmlns"),
               table = page.find("class=\"regions\"");
  ASSERT_NE(table, std::string::npos);
  EXPECT_LT(noise, picture);
  EXPECT_LT(picture, table);
  EXPECT_THAT(page, HasSubstr("default-src 'none'; script-src 'sha256-"));
  EXPECT_THAT(page, Not(HasSubstr(" style=\"")));
  const nlohmann::json data = DataOf(page);
  ASSERT_EQ(data.size(), 2u);
  const auto& rows = data[0]["rows"];
  ASSERT_EQ(rows.size(), runs.jobs().comparison.regions.size());
  EXPECT_EQ(data[0]["paths"].size(), rows.size());
  for (const auto& row : rows) EXPECT_EQ(row.size(), rows[0].size());
}

// --- Scaling and portability --------------------------------------------------------------------

TEST(ScalingPicture, HasTheIdealAndTheLinesOfThoseThatTakeTheTime) {
  const test::ScaledJobs made = RegionsThatScale(30, ScalingKind::kStrong);
  const std::string svg = RenderScalingSvg(made.scaling, {});
  EXPECT_THAT(svg, HasSubstr("class=\"ideal\""));
  EXPECT_THAT(svg, HasSubstr(">ideal<"));
  EXPECT_THAT(svg, HasSubstr(">speedup over 1 x 1<"));
  EXPECT_THAT(svg, HasSubstr("class=\"series s5\""));
  EXPECT_THAT(svg, HasSubstr("class=\"series faint\""));
  const auto weak = RegionsThatScale(5, ScalingKind::kWeak);
  EXPECT_THAT(RenderScalingSvg(weak.scaling, {}),
              HasSubstr(">speedup over 1 x 1, of the grown work<"));
  EXPECT_THAT(RenderScalingHtml(weak.scaling, weak.jobs), HasSubstr("weak scaling: work that"));
}

TEST(ScalingPicture, EveryLineWithAColourHasItsName) {
  const test::ScaledJobs made = RegionsThatScale(30, ScalingKind::kStrong);
  for (const double width_mm : kWidthsMm) {
    const auto picture = test::ReadSvg(RenderScalingSvg(made.scaling, {.width_mm = width_mm}));
    size_t ideal = 0, names = 0;
    for (const test::DrawnText& text : picture.texts) {
      ideal += text.text == "ideal";
      names += text.css == "dot-name" && text.box.x > picture.width / 2;
    }
    EXPECT_EQ(ideal, 2u) << width_mm;
    EXPECT_EQ(names, 2 * 6u) << width_mm;
  }
}

// A run that lacks a region interrupts its line.
TEST(ScalingPicture, LinesHaveGaps) {
  const test::ScaledJobs made = RegionsThatScale(5, ScalingKind::kStrong);
  EXPECT_THAT(RenderScalingSvg(made.scaling, {}),
              ContainsRegex("class=\"series s[0-9]\" d=\"M[^M\"]*L[^M\"]*M[^\"]*\""));
}

TEST(PortabilityPicture, HasEachPlatformAndWhatTheyMakeTogether) {
  const test::PortedJobs made = RegionsThatArePorted(5);
  const std::string svg = RenderPortabilitySvg(made.regions, made.jobs, {});
  EXPECT_THAT(svg, HasSubstr(">1: platform1.json on "));
  EXPECT_THAT(svg, HasSubstr(">3: no value<"));
  EXPECT_THAT(svg,
              HasSubstr(fmt::format(">Φ: {:.1f} %<", made.regions.back().portability[0] * 100)));
  EXPECT_THAT(svg, HasSubstr(">Φ: 0.0 %<")) << "missing on one platform";
  const std::string page = RenderPortabilityHtml(made.regions, made.jobs);
  EXPECT_EQ(DataOf(page)[0]["rows"][0].size(), 1 + kPairings * 4);
  EXPECT_THAT(page, HasSubstr("performance portability over 3 platforms"));
}

TEST(PortabilityText, CsvHasARowForEachFileAndOneForAll) {
  RegionPortability region;
  region.path = "a,b";
  region.efficiency.fill({0.5, std::nullopt});
  region.portability = {0, 0.25, 1};
  EXPECT_EQ(RenderPortabilityCsv({region}, {"one.json", "two.json"}),
            "path,metric,file,value\n"
            "\"a,b\",efficiency,one.json,0.5\n"
            "\"a,b\",efficiency,two.json,\n"
            "\"a,b\",efficiency,,0\n"
            "\"a,b\",efficiency_top_roof,one.json,0.5\n"
            "\"a,b\",efficiency_top_roof,two.json,\n"
            "\"a,b\",efficiency_top_roof,,0.25\n"
            "\"a,b\",efficiency_no_fma_roof,one.json,0.5\n"
            "\"a,b\",efficiency_no_fma_roof,two.json,\n"
            "\"a,b\",efficiency_no_fma_roof,,1\n");
}

// --- Hostile names ------------------------------------------------------------------------------

std::string HostilePages(const std::string& text, bool svg) {
  const std::vector<ReportJob> jobs = test::HostileJobs(text);
  const TwoRuns runs(jobs[0], jobs[1]);
  std::deque<ReportJob> all(jobs.begin(), jobs.end());
  all[1].profile.run.ranks = 8;
  const Scaling scaling = ScalingOf(
      {{all[0].profile, all[0].analysis}, {all[1].profile, all[1].analysis}}, std::nullopt);
  const std::vector<RegionPortability> regions =
      PortabilityOf({{&all[0].profile, &all[0].analysis}, {&all[1].profile, &all[1].analysis}});
  if (!svg) {
    return RenderComparisonHtml({runs.jobs()}) + RenderScalingHtml(scaling, all) +
           RenderPortabilityHtml(regions, all);
  }
  for (const double width : kWidthsMm) {
    const PictureStyle style = {.width_mm = width};
    ExpectTextsApart(RenderComparisonSvg({runs.jobs()}, style), "hostile comparison");
    ExpectTextsApart(RenderScalingSvg(scaling, style), "hostile scaling");
    ExpectTextsApart(RenderPortabilitySvg(regions, all, style), "hostile portability");
  }
  return RenderComparisonSvg({runs.jobs()}, {}) + RenderScalingSvg(scaling, {}) +
         RenderPortabilitySvg(regions, all, {});
}

TEST(SeveralHostileRuns, NamesAreTextInPicturesAndPages) {
  for (const std::string& text : {test::kHostile, test::LongHostile()}) {
    for (const bool svg : {true, false}) {
      const std::string out = HostilePages(text, svg);
      EXPECT_THAT(out, HasSubstr("&lt;script&gt;"));
      EXPECT_THAT(out, Not(HasSubstr("<script>x")));
      EXPECT_THAT(out, Not(HasSubstr("]]>")));
      for (const char* control : {"\x1b", "\x07", "\xC2\x9B", "\xE2\x80\xAE"}) {
        EXPECT_THAT(out, Not(HasSubstr(control)));
      }
    }
  }
}

// --- Golden files -------------------------------------------------------------------------------

TEST(SeveralRunsGolden, Comparison) {
  test::ExpectGolden(Picture(RegionsThatMove(5)), "comparison.svg");
}

TEST(SeveralRunsGolden, ComparisonOfAPaper) {
  test::ExpectGolden(
      RenderComparisonSvg({RegionsThatMove(5).jobs()}, {.width_mm = 85, .theme = SvgTheme::kDark}),
      "comparison_narrow_dark.svg");
}

TEST(SeveralRunsGolden, Scaling) {
  test::ExpectGolden(RenderScalingSvg(RegionsThatScale(5, ScalingKind::kStrong).scaling, {}),
                     "scaling.svg");
}

TEST(SeveralRunsGolden, Portability) {
  const test::PortedJobs made = RegionsThatArePorted(5);
  test::ExpectGolden(RenderPortabilitySvg(made.regions, made.jobs, {}), "portability.svg");
}

}  // namespace
}  // namespace roofmark
