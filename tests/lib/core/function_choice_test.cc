// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/function_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace roofmark {
namespace {

using testing::HasSubstr;

FunctionPattern One(std::string_view text) {
  Result<FunctionChoice> choice = FunctionChoice::Parse(text);
  EXPECT_TRUE(choice) << choice.error();
  if (!choice || choice->patterns.size() != 1) return {};
  return choice->patterns[0];
}

std::string ErrorOf(std::string_view text) { return FunctionChoice::Parse(text).error(); }

TEST(FunctionChoice, AppAndNothingStandForTheExecutable) {
  for (const char* text : {"app:solve", ":solve"}) {
    EXPECT_TRUE(One(text).MatchesModule("a.out", true)) << text;
    EXPECT_FALSE(One(text).MatchesModule("libx.so", false)) << text;
    EXPECT_FALSE(One(text).MatchesModule("app", false)) << text;
  }
}

TEST(FunctionChoice, OthersAreGlobsOverNamesOfFiles) {
  const FunctionPattern pattern = One("libblas.so*:dgemm_");
  EXPECT_TRUE(pattern.MatchesModule("libblas.so.3", false));
  EXPECT_FALSE(pattern.MatchesModule("libcblas.so.3", false));
  EXPECT_TRUE(One("a.out:f").MatchesModule("a.out", true));
}

TEST(FunctionChoice, ASlashMakesAPath) {
  const FunctionPattern pattern = One("./lib[1].so:f");
  EXPECT_EQ(pattern.path(), "./lib[1].so");
  EXPECT_FALSE(pattern.MatchesModule("lib1.so", false));
  EXPECT_EQ(One("libx.so:f").path(), "");
}

TEST(FunctionChoice, NamesOfFunctionsMayHaveColons) {
  EXPECT_TRUE(One("app:ns::solve").MatchesFunction("ns::solve"));
  EXPECT_TRUE(One("app:ns::*").MatchesFunction("ns::Grid::sweep"));
  EXPECT_FALSE(One("app:solve*").MatchesFunction("ns::solve"));
}

TEST(FunctionChoice, CommasSeparatePatterns) {
  const auto choice = FunctionChoice::Parse("libx.so:dgemm_, app:Map<[,]*>");
  ASSERT_TRUE(choice) << choice.error();
  ASSERT_EQ(choice->patterns.size(), 2u);
  EXPECT_EQ(choice->patterns[1].text(), "app:Map<[,]*>");
}

TEST(FunctionChoice, ErrorsNameThePattern) {
  EXPECT_THAT(ErrorOf("app:f,solve"), HasSubstr("`solve` has no colon"));
  EXPECT_THAT(ErrorOf("app:"), HasSubstr("`app:` names no function"));
  EXPECT_THAT(ErrorOf("ns::solve"), HasSubstr("`ns::solve` names no module"));
  EXPECT_THAT(ErrorOf("app:f["), HasSubstr("`app:f[` has a [ without its ]"));
  EXPECT_THAT(ErrorOf("lib[:f"), HasSubstr("`lib[:f` has a [ without its ]"));
  EXPECT_THAT(ErrorOf("app:f,"), HasSubstr("a comma"));
  EXPECT_THAT(ErrorOf(""), HasSubstr("a comma"));
}

}  // namespace
}  // namespace roofmark
