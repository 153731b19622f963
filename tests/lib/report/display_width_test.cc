// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/display_width.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/report/format.h"
#include "lib/report/report.h"
#include "tests/lib/model/sample_machine.h"
#include "tests/lib/profile/sample_job.h"

namespace roofmark {
namespace {

const std::string kAccent = "\xCC\x81";                              // combining acute
const std::string kHan = "格子";                                     // two characters
const std::string kHangul = "\xE1\x84\x92\xE1\x85\xA1\xE1\x86\xAB";  // one syllable of three parts

TEST(DisplayWidth, CountsColumnsNotCharacters) {
  EXPECT_EQ(DisplayWidth(""), 0u);
  EXPECT_EQ(DisplayWidth("solve"), 5u);
  EXPECT_EQ(DisplayWidth("äöü█"), 4u);
  EXPECT_EQ(DisplayWidth("e" + kAccent), 1u);
  EXPECT_EQ(DisplayWidth(kHan), 4u);
  EXPECT_EQ(DisplayWidth("ソルバ"), 6u);
  EXPECT_EQ(DisplayWidth("ｿﾙﾊ"), 3u) << "halfwidth forms";
  EXPECT_EQ(DisplayWidth("Ｆ"), 2u) << "a fullwidth form";
  EXPECT_EQ(DisplayWidth("한"), 2u);
  EXPECT_EQ(DisplayWidth(kHangul), 2u);
  EXPECT_EQ(DisplayWidth("🔥"), 2u);
  EXPECT_EQ(DisplayWidth("a\xE2\x80\x8B"
                         "b"),
            2u)
      << "a space of no width";
  EXPECT_EQ(DisplayWidth("\xC2\xAD"), 1u) << "a soft hyphen";
  EXPECT_EQ(DisplayWidth("\xFF\x80"), 2u) << "no UTF-8";
}

// The first and the last of a range, and their neighbours.
TEST(DisplayWidth, RangesHaveBothEnds) {
  EXPECT_EQ(DisplayWidth("\xCB\xBF"), 1u);          // U+02FF
  EXPECT_EQ(DisplayWidth("\xCC\x80"), 0u);          // U+0300
  EXPECT_EQ(DisplayWidth("\xCD\xAF"), 0u);          // U+036F
  EXPECT_EQ(DisplayWidth("\xCD\xB0"), 1u);          // U+0370
  EXPECT_EQ(DisplayWidth("\xE1\x83\xBF"), 1u);      // U+10FF
  EXPECT_EQ(DisplayWidth("\xE1\x84\x80"), 2u);      // U+1100
  EXPECT_EQ(DisplayWidth("\xF0\xB1\x8D\x8A"), 2u);  // U+3134A, the last
  EXPECT_EQ(DisplayWidth("\xF3\xA0\x87\xAF"), 0u);  // U+E01EF, the last
  EXPECT_EQ(DisplayWidth("\xF4\x8F\xBF\xBF"), 1u);  // U+10FFFF
}

TEST(DisplayWidth, TextIsCutBetweenCharacters) {
  EXPECT_EQ(BytesOfBeginning("e" + kAccent + "a", 1), 3u);
  EXPECT_EQ(BytesOfBeginning(kHan, 3), 3u);
  EXPECT_EQ(BytesOfBeginning(kHan, 1), 0u);
  EXPECT_EQ(BytesOfEnd("ae" + kAccent, 1), 3u);
  EXPECT_EQ(BytesOfEnd("ae" + kAccent, 0), 0u);
  EXPECT_EQ(BytesOfEnd(kHan, 3), 3u);
  EXPECT_EQ(BytesOfEnd("abc", 9), 3u);
}

TEST(DisplayWidth, ShortenedAndPaddedTextTakesItsColumns) {
  EXPECT_EQ(Shorten("格子ボルツマン法", 9, "…"), "格子…ン法");
  EXPECT_EQ(Shorten("格子ボルツマン法", 8, "…"), "格子…法");
  std::string accents;
  for (int i = 0; i < 10; ++i) accents += "e" + kAccent;
  EXPECT_EQ(DisplayWidth(Shorten(accents, 5, "…")), 5u);
  EXPECT_EQ(Shorten(accents, 10, "…"), accents);
  EXPECT_EQ(PadRight(kHan, 6), kHan + "  ");
  EXPECT_EQ(PadLeft("e" + kAccent, 3), "  e" + kAccent);
}

TEST(DisplayWidth, LinesBreakBeforeAWideCharacter) {
  EXPECT_EQ(Wrap("格子ボルツマン", 5, 1), "格子\n ボル\n ツマ\n ン\n");
  EXPECT_EQ(Wrap("格子", 1, 0), "格子\n") << "it ends, though no line has room";
}

// Whatever script a name is in, the numbers stand below each other.
TEST(DisplayWidth, ColumnsOfATableStandBelowEachOther) {
  JobProfile job = test::EmptyJob(1);
  test::AddPass(job, "timer", 5);
  for (const std::string& name : {std::string("plain"), "solve" + kAccent, kHan + "ソルバ"}) {
    const size_t row = test::AddPath(job, name);
    test::Set(job, row, metric::kVisits, {7654}, "timer");
    test::Set(job, row, metric::kTimeNs, {1'000'000'000}, "timer");
  }
  const Machine machine = test::SampleMachine();
  JobAnalysis analysis = Analyze(job, &machine);
  const std::string table =
      RenderTable({{"F", std::move(job), std::move(analysis)}}, {.detail = Detail::kAll});
  for (const std::string& row :
       {std::string("  plain      "), "  solve" + kAccent + "      ", "  " + kHan + "ソルバ "}) {
    EXPECT_THAT(table, ::testing::HasSubstr("\n" + row + "1.00 s"));
  }
}

}  // namespace
}  // namespace roofmark
