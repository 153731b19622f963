// SPDX-License-Identifier: BSD-3-Clause
//
// Scripts that start several programs: what is counted of one never stands beside times of another.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lib/core/file.h"
#include "lib/core/messages/command_run.h"
#include "tests/command/script_by_pass.h"
#include "tests/support/process.h"
#include "tests/support/says.h"

namespace roofmark {
namespace {

using test::Ended;
using test::Value;

constexpr uint64_t kChainFlops = 1'000'000, kNestedFlops = 27'000;

class RunPrograms : public testing::TestWithParam<const char*> {
 protected:
  RunPrograms() {
    EXPECT_TRUE(WriteFile(directory_.File("record"), std::string(4096, '\0'), IfExists::kRefuse));
  }
  // A shell script that does `time` in the time pass and `work` in the work pass.
  Ended Run(const std::string& time, const std::string& work,
            const std::vector<std::string>& more = {}) {
    test::WriteScriptByPass(directory_.File("job.sh"), time, work);
    std::vector<std::string> command = {ROOFMARK,   "run",    "--no-machine", "--engine",
                                        GetParam(), "--work", "always",       "--count",
                                        "flops",    "-o",     "run.json"};
    command.insert(command.end(), more.begin(), more.end());
    command.insert(command.end(), {"--", "./job.sh"});
    return test::Run(command, {{"ROOFMARK_SPOOL", directory_.path()}}, directory_.path());
  }
  uint64_t Flops(const std::string& file, const std::string& region) const {
    return Value(test::ReadRoofline(directory_.File(file)).job, region, metric::kFlops);
  }

  test::TempDir directory_;
};

constexpr char kChain[] = WORKING " chain", kNested[] = WORKING " nested";
const std::string kBoth = std::string(kChain) + "; " + kNested;

// In the order of the other pass, or at once.
TEST_P(RunPrograms, AreJoinedEachWithItself) {
  const std::string swapped = std::string(kNested) + "; " + kChain;
  const std::string at_once = std::string(kNested) + " & " + kChain + "; wait";
  for (const std::string& work : {kBoth, swapped, at_once}) {
    const Ended ended = Run(kBoth, work, {"--program", "working", "--force"});
    EXPECT_EQ(ended.status, 0) << ended.err;
    EXPECT_THAT(ended.err, test::Says(message::kProgramsOfCommand, 2u, kChain,
                                      "run.2.json (" + std::string(kNested) + ")"));
    EXPECT_EQ(Flops("run.json", "chain"), kChainFlops);
    EXPECT_EQ(Flops("run.2.json", "outer"), kNestedFlops);
  }
}

TEST_P(RunPrograms, AreChosenByTheUser) {
  const Ended ended = Run(kBoth, kBoth, {"--program", "working:2"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(Flops("run.json", "outer"), kNestedFlops);
  EXPECT_EQ(Flops("run.2.json", "chain"), kChainFlops);
}

TEST_P(RunPrograms, HaveFilesWhereTheWorkPassIsTheOnlyOne) {
  const Ended ended = Run(kBoth, kBoth, {"--program", "working", "--collector", "counting"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(Flops("run.json", "chain"), kChainFlops);
  EXPECT_EQ(Flops("run.2.json", "outer"), kNestedFlops);
}

// Arguments that are new each time, as those of temporary files.
TEST_P(RunPrograms, MayHaveOtherArgumentsEachTime) {
  const std::string fresh = std::string(kChain) + " $$; " + kNested + " $$";
  const Ended ended = Run(fresh, fresh, {"--program", "working"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(Flops("run.json", "chain"), kChainFlops);
  EXPECT_EQ(Flops("run.2.json", "outer"), kNestedFlops);
}

// A restart that skips what is there.
TEST_P(RunPrograms, ThatAreMissingInTheWorkPassHaveNoWork) {
  const Ended ended = Run(kBoth, kNested, {"--program", "working"});
  EXPECT_THAT(ended.err, test::Says(message::kProgramIsMissing, kChain, kNested));
  const JobProfile job = test::ReadRoofline(directory_.File("run.json")).job;
  EXPECT_EQ(Value(job, "chain", metric::kVisits), 1u);
  EXPECT_EQ(job.sources[metric::kFlops].status, Status::kUnsupported);
}

TEST_P(RunPrograms, ThatDieAreKeptBesideThoseThatEndWell) {
  const std::string dies = std::string(kChain) + "; " BUSY " quick record || true";
  const Ended ended = Run(dies, dies, {"--program", "working"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(Flops("run.json", "chain"), kChainFlops);
  const JobProfile died = test::ReadRoofline(directory_.File("run.2.json")).job;
  EXPECT_EQ(Value(died, "step", metric::kVisits), 1000u);
  EXPECT_EQ(died.run.recovered_ranks, 1u);
}

// With every program recorded, the one that failed is no program to measure.
TEST(RunFailed, LeavesNothingOfWhatWasStartedOnTheWay) {
  const test::TempDir directory;
  directory.Write("job.sh", "set -e\nmkdir /no/such/folder\n" WORKING " chain\n");
  const Ended ended = test::Run(
      {ROOFMARK, "run", "--no-machine", "--preload", "-o", "run.json", "--", "sh", "./job.sh"},
      {{"ROOFMARK_SPOOL", directory.path()}}, directory.path());
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.err, testing::HasSubstr("sh recorded nothing (status 1)"));
  EXPECT_THAT(test::ListFiles(directory.path()), testing::ElementsAre("job.sh"));
}

INSTANTIATE_TEST_SUITE_P(Engines, RunPrograms, testing::Values("valgrind", "native"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace roofmark
