// SPDX-License-Identifier: BSD-3-Clause
#include "lib/profile/region_name.h"

#include <gtest/gtest.h>

#include "lib/core/limits.h"
#include "lib/core/utf8.h"
#include "tests/lib/profile/any_text.h"

namespace roofmark {
namespace {

TEST(RegionNameTest, RowsOfReportsAreNoNames) {
  for (const std::string_view row : {kOutsideName, kProgramName}) {
    EXPECT_FALSE(IsRegionName(row));
    EXPECT_EQ(RegionName(row), "region " + std::string(row));
    EXPECT_TRUE(IsRegionName(RegionName(row)));
  }
  EXPECT_TRUE(IsRegionName("(program) "));
}

TEST(RegionNameTest, WhatIsOneStays) {
  for (const char* name : {"a", "solve step", " a ", "a/b\\c", "\xC3\xA9", "<b>", "\xE2\x80\xAE"}) {
    EXPECT_TRUE(IsRegionName(name)) << name;
    EXPECT_EQ(RegionName(name), name);
  }
}

TEST(RegionNameTest, WhatIsNoneBecomesOne) {
  EXPECT_EQ(RegionName(""), kUnnamed);
  EXPECT_EQ(RegionName(" \t\n"), kUnnamed);
  EXPECT_EQ(RegionName("a\tb\x7F\xFF"), "a\\x09b\\x7F\\xFF");
  EXPECT_EQ(RegionName("\xC2\x9B"), "\\xC2\\x9B") << "a control character of two bytes";
  EXPECT_EQ(RegionName(std::string_view("\0a", 2)), "\\x00a");
}

TEST(RegionNameTest, LongOnesAreCutAndStayDifferent) {
  const std::string most(limits::kNameBytes, 'x');
  EXPECT_EQ(RegionName(most), most);
  const std::string a = RegionName(most + "a"), b = RegionName(most + "b");
  EXPECT_EQ(a.size(), limits::kNameBytes);
  EXPECT_NE(a, b);
  std::string wide;
  while (wide.size() < 1000) wide += "\xE2\x82\xAC";
  EXPECT_EQ(RegionName(wide), Utf8(RegionName(wide))) << "cut between characters";
}

TEST(RegionNameTest, AnyTextBecomesANameThatStaysAndComesBackFromAPath) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 20000; ++round) {
    const std::string text = test::AnyText(random), name = RegionName(text);
    EXPECT_TRUE(IsRegionName(name)) << name;
    EXPECT_EQ(RegionName(name), name);
    EXPECT_EQ(IsRegionName(text), name == text) << text;
    EXPECT_EQ(LeafName(EscapeRegionName(name)), name);
    const std::string path = JoinPath(EscapeRegionName(name), name);
    EXPECT_EQ(WhyNoPath(path), "") << path;
    EXPECT_EQ(LeafName(path), name);
    EXPECT_EQ(ParentPath(path), EscapeRegionName(name));
    EXPECT_EQ(PathDepth(path), 1u);
  }
}

TEST(RegionNameTest, PathsThatCannotBeAreExplained) {
  EXPECT_EQ(WhyNoPath(""), "has a region without a name");
  EXPECT_EQ(WhyNoPath("a//b"), "has a region without a name");
  EXPECT_EQ(WhyNoPath("/a"), "has a region without a name");
  EXPECT_EQ(WhyNoPath("a/"), "has a region without a name");
  EXPECT_EQ(WhyNoPath("a\\/"), "");
  EXPECT_EQ(WhyNoPath(std::string(20000, 'a')), "has 20000 bytes; at most 16384 are possible");
  std::string deep = "a";
  for (size_t i = 1; i < limits::kPathDepth; ++i) deep += "/a";
  EXPECT_EQ(WhyNoPath(deep), "");
  EXPECT_EQ(WhyNoPath(deep + "/a"), "has 257 regions inside each other; at most 256 are possible");
}

}  // namespace
}  // namespace roofmark
