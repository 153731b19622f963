// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/wrap_text.h"

#include <gtest/gtest.h>

namespace roofmark {
namespace {

TEST(WrapText, BreaksAtSpacesAndIndents) {
  EXPECT_EQ(WrapText("one two three", 0, 0, 100), "one two three");
  EXPECT_EQ(WrapText("aaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbbbbb cc", 0, 2, 30),
            "aaaaaaaaaaaaaaaaaaaa\n  bbbbbbbbbbbbbbbbbbbb cc");
  EXPECT_EQ(WrapText("", 0, 2, 30), "");
}

TEST(WrapText, FillsALineToTheWidth) {
  const std::string half(15, 'a');
  EXPECT_EQ(WrapText(half + " " + half, 0, 0, 31), half + " " + half);
  EXPECT_EQ(WrapText(half + " " + half, 0, 0, 30), half + "\n" + half);
  EXPECT_EQ(WrapText(half + " " + half, 1, 0, 31), half + "\n" + half)
      << "the first line begins at a later column";
}

TEST(WrapText, KeepsLongWordsWhole) {
  const std::string word(50, 'a');
  EXPECT_EQ(WrapText("b " + word, 0, 0, 30), "b\n" + word);
}

}  // namespace
}  // namespace roofmark
