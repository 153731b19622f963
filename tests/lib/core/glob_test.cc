// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/glob.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roofmark {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

bool Matches(std::string_view glob, std::string_view name) {
  const Result<Glob> parsed = Glob::Parse(glob);
  EXPECT_TRUE(parsed) << glob << " " << parsed.error();
  return parsed && parsed->Matches(name);
}

TEST(Glob, ATextIsItself) {
  EXPECT_TRUE(Matches("halo", "halo"));
  EXPECT_FALSE(Matches("halo", "halos"));
  EXPECT_FALSE(Matches("halo", "hal"));
  EXPECT_FALSE(Matches("halo", "Halo"));
  EXPECT_FALSE(Matches("halo", ""));
}

TEST(Glob, StarsAreAnyText) {
  EXPECT_TRUE(Matches("*", ""));
  EXPECT_TRUE(Matches("*", "a/b"));
  EXPECT_TRUE(Matches("h*o", "ho"));
  EXPECT_TRUE(Matches("h*o", "halo halo"));
  EXPECT_TRUE(Matches("*a*b*", "xaayab"));
  EXPECT_FALSE(Matches("*a*b", "xbaya"));
  EXPECT_TRUE(Matches("**x", "aax"));
}

// What other implementations take exponential time for.
TEST(Glob, ManyStarsCostLittle) {
  std::string glob;
  for (int i = 0; i < 100; ++i) glob += "*a";
  EXPECT_FALSE(Matches(glob + "b", std::string(255, 'a')));
}

TEST(Glob, AQuestionMarkIsOneCharacterNotOneByte) {
  EXPECT_TRUE(Matches("st?p", "step"));
  EXPECT_TRUE(Matches("M?rz", "M\xC3\xA4rz"));
  EXPECT_FALSE(Matches("M??rz", "M\xC3\xA4rz"));
  EXPECT_FALSE(Matches("st?p", "stp"));
}

TEST(Glob, Sets) {
  EXPECT_TRUE(Matches("level [0-9]", "level 7"));
  EXPECT_FALSE(Matches("level [0-9]", "level x"));
  EXPECT_TRUE(Matches("[!0-9]x", "ax"));
  EXPECT_TRUE(Matches("[^0-9]x", "ax"));
  EXPECT_FALSE(Matches("[!0-9]x", "1x"));
  EXPECT_FALSE(Matches("[!0-9]", ""));
  EXPECT_TRUE(Matches("[]a]", "]"));
  EXPECT_TRUE(Matches("[!]a]", "b"));
  EXPECT_TRUE(Matches("[a-]", "-"));
  EXPECT_TRUE(Matches("[\\]]", "]"));
  EXPECT_TRUE(Matches("[\xC3\xA0-\xC3\xBF]", "\xC3\xA4"));
}

TEST(Glob, ABackslashTakesMeaningAway) {
  EXPECT_TRUE(Matches("a\\*", "a*"));
  EXPECT_FALSE(Matches("a\\*", "ab"));
  EXPECT_TRUE(Matches("a\\/b", "a/b"));
  EXPECT_TRUE(Matches("\\\\", "\\"));
}

TEST(Glob, WhatIsNoneIsExplained) {
  EXPECT_THAT(Glob::Parse("a[b").error(), HasSubstr("[ without its ]"));
  EXPECT_THAT(Glob::Parse("[").error(), HasSubstr("[ without its ]"));
  EXPECT_THAT(Glob::Parse("[]").error(), HasSubstr("[ without its ]"));
  EXPECT_THAT(Glob::Parse("[a\\]").error(), HasSubstr("[ without its ]"));
  EXPECT_THAT(Glob::Parse("[z-a]").error(), HasSubstr("end comes before its beginning"));
  EXPECT_THAT(Glob::Parse("[[:alpha:]]").error(), HasSubstr("[:alpha:]"));
  EXPECT_THAT(Glob::Parse("a\\").error(), HasSubstr("ends with a backslash"));
  EXPECT_THAT(Glob::Parse("a\xFF").error(), HasSubstr("not UTF-8"));
}

TEST(Glob, ListsAreSplitOutsideOfSetsAndBackslashes) {
  EXPECT_THAT(SplitGlobs("a,b,,c", ','), ElementsAre("a", "b", "", "c"));
  EXPECT_THAT(SplitGlobs("a\\,b,[,]c", ','), ElementsAre("a\\,b", "[,]c"));
  EXPECT_THAT(SplitGlobs("[a,b", ','), ElementsAre("[a", "b"));
  EXPECT_THAT(SplitGlobs("", ','), ElementsAre(""));
}

}  // namespace
}  // namespace roofmark
