// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/region_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roofmark {
namespace {

using testing::HasSubstr;
using Names = std::vector<std::string>;

RegionChoice Parse(std::string_view text) {
  Result<RegionChoice> choice = RegionChoice::Parse(text);
  EXPECT_TRUE(choice) << choice.error();
  return choice ? *choice : RegionChoice();
}

bool Chooses(std::string_view text, const Names& path) { return Parse(text).Chooses(path); }

TEST(RegionChoice, WithoutPatternsAllAreIn) {
  const RegionChoice all;
  EXPECT_TRUE(all.ChoosesAll());
  EXPECT_FALSE(all.NeedsPaths());
  EXPECT_TRUE(all.Chooses({"a", "b"}));
  EXPECT_FALSE(all.LeavesOut("a"));
  EXPECT_FALSE(Parse("*").ChoosesAll());
}

TEST(RegionChoice, ANameMatchesAtAnyDepth) {
  EXPECT_TRUE(Chooses("halo", {"halo"}));
  EXPECT_TRUE(Chooses("halo", {"solve", "halo"}));
  EXPECT_FALSE(Chooses("halo", {"halo", "pack"})) << "what is inside is another region";
  EXPECT_FALSE(Chooses("h*", {"halo", "pack"})) << "a star does not reach into another region";
}

TEST(RegionChoice, OthersAreInIfAllPatternsLeaveOut) {
  EXPECT_FALSE(Chooses("-halo", {"halo"}));
  EXPECT_TRUE(Chooses("-halo", {"solve"}));
  EXPECT_FALSE(Chooses("halo", {"solve"}));
  EXPECT_FALSE(Chooses("-halo,solve", {"other"}));
}

TEST(RegionChoice, TheLastPatternThatMatchesDecides) {
  EXPECT_FALSE(Chooses("solve/*,-halo", {"solve", "halo"}));
  EXPECT_TRUE(Chooses("-halo,solve/*", {"solve", "halo"}));
  EXPECT_TRUE(Chooses("*,-h*,halo", {"halo"}));
  EXPECT_FALSE(Chooses("*,-h*,halo", {"help"}));
}

TEST(RegionChoice, PathsMatchFromTheirEndPartByPart) {
  EXPECT_TRUE(Chooses("solve/mul", {"solve", "mul"}));
  EXPECT_TRUE(Chooses("solve/mul", {"step", "solve", "mul"}));
  EXPECT_FALSE(Chooses("solve/mul", {"solve", "pc", "mul"})) << "not right inside";
  EXPECT_FALSE(Chooses("solve/mul", {"solve"}));
  EXPECT_FALSE(Chooses("solve/mul", {"resolve", "mul"}));
  EXPECT_TRUE(Chooses("s*/m?l", {"solve", "mul"}));
}

TEST(RegionChoice, AStarBetweenSlashesIsOneOrMoreRegions) {
  EXPECT_TRUE(Chooses("solve/*", {"solve", "mul"}));
  EXPECT_TRUE(Chooses("solve/*", {"step", "solve", "pc", "mul"}));
  EXPECT_FALSE(Chooses("solve/*", {"solve"}));
  EXPECT_TRUE(Chooses("solve/**", {"solve", "pc", "mul"}));
  EXPECT_TRUE(Chooses("solve/*/mul", {"solve", "pc", "x", "mul"}));
  EXPECT_FALSE(Chooses("solve/*/mul", {"solve", "mul"}));
  EXPECT_TRUE(Chooses("*/mul", {"solve", "mul"}));
  EXPECT_FALSE(Chooses("*/mul", {"mul"}));
}

TEST(RegionChoice, ASlashFirstIsTheOutside) {
  EXPECT_TRUE(Chooses("/solve", {"solve"}));
  EXPECT_FALSE(Chooses("/solve", {"step", "solve"}));
  EXPECT_TRUE(Chooses("/step/solve", {"step", "solve"}));
  EXPECT_FALSE(Chooses("/step/solve", {"x", "step", "solve"}));
}

TEST(RegionChoice, NamesWithSlashesAndBlanks) {
  EXPECT_TRUE(Chooses("with\\/slash", {"with/slash"})) << "as reports print it";
  EXPECT_FALSE(Parse("with\\/slash").NeedsPaths());
  EXPECT_TRUE(Chooses(" a , step 1 ", {"step 1"}));
  EXPECT_TRUE(Chooses("\\-x", {"-x"}));
  EXPECT_TRUE(Chooses("a\\,b", {"a,b"}));
}

TEST(RegionChoice, NamesThatAreOutEverywhereNeedNoMarkers) {
  EXPECT_TRUE(Parse("-halo").LeavesOut("halo"));
  EXPECT_FALSE(Parse("-halo").LeavesOut("solve"));
  EXPECT_TRUE(Parse("solve").LeavesOut("halo"));
  EXPECT_FALSE(Parse("-h*,halo").LeavesOut("halo"));
  EXPECT_TRUE(Parse("-h*,halo").LeavesOut("x")) << "a pattern includes, so others are out";
  EXPECT_TRUE(Parse("solve/*,-halo").LeavesOut("halo"));
  EXPECT_FALSE(Parse("solve/*,-halo").LeavesOut("mul")) << "it may lie inside solve";
  EXPECT_FALSE(Parse("solve/*,-solve").LeavesOut("solve")) << "the other pattern looks for it";
  EXPECT_FALSE(Parse("-solve/*").LeavesOut("mul")) << "it may lie outside";
  EXPECT_TRUE(Parse("-mul,-solve/*").LeavesOut("mul"));
  EXPECT_FALSE(Parse("-pc,-solve/mul").LeavesOut("pc")) << "solve/pc/mul is not solve/mul";
}

// The rule behind it: leaving such a region out of a path changes nothing for those inside.
TEST(RegionChoice, WhatIsOutEverywhereDoesNotMatterToPaths) {
  const Names names = {"a", "b", "c"};
  for (const char* text : {"a/*,-b", "-b", "-b,-a/*", "b,-a/*,-c", "a/*,c/*,-b", "-a/c,-b"}) {
    const RegionChoice choice = Parse(text);
    for (const std::string& out : names) {
      if (!choice.LeavesOut(out)) continue;
      for (const std::string& outer : names) {
        for (const std::string& inner : names) {
          EXPECT_FALSE(choice.Chooses({outer, inner, out}));
          if (outer == out || inner == out) continue;
          EXPECT_EQ(choice.Chooses({outer, out, inner}), choice.Chooses({outer, inner})) << text;
          EXPECT_EQ(choice.Chooses({out, outer, inner}), choice.Chooses({outer, inner})) << text;
        }
      }
    }
  }
}

TEST(RegionChoice, WhatIsNoneIsExplainedWithThePattern) {
  const auto error = [](std::string_view text) { return RegionChoice::Parse(text).error(); };
  EXPECT_THAT(error("a,solve/[b"), HasSubstr("`solve/[b` has a [ without its ]"));
  EXPECT_THAT(error("a,,b"), HasSubstr("a comma without a pattern on both sides"));
  EXPECT_THAT(error("a,"), HasSubstr("a comma without a pattern on both sides"));
  EXPECT_THAT(error("-"), HasSubstr("`-` names no region"));
  EXPECT_THAT(error("a//b"), HasSubstr("`a//b` has a / without a name on both sides"));
  EXPECT_THAT(error("a/"), HasSubstr("without a name on both sides"));
  EXPECT_THAT(error("/"), HasSubstr("without a name on both sides"));
}

}  // namespace
}  // namespace roofmark
