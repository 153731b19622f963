// SPDX-License-Identifier: BSD-3-Clause
#include "lib/suggest/insertion.h"

#include <gtest/gtest.h>

#include <string>

namespace roofmark::suggest {
namespace {

std::string Difference(const std::string& text, const std::vector<Insertion>& insertions) {
  return UnifiedDifference("a.c", Scan(text), insertions);
}

TEST(InsertionTest, LinesAreAdded) {
  EXPECT_EQ(Difference("1\n2\n3\n4\n5\n", {{8, "new\n"}}),
            "--- a/a.c\n+++ b/a.c\n@@ -2,4 +2,5 @@\n 2\n 3\n 4\n+new\n 5\n");
  EXPECT_EQ(Difference("1\n", {{0, "new\n"}}), "--- a/a.c\n+++ b/a.c\n@@ -1,1 +1,2 @@\n+new\n 1\n");
}

TEST(InsertionTest, TextInALineChangesIt) {
  EXPECT_EQ(Difference("ab\n", {{1, "x"}}), "--- a/a.c\n+++ b/a.c\n@@ -1,1 +1,1 @@\n-ab\n+axb\n");
  EXPECT_EQ(Difference("ab\n", {{1, "x\ny"}}),
            "--- a/a.c\n+++ b/a.c\n@@ -1,1 +1,2 @@\n-ab\n+ax\n+yb\n");
}

TEST(InsertionTest, AFileWithoutANewLineAtItsEnd) {
  EXPECT_EQ(
      Difference("1\n2", {{3, "\nnew"}}),
      "--- a/a.c\n+++ b/a.c\n@@ -1,2 +1,3 @@\n 1\n-2\n\\ No newline at end of file\n+2\n+new\n"
      "\\ No newline at end of file\n");
}

TEST(InsertionTest, LineEndsStay) {
  EXPECT_EQ(Difference("1\r\n2\r\n", {{3, "new\r\n"}}),
            "--- a/a.c\n+++ b/a.c\n@@ -1,2 +1,3 @@\n 1\r\n+new\r\n 2\r\n");
}

// Six lines in between are shown as a whole, seven are not.
TEST(InsertionTest, ChangesFarApartAreHunks) {
  std::string text;
  for (int i = 0; i < 30; ++i) text += "x\n";
  const std::string x3 = " x\n x\n x\n", head = "--- a/a.c\n+++ b/a.c\n";
  EXPECT_EQ(Difference(text, {{10, "a\n"}, {22, "b\n"}, {24, "c\n"}}),
            head + "@@ -3,13 +3,16 @@\n" + x3 + "+a\n" + x3 + x3 + "+b\n x\n+c\n" + x3);
  EXPECT_EQ(
      Difference(text, {{10, "a\n"}, {24, "b\n"}}),
      head + "@@ -3,6 +3,7 @@\n" + x3 + "+a\n" + x3 + "@@ -10,6 +11,7 @@\n" + x3 + "+b\n" + x3);
}

TEST(InsertionTest, AtOnePlaceEndsComeFirstAndStatementsStayInside) {
  const std::vector<Insertion> insertions = {{2, "begin inner,", true, 10},
                                             {2, "end outer,", false, 0},
                                             {2, "begin outer,", true, 20},
                                             {2, "end inner,", false, 1}};
  EXPECT_EQ(Applied("ab", insertions), "abend inner,end outer,begin outer,begin inner,");
}

TEST(InsertionTest, NothingIsNoDifference) { EXPECT_EQ(Difference("1\n", {}), ""); }

TEST(InsertionTest, ANameWithABlankEndsWithATab) {
  EXPECT_EQ(UnifiedDifference("a b.c", Scan("1\n"), {{0, "x\n"}}).substr(0, 28),
            "--- a/a b.c\t\n+++ b/a b.c\t\n@@");
}

}  // namespace
}  // namespace roofmark::suggest
