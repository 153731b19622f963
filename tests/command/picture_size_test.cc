// SPDX-License-Identifier: BSD-3-Clause
#include "command/picture_size.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roofmark::cli {
namespace {

using ::testing::HasSubstr;

TEST(PictureSize, LengthsHaveFourUnits) {
  EXPECT_DOUBLE_EQ(ParsePictureWidth("85mm")->mm, 85);
  EXPECT_DOUBLE_EQ(ParsePictureWidth("8.5cm")->mm, 85);
  EXPECT_DOUBLE_EQ(ParsePictureWidth("3.5in")->mm, 88.9);
  EXPECT_DOUBLE_EQ(ParsePictureWidth("960px")->mm, 254);
}

// A PNG of 960px has as many; other lengths are for print.
TEST(PictureSize, PixelsAreThoseOfThePicture) {
  EXPECT_DOUBLE_EQ(ParsePictureWidth("960px")->dpi, 96);
  EXPECT_DOUBLE_EQ(ParsePictureWidth("85mm")->dpi, 300);
}

TEST(PictureSize, BadLengthsAreNamedWithWhatWouldBeRight) {
  for (const char* bad :
       {"", "85", "mm", "-85mm", "85 mm", "1e2mm", "nanmm", "infmm", "85km", "0x55mm", "85mm2"}) {
    const auto width = ParsePictureWidth(bad);
    ASSERT_FALSE(width) << bad;
    EXPECT_THAT(width.error(), HasSubstr("85mm")) << bad;
  }
  EXPECT_EQ(ParsePictureWidth("50mm").error(), "50mm is no width from 60mm to 1000mm");
  EXPECT_EQ(ParsePictureWidth("2in").error(), "2in is no width from 2.37in to 39.37in");
}

TEST(PictureSize, AspectsAreWidthToHeight) {
  EXPECT_DOUBLE_EQ(*ParseAspect("4:3"), 4.0 / 3);
  EXPECT_DOUBLE_EQ(*ParseAspect("1:2"), 0.5);
  for (const char* bad : {"", "4", "4:", ":3", "4:0", "-4:-3", "1:9", "9:1", "4:3:2", "a:b"}) {
    const auto aspect = ParseAspect(bad);
    ASSERT_FALSE(aspect) << bad;
    EXPECT_THAT(aspect.error(), HasSubstr("like 4:3")) << bad;
  }
}

}  // namespace
}  // namespace roofmark::cli
