// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/dot_names.h"

#include <gtest/gtest.h>

#include <cstddef>

namespace roofmark {
namespace {

constexpr double kLeft = 70, kRight = 860;

DotToName Dot(const std::string& key, double x, double y) {
  return {x, y, 6, key + " solver.c:214 in sweep()", key};
}

TEST(DotNames, StandBesideTheirDots) {
  const std::vector<DotName> names =
      NameDots({Dot("A", 200, 100), Dot("B", 800, 100)}, kLeft, kRight);
  EXPECT_EQ(names[0].text, "A solver.c:214 in sweep()");
  EXPECT_FALSE(names[0].end);
  EXPECT_EQ(names[0].x, 209);
  EXPECT_TRUE(names[1].end);  // no room on its right
  EXPECT_EQ(names[1].x, 791);
}

TEST(DotNames, LieOnNoOtherNameInACrowd) {
  std::vector<DotToName> dots;
  for (int i = 0; i < 26; ++i) {
    const int column = i % 5, row = i / 5;
    dots.push_back(
        Dot(std::string(1, static_cast<char>('A' + i)), 400 + 25 * column, 300 + 25 * row));
  }
  const std::vector<DotName> names = NameDots(dots, kLeft, kRight);
  size_t labels = 0;
  for (size_t i = 0; i < names.size(); ++i) {
    const bool whole = names[i].text == dots[i].label;
    labels += whole ? 1 : 0;
    EXPECT_TRUE(whole || names[i].text == dots[i].key) << names[i].text;
    for (size_t k = 0; k < i; ++k) {
      EXPECT_FALSE(Overlap(names[i].box, names[k].box)) << names[i].text << ", " << names[k].text;
    }
  }
  EXPECT_GT(labels, 3u);
  EXPECT_LT(labels, 26u);
}

TEST(DotNames, TheKeyStandsBesideADotWhereTheLabelHasNoRoom) {
  const std::vector<DotName> names = NameDots({Dot("A", 150, 100)}, kLeft, 250);
  EXPECT_EQ(names[0].text, "A");
  EXPECT_EQ(names[0].x, 159);
}

// On each other: the later ones have no place at all.
TEST(DotNames, TheKeyStandsInItsDotWhereNothingIsFree) {
  const std::vector<DotName> names = NameDots(std::vector(12, Dot("A", 400, 300)), kLeft, kRight);
  EXPECT_EQ(names[9].text, "A solver.c:214 in sweep()");
  EXPECT_EQ(names[10].text, "A");
  EXPECT_EQ(names[10].box.x, 400);
  EXPECT_EQ(names[10].box.y, 300);
}

}  // namespace
}  // namespace roofmark
