// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/marks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/report/display_width.h"
#include "lib/report/explain.h"
#include "lib/report/explain_terms.h"

namespace roofmark {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// A table of times and limits.
std::vector<std::string> LinesOf(const std::vector<Row>& rows) {
  std::vector<Column> columns = {{"time", 7, ""}, {"held by", 7, ""}};
  columns[1].is_limit = true;
  return MarkLines(columns, rows);
}

Row RowWith(const std::string& time, const std::string& limit, const std::string& name = "r") {
  return {.key = "", .name = name, .cells = {time, limit}};
}

TEST(Marks, OnlyThoseThatAppearAreExplained) {
  EXPECT_THAT(LinesOf({RowWith("1 s", "DRAM"), RowWith("2 s", "wait")}), IsEmpty());
  EXPECT_THAT(LinesOf({RowWith("1 s", "?")}),
              ElementsAre("?  not known: most of the time is due to nothing that was counted"));
  EXPECT_THAT(LinesOf({RowWith("-", "L1")}),
              ElementsAre("-  no value: the list \"missing (-)\" has the reasons for regions"));
  EXPECT_THAT(LinesOf({RowWith("1 s~", "L1")}),
              ElementsAre("~  scaled up from a part of the visits, or of the run"));
}

TEST(Marks, ALikelyLimitIsAnotherThingThanAnUnknownOne) {
  const std::vector<std::string> lines =
      LinesOf({RowWith("1 s", "DRAM?"), RowWith("1 s", "L2?"), RowWith("1 s", "DRAM?")});
  EXPECT_THAT(lines, ElementsAre("DRAM?, L2?  likely, not certain: by the model it needs more than "
                                 "the measured time"));
  EXPECT_EQ(LinesOf({RowWith("1 s", "DRAM?"), RowWith("1 s", "?")}).size(), 2u);
}

TEST(Marks, TwoLimitsAreShownAsTheyStand) {
  EXPECT_THAT(LinesOf({RowWith("1 s", "chain+DRAM")}),
              ElementsAre("chain+DRAM  two limits, of which neither takes the time alone"));
}

TEST(Marks, EachOfTwoPhasesHasItsOwnLine) {
  EXPECT_THAT(
      LinesOf({RowWith("1 s", "chain+DRAM/DRAM?"), RowWith("1 s", "?/wait"), RowWith("1 s", "L1")}),
      ElementsAre("?  not known: most of the time is due to nothing that was counted",
                  "DRAM?  likely, not certain: by the model it needs more than the measured time",
                  "chain+DRAM/DRAM?, ?/wait  the two largest phases, one after another",
                  "chain+DRAM  two limits, of which neither takes the time alone"));
}

TEST(Marks, OfTheProgramWhatIsDeclaredIsCountedInRegionsOnly) {
  EXPECT_THAT(LinesOf({RowWith("1G*", "L1"), RowWith("1G", "L1", "(program)")}),
              ElementsAre("*  declared by the program, not measured"));
  EXPECT_THAT(LinesOf({RowWith("1G*", "L1"), RowWith("2G*", "L1", "(program)")}),
              ElementsAre("*  declared by the program, not measured; of (program): counted in "
                          "regions only"));
  EXPECT_THAT(LinesOf({RowWith("1G", "L1"), RowWith("2G*", "L1", "(program)")}),
              ElementsAre("*  of (program): counted in regions only"));
}

TEST(Marks, EachLineFitsATerminalAndIsExplained) {
  for (const Term& term : Terms()) {
    if (term.brief.empty()) continue;
    EXPECT_LE(DisplayWidth(term.brief), 76u) << term.word;
    EXPECT_THAT(Explain(term.word), Not(IsEmpty())) << term.word;
  }
  for (const std::string_view mark : {kMarkUnknown, kMarkLikely, kMarkTwo, kMarkNone, kMarkDeclared,
                                      kMarkInRegions, kMarkScaled}) {
    EXPECT_FALSE(TermOf(mark).brief.empty()) << mark;
  }
}

}  // namespace
}  // namespace roofmark
