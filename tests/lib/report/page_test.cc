// SPDX-License-Identifier: BSD-3-Clause
//
// What the page carries; what its script makes of it is tested in a browser (page_browser_test.py).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <vector>

#include "lib/assembly/assembly.h"
#include "lib/report/guidance.h"
#include "lib/report/letters.h"
#include "lib/report/loop_words.h"
#include "lib/report/loops_text.h"
#include "lib/report/page_assets.h"
#include "lib/report/report.h"
#include "tests/lib/report/page_jobs.h"
#include "tests/lib/report/recorded_job.h"

namespace roofmark {
namespace {

using test::PageJob;
using test::RecordedJob;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kDataBegin = "<script type=\"application/json\" id=\"data\">";

nlohmann::json DataOf(const std::string& page) {
  const size_t begin = page.find(kDataBegin) + kDataBegin.size();
  return nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

TEST(Page, HasAPolicyThatAllowsItsOwnScriptAlone) {
  const std::string page = RenderHtml({PageJob(1, 2)});
  const size_t begin = page.find("Content-Security-Policy");
  ASSERT_NE(begin, std::string::npos);
  const std::string policy = page.substr(begin, page.find('>', begin) - begin);
  EXPECT_THAT(policy, HasSubstr("default-src 'none'; script-src 'sha256-"));
  EXPECT_THAT(policy, Not(HasSubstr("unsafe")));
  EXPECT_THAT(page, Not(HasSubstr(" style=\""))) << "attributes would be refused";
  EXPECT_THAT(page, Not(::testing::ContainsRegex(" on[a-z]*=\"")));
}

TEST(Page, IsSmallWithoutData) {
  EXPECT_LT(kPageScript.text.size() + kPageStyle.text.size() + kChartStyle.text.size(), 150'000u);
}

TEST(Page, ARegionOfSeveralExecutionsHasTheTimesOfAll) {
  ReportJob job = PageJob(2, 4);
  job.profile.run.repeats_s.assign(3, 10.0);
  job.profile.paths[0].repeats_ns = {2'000'000'000, 1'500'000'000, 3'000'000'000};
  const nlohmann::json regions = DataOf(RenderHtml({job}))[0]["regions"];
  ASSERT_EQ(regions[0]["more"].size(), 1u);
  EXPECT_EQ(regions[0]["more"][0][0], "Executions for time");
  EXPECT_EQ(regions[0]["more"][0][1][0], "3 of them: 1.50 s to 3.00 s");
  EXPECT_FALSE(regions[1].contains("more"));
}

TEST(Page, DataHasEveryRegionWithItsNumbersAndSentences) {
  const ReportJob job = PageJob(5, 4);
  const nlohmann::json run = DataOf(RenderHtml({job}))[0];
  ASSERT_EQ(run["regions"].size(), 5u);
  const nlohmann::json& region = run["regions"][1];
  EXPECT_EQ(region["path"], job.profile.paths[1].path);
  EXPECT_EQ(region["callPath"].size(), 2u);
  EXPECT_EQ(region["source"], "app.c:11");
  EXPECT_FALSE(region["lines"].empty());
  EXPECT_EQ(region["ceilings"].size(), kShortfalls);
  EXPECT_EQ(region["spreads"][0]["of"], "time");
  EXPECT_EQ(region["spreads"][0]["quantiles"].size(), kPercentiles.size());
  EXPECT_GT(region["counters"].size(), 20u);
  EXPECT_EQ(run["charts"].size(), 3u);
  EXPECT_EQ(run["charts"][0]["dots"].size(), 5u);
}

TEST(Page, CountersHaveStatusAndOrigin) {
  const nlohmann::json run = DataOf(RenderHtml({PageJob(5, 4)}))[0];
  const auto text = [&run](const nlohmann::json& index) {
    return run["texts"][index.get<size_t>()];
  };
  bool modelled = false, missing = false;
  for (const auto& counter : run["regions"][1]["counters"]) {
    if (text(counter[3]) == "modelled") {
      modelled = true;
      EXPECT_THAT(text(counter[4]).get<std::string>(), HasSubstr("counting")) << text(counter[0]);
    }
    missing |= !text(counter[5]).get<std::string>().empty();
  }
  EXPECT_TRUE(modelled);
  EXPECT_TRUE(missing) << "what is missing has its reason";
}

class PageLoopsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!assembly::CanRead()) GTEST_SKIP() << assembly::WhyNot();
  }
};

TEST_F(PageLoopsTest, RegionsHaveThoseThatTheTerminalShows) {
  const ReportJob job = RecordedJob("lulesh");
  const nlohmann::json run = DataOf(RenderHtml({job}))[0];
  const nlohmann::json& loops = run["loops"]["loops"];
  ASSERT_EQ(loops.size(), job.loops.loops.size());
  const std::string terminal = RenderLoops(job, job.loops, "");
  size_t own = 0;
  for (const auto& region : run["regions"]) {
    if (!region.contains("loops") || region["loops"].is_null()) continue;
    for (const auto& use : region["loops"]["of"]) {
      own += use[3].get<bool>() ? 1 : 0;
      EXPECT_LT(use[0].get<size_t>(), loops.size());
    }
  }
  EXPECT_GT(own, loops.size()) << "the program has all, and a region each but what is outside";
  for (const auto& row : loops[0]["code"]) {
    const auto text = row[3].get<std::string>();
    EXPECT_THAT(terminal, HasSubstr(text.substr(0, 40)));
  }
  EXPECT_EQ(loops[0]["name"], LoopTitle(job.loops.loops[0]));
  EXPECT_EQ(loops[0]["lines"], LoopSentences(job.loops.loops[0], job.loops));
}

TEST_F(PageLoopsTest, OfTheProgramAreAllHottestFirst) {
  const nlohmann::json run = DataOf(RenderHtml({RecordedJob("lulesh")}))[0];
  const nlohmann::json& program = run["regions"].back();
  const nlohmann::json& uses = program["loops"]["of"];
  ASSERT_EQ(program["name"], "(program)");
  EXPECT_EQ(uses.size(), run["loops"]["loops"].size());
  EXPECT_THAT(uses[0][2].get<std::string>(), HasSubstr(" of the run's time"));
  EXPECT_EQ(uses[0][0], 0) << "hottest first";
}

// The page shows first what the first advice is about.
TEST(Page, BeginsWithTheRegionOfTheFirstAdvice) {
  const ReportJob job = RecordedJob("lulesh");
  const nlohmann::json run = DataOf(RenderHtml({job}))[0];
  const nlohmann::json& first = run["regions"][run["first"].get<size_t>()];
  const std::vector<std::string> things = FirstThings(job, 1);
  ASSERT_EQ(things.size(), 1u);
  EXPECT_THAT(things[0], ::testing::StartsWith(first["key"].get<std::string>() + " " +
                                               first["name"].get<std::string>()));
}

TEST(Page, SaysHowToRecordLoopsWhereThereAreNone) {
  ReportJob job = PageJob(1, 2);
  job.loops = {};
  const nlohmann::json run = DataOf(RenderHtml({job}))[0];
  EXPECT_TRUE(run["loops"].is_null());
  EXPECT_THAT(run["whyNoLoops"].get<std::string>(), HasSubstr("--loops"));
}

TEST(Page, HealthIsOneLineWithTheRestBehindIt) {
  const std::string page = RenderHtml({RecordedJob("lulesh")});
  EXPECT_THAT(page, HasSubstr("<details class=\"health foldable\" open><summary><h3>Health: 4 "
                              "doubts, the worst: other load on the CPUs</h3></summary>"));
  EXPECT_THAT(page, HasSubstr("</ul><details class=\"rest\"><summary>3 more</summary>\n<ul>"));
  EXPECT_THAT(page, HasSubstr("<summary>4 more</summary>\n<ol start=\"2\">"));
  EXPECT_THAT(page, HasSubstr("<summary>3 more</summary>\n<ol start=\"3\">"));
}

TEST(Page, SaysAllWithoutItsScript) {
  const std::string page = RenderHtml({PageJob(5, 4)});
  EXPECT_THAT(page, HasSubstr("<noscript>"));
  EXPECT_THAT(page, HasSubstr("Hierarchical roofline"));
  EXPECT_THAT(page, HasSubstr("dp peak"));
  EXPECT_THAT(page, HasSubstr("<h3>Hot loops</h3>\n<pre>"));
}

TEST(Svg, HasTheWidthThatAPaperAsksFor) {
  const std::string svg = RenderSvg({PageJob(30, 4)}, ChartKind::kRoofline, {.width_mm = 85});
  EXPECT_THAT(svg, HasSubstr("width=\"85mm\""));
  EXPECT_THAT(svg, HasSubstr("viewBox=\"0 0 321.26 "));
}

// In a crowd names stand higher or lower than their dots.
TEST(Svg, NamesThatStandElsewhereHaveALineToTheirDots) {
  EXPECT_THAT(RenderSvg({PageJob(30, 4)}), HasSubstr("class=\"leader\""));
  const std::string one = RenderSvg({PageJob(1, 4)});
  EXPECT_EQ(one.find("class=\"leader\""), one.rfind("class=\"leader\"")) << "that of the ridge";
}

// (y, right edge, text) of the numbers below a chart.
struct LegendCell {
  std::string y;
  double right;
  std::string text;
};

std::vector<LegendCell> LegendCells(const std::string& svg) {
  const std::regex cell("<text class=\"end\" x=\"([0-9.]+)\" y=\"([0-9.]+)\">([^<]+)</text>");
  std::vector<LegendCell> cells;
  for (auto at = std::sregex_iterator(svg.begin(), svg.end(), cell); at != std::sregex_iterator();
       ++at) {
    cells.push_back({(*at)[2], std::stod((*at)[1]), (*at)[3]});
  }
  return cells;
}

TEST(Svg, LegendHasRoomForTwoLimits) {
  ReportJob job = PageJob(5, 4);
  for (PathAnalysis& path : job.analysis.paths) {
    path.limit = {LimitedBy::kResource, "dependences", "DRAM", "chain+DRAM"};
  }
  job.analysis.paths.back().limit.mark = "chain+DRAM/latency";  // has less
  for (const double width_mm : {0.0, 85.0}) {
    const double letter = width_mm > 0 ? 10 : 12;
    const std::vector<LegendCell> cells =
        LegendCells(RenderSvg({job}, ChartKind::kRoofline, {.width_mm = width_mm}));
    size_t limits = 0;
    for (size_t i = 1; i < cells.size(); ++i) {
      if (cells[i].y != cells[i - 1].y) continue;
      limits += cells[i].text.starts_with("chain");
      EXPECT_GT(cells[i].right - LettersWidth(cells[i].text, letter), cells[i - 1].right + 3)
          << cells[i - 1].text << " " << cells[i].text << ", " << width_mm;
    }
    EXPECT_GE(limits, 5u);
  }
}

// On GitHub, <picture> chooses one of two files: each has its own colours, whatever the reader has.
TEST(Svg, HasAThemeOfItsOwn) {
  const auto render = [](SvgTheme theme) {
    return RenderSvg({PageJob(5, 4)}, ChartKind::kRoofline, {0, theme});
  };
  const std::string light = render(SvgTheme::kLight), dark = render(SvgTheme::kDark);
  EXPECT_THAT(light, Not(HasSubstr("data-theme")));
  EXPECT_THAT(dark, HasSubstr("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"860\""));
  EXPECT_THAT(dark, HasSubstr(" data-theme=\"dark\" viewBox"));
  EXPECT_THAT(dark, HasSubstr("[data-theme=dark] .paper{fill:#14181d}"));
}

}  // namespace
}  // namespace roofmark
