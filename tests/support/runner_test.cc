// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

#include "tests/support/process.h"

namespace roofmark::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Runner, ASharePartsTheTests) {
  Share share;
  EXPECT_TRUE(ParseShare("2of3", &share));
  EXPECT_EQ(share.index, 1u);
  EXPECT_EQ(share.of, 3u);
  for (const char* wrong : {"", "0of3", "4of3", "2of", "of3", "2of3x", "2/3"}) {
    EXPECT_FALSE(ParseShare(wrong, &share)) << wrong;
  }
  const std::vector<std::string> names = {"A.a", "A.b", "B.a", "A.c", "A.d"};
  EXPECT_THAT(Chosen(names, "A.*", {0, 2}), ElementsAre("A.a", "A.c"));
  EXPECT_THAT(Chosen(names, "A.*", {1, 2}), ElementsAre("A.b", "A.d"));
}

TEST(Runner, FiltersAreThoseOfGoogleTest) {
  EXPECT_TRUE(MatchesFilter("Suite.Test", "*"));
  EXPECT_TRUE(MatchesFilter("Suite.Test", "Other.*:Suite.T?st"));
  EXPECT_FALSE(MatchesFilter("Suite.Test", "Suite"));
  EXPECT_FALSE(MatchesFilter("Suite.Test", "*-Other.*:*.Test"));
  EXPECT_TRUE(MatchesFilter("Suite.Test", "-Other.*"));
  EXPECT_TRUE(MatchesFilter("All/Suite.Test/3", "*Suite.Test/?"));
}

// What the program does that the next test starts: this one, with the variable.
bool IsPlayed() { return getenv("PLAYED_FOR_RUNNER") != nullptr; }
TEST(RunnerPlayed, Dies) {
  if (IsPlayed()) abort();
}
TEST(RunnerPlayed, Fails) { EXPECT_FALSE(IsPlayed()) << "played"; }
TEST(RunnerPlayed, Hangs) {
  if (IsPlayed()) pause();
}
TEST(RunnerPlayed, IsSkipped) {
  if (IsPlayed()) GTEST_SKIP() << "for a reason";
}
TEST(RunnerPlayed, LeavesAVariable) { setenv("LEFT_BY_A_TEST", "1", 1); }
TEST(RunnerPlayed, SeesNoVariable) { EXPECT_EQ(getenv("LEFT_BY_A_TEST"), nullptr); }

TEST(Runner, EachTestIsAloneAndItsEndIsNamed) {
  const Ended ended =
      test::Run({"/proc/self/exe", "--gtest_filter=RunnerPlayed.*-RunnerPlayed.Hangs"},
                {{"PLAYED_FOR_RUNNER", "1"}});
  EXPECT_EQ(ended.status, 1);
  for (const char* line :
       {"ended by signal 6\n[  FAILED  ] RunnerPlayed.Dies (", "Failure\n",
        "played\n[  FAILED  ] RunnerPlayed.Fails (",
        ": Skipped\nfor a reason\n[  SKIPPED ] RunnerPlayed.IsSkipped (",
        "[       OK ] RunnerPlayed.SeesNoVariable (", "2 passed, 1 skipped, 2 failed\n"}) {
    EXPECT_THAT(ended.out, HasSubstr(line));
  }
}

TEST(Runner, ATestThatHangsIsKilledAndNamed) {
  const Ended ended =
      test::Run({"/proc/self/exe", "--gtest_filter=RunnerPlayed.Hangs", "--seconds=1"},
                {{"PLAYED_FOR_RUNNER", "1"}});
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.out, HasSubstr("killed: the test took longer than 1 s\nended by signal 9\n"
                                   "[  FAILED  ] RunnerPlayed.Hangs ("));
}

TEST(Runner, WhereNoTestMatchesNothingHasPassed) {
  const Ended ended = test::Run({"/proc/self/exe", "--gtest_filter=Nothing.*"});
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.out, HasSubstr("no test matches Nothing.*\n"));
}

}  // namespace
}  // namespace roofmark::test
