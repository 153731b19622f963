// SPDX-License-Identifier: BSD-3-Clause
//
// Programs that restrict their system calls are recorded until then, and go on as without roofmark.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/core/messages/recording.h"
#include "tests/support/recording.h"
#include "tests/support/sanitizers.h"
#include "tests/support/says.h"

namespace roofmark::test {
namespace {

using testing::_;
using testing::ContainsRegex;
using testing::Not;

class Restriction : public Recording {
 protected:
  void SetUp() override {
    if (ROOFMARK_TEST_SANITIZED) GTEST_SKIP() << "the sanitizer's library makes system calls";
    if (test::Run({RESTRICTS, "prctl"}).status == 77)
      GTEST_SKIP() << "this kernel lets nobody forbid system calls";
  }

  // Its file is read. The program is what it is without roofmark.
  JobProfile Record(const std::string& how, const std::string& collector) {
    ended_ = test::Run({RESTRICTS, how}, {{"ROOFMARK_OUTPUT", directory_.File("run.json")},
                                          {"ROOFMARK_SPOOL", directory_.path()},
                                          {"ROOFMARK_COLLECTOR", collector},
                                          {"ROOFMARK_ENGINE", "native"},
                                          {"ROOFMARK_COUNT", "flops"}});
    EXPECT_EQ(ended_.status, 23) << ended_.err;
    return ReadRoofline(directory_.File("run.json")).job;
  }

  Ended ended_;
};

class EndsRecording : public Restriction,
                      public testing::WithParamInterface<std::pair<std::string, std::string>> {};

TEST_P(EndsRecording, WithAllThatWasRecorded) {
  const auto& [how, collector] = GetParam();
  const JobProfile job = Record(how, collector);
  EXPECT_THAT(ended_.err, Says(message::kSandboxEndsRecording, _));
  EXPECT_EQ(ended_.out, "off\n") << "a marker costs what it costs without roofmark";
  EXPECT_EQ(Value(job, "around/before", metric::kVisits), 1u);
  EXPECT_EQ(Value(job, "around", metric::kVisits), 1u);
  EXPECT_EQ(job.FindPath("around/behind"), -1);
  if (collector == "counting") {
    EXPECT_EQ(Value(job, "around/before", metric::kFlops), 1000u);
  }
  EXPECT_THAT(ListFiles(directory_.path()), testing::ElementsAre("run.json"));
}

INSTANTIATE_TEST_SUITE_P(Ways, EndsRecording,
                         testing::Values(std::pair("prctl", "timer"), std::pair("seccomp", "timer"),
                                         std::pair("strict", "timer"),
                                         std::pair("prctl", "counting"),
                                         std::pair("seccomp", "counting")),
                         [](const auto& info) { return info.param.first + info.param.second; });

TEST_F(Restriction, TheMessageNamesTheCalls) {
  Record("getrusage", "timer");
  EXPECT_THAT(ended_.err, Says(message::kSandboxEndsRecording, "getrusage"));
}

TEST_F(Restriction, OfManyItNamesTheFirst) {
  Record("prctl", "timer");
  EXPECT_THAT(ended_.err, ContainsRegex("openat, getrusage, newfstatat and [1-9][0-9]* more"));
}

TEST_F(Restriction, AFilterThatRoofmarkDoesNotMeetEndsNothing) {
  const JobProfile job = Record("reboot", "timer");
  EXPECT_THAT(ended_.err, Not(Says(message::kSandboxEndsRecording, _)));
  EXPECT_EQ(ended_.out, "on\n");
  EXPECT_EQ(Value(job, "around/behind", metric::kVisits), 3u);
}

TEST_F(Restriction, AFilterThatTheKernelRefusesEndsNothing) {
  const JobProfile job = Record("refused", "timer");
  EXPECT_EQ(Value(job, "around/behind", metric::kVisits), 3u);
}

// The file cannot be written any more, and the spool stays.
TEST_F(Restriction, CallsThatFailLeaveTheSpool) {
  ended_ = test::Run({RESTRICTS, "error"}, {{"ROOFMARK_OUTPUT", directory_.File("run.json")},
                                            {"ROOFMARK_SPOOL", directory_.path()},
                                            {"ROOFMARK_COLLECTOR", "timer"}});
  EXPECT_EQ(ended_.status, 23) << ended_.err;
  EXPECT_EQ(ended_.out, "on\n");
  EXPECT_FALSE(ListFiles(directory_.path()).empty());
}

}  // namespace
}  // namespace roofmark::test
