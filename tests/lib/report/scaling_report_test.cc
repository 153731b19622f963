// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/scaling_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "lib/report/bars.h"
#include "lib/report/display_width.h"

namespace roofmark {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

Scaling Sample() {
  Scaling scaling;
  scaling.work_growth = 1;
  scaling.runs = {{1, 1, 1, 1}, {0, 2, 2, 4}};
  ScalingPoint one, four;
  one.time_s = 1;
  one.speedup = one.efficiency = one.computation = one.communication = one.balance = 1;
  four = {0.5, 2, 0.5, 1, 0.625, 0.8, 1.0 / 3};
  scaling.regions = {{"so|lve", {one, four}}, {"=new", {{}, one}}};
  return scaling;
}

const std::vector<std::string> kNames = {"n4.json", "n1.json"};

TEST(ScalingReport, TableChartAndLoss) {
  const std::string text = RenderScaling(Sample(), kNames, {.width = 120, .unicode = false});
  EXPECT_THAT(text, HasSubstr("n1.json: 1 x 1 ranks x threads\nn4.json: 2 x 2 ranks x threads\n"));
  EXPECT_THAT(text, HasSubstr("strong scaling: the same work on more workers; from the first run "
                              "to the last FLOPs grow by 1, workers by 4"));
  EXPECT_THAT(text,
              ContainsRegex("2 x 2 +500 ms +2.00 +50.0 % +100.0 % +62.5 % +80.0 % +33.3 %\n"));
  EXPECT_THAT(text, ContainsRegex("2 x 2 #+\\.+ +50.0 %\n"));
  EXPECT_THAT(text, HasSubstr("so|lve: 50 % efficiency with 4 workers; most is lost to time inside "
                              "MPI (x0.62)"));
}

TEST(ScalingReport, WithoutMpiTimesTheLossHasNoParts) {
  Scaling scaling = Sample();
  for (ScalingPoint& point : scaling.regions[0].points) {
    point.computation = point.communication = point.balance = std::nullopt;
  }
  EXPECT_THAT(RenderScaling(scaling, kNames, {.width = 200}),
              HasSubstr("time inside MPI was not measured, so that the loss has no parts"));
}

TEST(ScalingReport, MarkdownAndCsv) {
  const std::string markdown = RenderScalingMarkdown(Sample(), kNames);
  EXPECT_THAT(markdown, HasSubstr("\n| <code>so&#124;lve</code> | 2 x 2 | 500 ms |"));
  const std::string csv = RenderScalingCsv(Sample(), kNames);
  EXPECT_THAT(csv, HasSubstr("so|lve,n4.json,2,2,4,efficiency,1,0.5\n"));
  EXPECT_THAT(csv, HasSubstr("'=new,n1.json,1,1,1,time_s,s,\n"));
}

TEST(Bars, SharesBeyondOneAndMissingOnes) {
  const std::string text = RenderBars({{"a", "x", 0.5}, {"", "y", 1.2}, {"b", "z", {}}},
                                      {.width = 80, .unicode = false});
  EXPECT_THAT(text, ContainsRegex("^a x #{25}\\.{25}   50.0 %\n"));
  EXPECT_THAT(text, ContainsRegex("\n  y #{50}> 120.0 %\n"));
  EXPECT_THAT(text, HasSubstr("\nb z -\n"));
  std::istringstream lines(RenderBars({{std::string(200, 'n'), "label", 1.0}}, {.width = 80}));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(DisplayWidth(line), 80u);
}

}  // namespace
}  // namespace roofmark
