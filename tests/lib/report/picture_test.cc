// SPDX-License-Identifier: BSD-3-Clause
//
// The size of pictures, and what they are drawn with.
#include "lib/report/picture.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/report/chart.h"
#include "lib/report/found_words.h"
#include "lib/report/report.h"
#include "lib/report/rows.h"
#include "lib/report/xml_text.h"
#include "tests/lib/report/page_jobs.h"
#include "tests/lib/report/svg_texts.h"

namespace roofmark {
namespace {

using test::DrawnPicture;
using ::testing::HasSubstr;
using ::testing::Not;

std::string SvgWith(const PictureStyle& style) {
  return RenderSvg({test::PageJob(5, 4)}, ChartKind::kRoofline, style);
}

TEST(Picture, HasTheAspectThatIsAskedFor) {
  for (const double width_mm : {0.0, 85.0, 180.0}) {
    for (const double aspect : {4.0 / 3, 1.0, 0.5}) {
      for (const bool without_title : {true, false}) {
        const PictureStyle style = {width_mm, SvgTheme::kLight, aspect, without_title, true};
        const DrawnPicture picture = test::ReadSvg(SvgWith(style));
        EXPECT_NEAR(picture.width / picture.height, aspect, 0.005 * aspect)
            << width_mm << " mm, " << without_title;
      }
    }
  }
}

// Rather than a plot that shows nothing.
TEST(Picture, IsHigherWhereTheLegendLeavesNoRoom) {
  const DrawnPicture picture = test::ReadSvg(SvgWith({60, SvgTheme::kLight, 3, false, true}));
  EXPECT_GT(picture.height, picture.width / 3 + 20);
}

TEST(Picture, ItsTitleAndItsTableCanBeLeftOut) {
  const DrawnPicture whole = test::ReadSvg(SvgWith({85}));
  const DrawnPicture without_title = test::ReadSvg(SvgWith({85, SvgTheme::kLight, 0, true, false}));
  const DrawnPicture chart = test::ReadSvg(SvgWith({85, SvgTheme::kLight, 0, true, true}));
  EXPECT_LT(without_title.height, whole.height);
  EXPECT_LT(chart.height, without_title.height);
  EXPECT_THAT(SvgWith({85}), HasSubstr(">region<"));
  EXPECT_THAT(SvgWith({85, SvgTheme::kLight, 0, true, true}), Not(HasSubstr(">region<")));
}

// A key alone says nothing where no table says what it stands for.
TEST(Picture, WithoutATableEveryRegionHasItsName) {
  const ReportJob job = test::PageJob(30, 4);
  const std::vector<Row> rows = TableRows(job);
  for (const ChartKind kind : {ChartKind::kRoofline, ChartKind::kHierarchical}) {
    for (const double aspect : {0.0, 4.0 / 3}) {
      const std::string svg = RenderSvg({job}, kind, {85, SvgTheme::kLight, aspect, true, true});
      for (const ChartDot& dot : ChartDots(job)) {
        const Row& row = dot.is_program ? rows.back() : rows[dot.region];
        const std::string name = XmlText(fmt::format("{} {}", row.key, ShortName(row, 24, "…")));
        EXPECT_THAT(svg, HasSubstr(name)) << "kind " << static_cast<int>(kind);
      }
    }
  }
}

// A point is a 72nd of an inch, and a pixel of a picture a 96th.
TEST(Picture, LettersOfAPaperHaveSixPointsAtLeast) {
  for (const double width_mm : {60.0, 85.0, 180.0}) {
    for (const test::DrawnText& text : test::ReadSvg(SvgWith({width_mm})).texts) {
      const double letter_px = text.box.half_height / 0.45;
      EXPECT_GE(letter_px * 72 / 96, 6) << text.text << " at " << width_mm << " mm";
    }
  }
}

}  // namespace
}  // namespace roofmark
