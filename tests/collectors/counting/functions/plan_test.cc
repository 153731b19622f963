// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/functions/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "lib/core/file.h"
#include "lib/core/file_name.h"
#include "tests/support/process.h"

namespace roofmark::counting {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

std::vector<LoadedFile> Files() { return {{CALLS, CALLS, true}, {CALLED, CALLED, false}}; }

FunctionPlan Make(const std::string& text, const std::vector<LoadedFile>& files = Files()) {
  const Result<FunctionChoice> choice = FunctionChoice::Parse(text);
  EXPECT_TRUE(choice) << choice.error();
  return choice ? PlanFunctions(*choice, files) : FunctionPlan();
}

std::vector<std::string> Names(const FunctionPlan& made) {
  std::vector<std::string> names;
  for (const PlannedNest& nest : made.plan.nests) names.push_back(nest.name);
  return names;
}

std::string NameOf(const char* file) { return std::string(FileName(file)); }

TEST(FunctionPlan, AFunctionIsARegionFromItsBeginToItsEnd) {
  const FunctionPlan made = Make(NameOf(CALLED) + ":called_add");
  EXPECT_THAT(made.notes, IsEmpty());
  EXPECT_THAT(made.plan.modules, ElementsAre(CALLED));
  ASSERT_THAT(Names(made), ElementsAre("called_add()"));
  EXPECT_TRUE(made.plan.nests[0].is_function);
  ASSERT_EQ(made.plan.ranges.size(), 1u);
  ASSERT_EQ(made.plan.entries.size(), 1u);
  EXPECT_EQ(made.plan.ranges[0].begin, made.plan.entries[0].place);
  EXPECT_GT(made.plan.ranges[0].end, made.plan.ranges[0].begin);
}

TEST(FunctionPlan, NamesAreThoseOfTheSymbolAndOfTheSource) {
  EXPECT_THAT(Names(Make("app:_Z4Eveni")), ElementsAre("Even()"));
  EXPECT_THAT(Names(Make("app:Even")), ElementsAre("Even()"));
  EXPECT_THAT(Names(Make("app:ns::*")), UnorderedElementsAre("ns::Solve()", "ns::Solve<int>()"));
  EXPECT_THAT(Names(Make("app:Even,:Odd")), UnorderedElementsAre("Even()", "Odd()"));
}

TEST(FunctionPlan, EachNameOfAFunctionIsOne) {
  EXPECT_THAT(Names(Make("libfunctions_called.so:called_also_")), ElementsAre("called_also_()"));
  EXPECT_THAT(Names(Make("lib*:called_*")), ElementsAre("called_add()"));
}

TEST(FunctionPlan, SeveralModulesAreInTheOrderOfTheCode) {
  const FunctionPlan made = Make("*:called_add,app:O*,app:Even");
  EXPECT_THAT(made.plan.modules, ElementsAre(CALLS, CALLED));
  const auto& ranges = made.plan.ranges;
  EXPECT_TRUE(std::is_sorted(ranges.begin(), ranges.end(), [](const auto& one, const auto& other) {
    return std::pair(one.module, one.begin) < std::pair(other.module, other.begin);
  }));
}

TEST(FunctionPlan, FunctionsOfOneNameAreToldApart) {
  std::vector<LoadedFile> files = Files();
  test::TempDir directory;
  const std::string copy = directory.File("libcopy.so");
  std::filesystem::copy_file(CALLED, copy);
  files.push_back({copy, copy, false});
  EXPECT_THAT(Names(Make("lib*:called_add", files)),
              ElementsAre("called_add() [" + NameOf(CALLED) + "]", "called_add() [libcopy.so]"));
}

TEST(FunctionPlan, AFileHasAlsoTheNameByWhichItWasOpened) {
  const std::vector<LoadedFile> files = {{CALLED, "/usr/lib/libblas.so.3", false}};
  EXPECT_THAT(Names(Make("libblas.so*:called_add", files)), ElementsAre("called_add()"));
}

TEST(FunctionPlan, APathNamesAFileThatIsNotLoaded) {
  test::TempDir directory;
  const std::string link = directory.File("link.so");
  std::filesystem::create_symlink(CALLED, link);
  const FunctionPlan made = Make(link + ":called_add", {{CALLS, CALLS, true}});
  EXPECT_THAT(made.notes, IsEmpty());
  EXPECT_THAT(made.plan.modules, ElementsAre(CALLED)) << "as it will be mapped";
  EXPECT_THAT(Names(Make(link + ":called_add")), ElementsAre("called_add()")) << "once";
}

TEST(FunctionPlan, WhatMatchesNothingIsSaid) {
  const FunctionPlan made = Make("app:Even,app:nothing*,gone.so:f,/nowhere/libx.so:f");
  EXPECT_THAT(Names(made), ElementsAre("Even()"));
  EXPECT_THAT(made.notes,
              ElementsAre(AllOf(HasSubstr("`app:nothing*` matches no function"),
                                HasSubstr("inlined everywhere"), HasSubstr("--auto --functions"),
                                HasSubstr("noinline")),
                          AllOf(HasSubstr("`gone.so:f`"), HasSubstr("loaded at its start")),
                          "`/nowhere/libx.so:f` names a file that cannot be read"));
}

TEST(FunctionPlan, FilesThatAreNoneAreSaid) {
  test::TempDir directory;
  const std::string file = directory.File("libtext.so");
  ASSERT_TRUE(WriteFile(file, "no library", IfExists::kRefuse));
  const FunctionPlan made = Make("libtext.so:f", {{file, file, false}});
  ASSERT_FALSE(made.notes.empty());
  EXPECT_THAT(made.notes[0], HasSubstr(file));
}

TEST(FunctionPlan, ThereIsALimit) {
  const std::vector<LoadedFile> loaded = LoadedFiles();
  const FunctionPlan made = Make("libc.so*:*,app:*", loaded);
  EXPECT_EQ(made.plan.nests.size(), kMostFunctions);
  ASSERT_EQ(made.notes.size(), 1u);
  EXPECT_THAT(made.notes[0], HasSubstr("at most 1000"));
}

TEST(FunctionPlan, TheExecutableIsLoadedFirst) {
  const std::vector<LoadedFile> loaded = LoadedFiles();
  ASSERT_GT(loaded.size(), 2u);
  EXPECT_TRUE(loaded[0].is_executable);
  EXPECT_THAT(loaded[0].path, HasSubstr("counting_tests"));
  EXPECT_TRUE(std::any_of(loaded.begin(), loaded.end(), [](const LoadedFile& file) {
    return file.opened_as.find("libc.so") != std::string::npos;
  }));
}

}  // namespace
}  // namespace roofmark::counting
