// SPDX-License-Identifier: BSD-3-Clause
//
// Where `roofmark run` puts what it measured: under a name that it took before the program ran, and
// nowhere does it delete a measurement that is in no other file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "lib/core/file.h"
#include "lib/core/messages/command.h"
#include "lib/core/messages/command_run.h"
#include "tests/support/process.h"
#include "tests/support/says.h"

namespace roofmark {
namespace {

using test::Ended;
using test::Value;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;
using testing::UnorderedElementsAre;

namespace fs = std::filesystem;

class RunOutput : public testing::Test {
 protected:
  RunOutput() {
    for (const char* name : {"spool", "out"}) fs::create_directory(directory_.File(name));
    EXPECT_TRUE(WriteFile(directory_.File("record"), std::string(4096, '\0'), IfExists::kRefuse));
  }
  // The shell executes `program`, in the time pass alone.
  Ended Run(const std::string& program, const std::vector<std::string>& options = {},
            const std::string& output = "out/run.json") const {
    std::vector<std::string> command = {ROOFMARK,       "run",         "-o",          output,
                                        "--no-machine", "--no-report", "--collector", "timer"};
    command.insert(command.end(), options.begin(), options.end());
    command.insert(command.end(), {"--", "/bin/sh", "-c", program});
    return test::Run(command, {{"ROOFMARK_SPOOL", directory_.File("spool")}}, directory_.path());
  }
  std::vector<std::string> Files() const { return test::ListFiles(directory_.File("out")); }
  uint64_t Steps(const std::string& name) const {
    return Value(test::ReadRoofline(directory_.File("out/" + name)).job, "step", metric::kVisits);
  }
  // The directory of the passes that was left, with '/' at its end.
  std::string Left() const {
    for (const std::string& name : Files()) {
      if (name.rfind(".run.json.passes.", 0) == 0) return name + "/";
    }
    ADD_FAILURE() << "no directory of passes";
    return "";
  }
  // Another process does it, which this one does not wait for.
  template <typename Condition>
  static void ExpectSoon(const Condition& condition) {
    for (int tries = 0; tries < 3000 && !condition(); ++tries)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_TRUE(condition());
  }
  test::TempDir directory_;
};

constexpr char kVisits[] = BUSY " once record";

TEST_F(RunOutput, JobsAtTheSameTimeWithTheSameNameAllKeepTheirs) {
  constexpr int kJobs = 5;
  std::vector<Ended> ended(kJobs);
  std::vector<std::thread> jobs;
  // Each waits until all have begun.
  const std::string meet =
      "touch begun.$$; while [ $(ls | grep -c begun) -lt 5 ]; do sleep 0.02; done; ";
  for (Ended& one : ended) jobs.emplace_back([&] { one = Run(meet + kVisits); });
  for (std::thread& job : jobs) job.join();
  for (const Ended& one : ended) EXPECT_EQ(one.status, 0) << one.err;
  const std::vector<std::string> names = Files();
  EXPECT_THAT(names, UnorderedElementsAre("run.json", "run.1.json", "run.2.json", "run.3.json",
                                          "run.4.json"));
  for (const std::string& name : names) EXPECT_EQ(Steps(name), 1000u) << name;
}

TEST_F(RunOutput, TheNameIsTakenBeforeTheProgramRuns) {
  EXPECT_EQ(Run(std::string("ls -A out >seen; ") + kVisits).status, 0);
  EXPECT_THAT(*ReadFile(directory_.File("seen")), HasSubstr(".run.json.reserved\n"));
  EXPECT_THAT(Files(), ElementsAre("run.json"));
}

// What is there is the hidden file alone.
TEST_F(RunOutput, ANameThatAnotherCommandHasIsNoFileThatExists) {
  const Ended ended = Run("[ -e within ] || { touch within; " ROOFMARK
                          " run -o out/run.json --no-machine --no-report --collector timer -- " BUSY
                          " once record 2>words; }; " +
                          std::string(kVisits));
  EXPECT_EQ(ended.status, 0) << ended.err;
  const std::string words = *ReadFile(directory_.File("words"));
  EXPECT_THAT(words, test::Says(message::kOutputIsReserved, "out/run.json", "out/run.1.json"));
  EXPECT_THAT(words, testing::Not(test::Says(message::kOutputExists, testing::_, testing::_)));
}

TEST_F(RunOutput, WhereNothingIsRecordedTheNameIsFreeAgain) {
  EXPECT_EQ(Run("exit 3").status, 3);
  EXPECT_EQ(Run("true").status, 1);
  EXPECT_THAT(Files(), IsEmpty());
}

TEST_F(RunOutput, AFileThatTookTheNameMeanwhileIsNotReplaced) {
  const Ended ended = Run(std::string("echo mine >out/run.json; ") + kVisits);
  EXPECT_EQ(ended.status, 0);
  EXPECT_THAT(ended.err, HasSubstr(test::LineOf(message::kWrote, "out/run.1.json")));
  EXPECT_EQ(*ReadFile(directory_.File("out/run.json")), "mine\n");
  EXPECT_EQ(Steps("run.1.json"), 1000u);
}

TEST_F(RunOutput, ForceReplacesAndKeepsTheOldFileUntilThen) {
  ASSERT_TRUE(WriteFile(directory_.File("out/run.json"), "old", IfExists::kRefuse));
  EXPECT_EQ(Run("exit 3", {"--force"}).status, 3);
  EXPECT_EQ(*ReadFile(directory_.File("out/run.json")), "old");
  EXPECT_EQ(Run(kVisits, {"--force"}).status, 0);
  EXPECT_EQ(Steps("run.json"), 1000u);
  EXPECT_THAT(Files(), ElementsAre("run.json"));
}

TEST_F(RunOutput, WhatCannotBeWrittenStaysWithThePasses) {
  fs::create_symlink("/dev/full", directory_.File("out/run.json"));
  const Ended ended = Run(kVisits);
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.err, HasSubstr("No space left on device"));
  EXPECT_THAT(ended.err, test::Says(message::kPassesStay, testing::_));
  EXPECT_EQ(Steps(Left() + "timer.json"), 1000u);
}

TEST_F(RunOutput, WhatWasRecoveredFromADeadProcessStaysToo) {
  fs::create_symlink("/dev/full", directory_.File("out/run.json"));
  EXPECT_EQ(Run(BUSY " quick record; exit 9").status, 9);
  EXPECT_EQ(Steps(Left() + "timer.recovered.json"), 1000u);
  EXPECT_THAT(test::ListFiles(directory_.File("spool")), IsEmpty());
}

// The command is killed in its second execution, with no time to write anything. That execution
// ends with it: the user started the first one alone.
TEST_F(RunOutput, AKilledCommandLeavesWhatIsRecovered) {
  const std::string twice =
      "if [ -e again ]; then " BUSY
      " quick record; trap 'echo ended >shell; exit 0' TERM; sleep 600 & kill -9 $PPID; "
      "wait; fi; touch again; ";
  EXPECT_EQ(Run(twice + kVisits, {"--repeat", "2"}).status, 128 + SIGKILL);
  EXPECT_EQ(*ReadFile(directory_.File("shell")), "ended\n");
  EXPECT_THAT(Files(), testing::Not(testing::Contains("run.json")));
  ExpectSoon([&] { return test::ListFiles(directory_.File("spool")).empty(); });
  const Ended recovered =
      test::Run({ROOFMARK, "recover", "out/" + Left(), "-o", "back.json"}, {}, directory_.path());
  EXPECT_EQ(recovered.status, 0) << recovered.err;
  const JobProfile job = test::ReadRoofline(directory_.File("back.json")).job;
  EXPECT_EQ(Value(job, "step", metric::kVisits), 1000u);
  EXPECT_THAT(job.run.warnings,
              testing::Contains(test::Says(message::kPassesWereLeft, testing::_)));
  // The next command of this name has it, and says what lies there.
  const Ended next = Run(kVisits);
  EXPECT_THAT(next.err, test::Says(message::kEarlierWasKilled, testing::_));
  EXPECT_EQ(Steps("run.json"), 1000u);
}

// As a scheduler does at the end of a job: all at once.
TEST_F(RunOutput, SpoolsOfTheExecutionThatWasKilledAreNamed) {
  const std::string twice =
      "if [ -e again ]; then " BUSY
      " quick record; for each in "
      "$(cat /proc/$PPID/task/$PPID/children); do [ $each = $$ ] || kill -9 $each; done; "
      "kill -9 $PPID $$; fi; touch again; ";
  EXPECT_EQ(Run(twice + kVisits, {"--repeat", "2"}).status, 128 + SIGKILL);
  EXPECT_THAT(test::ListFiles(directory_.File("spool")), testing::SizeIs(1));
  const std::string left = Left();
  const auto recover = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {ROOFMARK, "recover"});
    return test::Run(words, {{"ROOFMARK_SPOOL", directory_.File("spool")}}, directory_.path());
  };
  const Ended recovered = recover({"out/" + left, "-o", "back.json", "--remove"});
  EXPECT_EQ(recovered.status, 0) << recovered.err;
  EXPECT_THAT(recovered.err,
              test::Says(message::kSpoolsOfLeftPasses, testing::_, testing::_, testing::_));
  EXPECT_TRUE(test::ReadRoofline(directory_.File("back.json")).job.run.repeats_s.empty());
  EXPECT_EQ(Left(), left) << "it stays";
  EXPECT_EQ(recover({"spool", "-o", "rest.json", "--remove"}).status, 0);
  EXPECT_EQ(recover({"out/" + left, "-o", "again.json", "--remove"}).status, 0);
  EXPECT_THAT(Files(), ElementsAre(".run.json.reserved"));
}

TEST_F(RunOutput, OtherProgramsOfTheCommandHaveFilesOfTheirOwn) {
  const Ended ended = Run(std::string(BUSY " sleeps record; ") + kVisits);
  EXPECT_EQ(ended.status, 0);
  EXPECT_THAT(ended.err, test::Says(message::kProgramsOfCommand, 2u, testing::_, testing::_));
  EXPECT_EQ(Steps("run.json"), 1000u);
  EXPECT_EQ(Steps("run.2.json"), 1000u);
  EXPECT_EQ(test::ListFiles(directory_.File("out")).size(), 2u) << "the passes are gone";
}

TEST_F(RunOutput, OtherProgramsNeedAPlaceBesideTheOutput) {
  fs::create_symlink("/dev/null", directory_.File("out/run.json"));
  const Ended ended = Run(std::string(BUSY " sleeps record; ") + kVisits);
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.err, HasSubstr("is no file of its own; choose one with -o"));
  EXPECT_EQ(Steps(Left() + "timer.1.json"), 1000u) << "nothing is lost";
}

TEST_F(RunOutput, WhatCannotBeReadStays) {
  EXPECT_EQ(Run("echo '{' >${ROOFMARK_OUTPUT}; exit 0").status, 1);
  EXPECT_EQ(*ReadFile(directory_.File("out/" + Left() + "timer.json")), "{\n");
}

TEST_F(RunOutput, AProgramThatRemovesThePassesEndsWithAMessage) {
  const Ended ended = Run("rm -r out/.run.json.passes.*");
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.err, HasSubstr("recorded nothing"));
}

TEST_F(RunOutput, WhatHadToBeWrittenElsewhereIsUsed) {
  fs::create_directory(directory_.File("tmp"));
  EXPECT_TRUE(WriteFile(directory_.File("tmp/timer.json"), "{}", IfExists::kRefuse));
  const Ended ended = Run("rm -r out/.run.json.passes.*; TMPDIR=$PWD/tmp " + std::string(kVisits));
  EXPECT_EQ(ended.status, 1) << "TMPDIR is not that of this command";
  const Ended same =
      test::Run({"/bin/sh", "-c",
                 "TMPDIR=$PWD/tmp " ROOFMARK
                 " run -o out/run.json --no-machine --no-report --collector timer "
                 "-- /bin/sh -c 'rm -r out/.run.json.passes.*; " BUSY " once record'"},
                {{"ROOFMARK_SPOOL", directory_.File("spool")}}, directory_.path());
  EXPECT_EQ(same.status, 0) << same.err;
  EXPECT_THAT(same.err, test::Says(message::kWrittenElsewhere, testing::_,
                                   directory_.File("tmp/timer.2.json")));
  EXPECT_EQ(Steps("run.json"), 1000u);
}

// All of `roofmark run` and its report; the program has so little, too.
TEST_F(RunOutput, AStackMayBeSmall) {
  for (const char* kilobytes : {"256", "512", "1024"}) {
    const Ended ended = test::Run(
        {"/bin/sh", "-c",
         "ulimit -s " + std::string(kilobytes) +
             "; exec " ROOFMARK
             " run --force -o out/run.json --no-machine --collector timer -- " BUSY " once record"},
        {{"ROOFMARK_SPOOL", directory_.File("spool")}}, directory_.path());
    EXPECT_EQ(ended.status, 0) << kilobytes << ended.err;
    EXPECT_EQ(Steps("run.json"), 1000u);
  }
}

TEST_F(RunOutput, ADirectoryIsNoName) {
  const Ended ended = Run("touch ran", {}, "out");
  EXPECT_EQ(ended.status, 2);
  EXPECT_THAT(ended.err, StartsWith("roofmark: cannot write out: Is a directory"));
  EXPECT_FALSE(fs::exists(directory_.File("ran")));
}

// A command that was copied away from its library measures nothing, and says so.
TEST_F(RunOutput, ACommandWithoutItsLibraryDoesNotFailOnItsName) {
  std::error_code error;
  fs::create_hard_link(ROOFMARK, directory_.File("alone"), error);
  if (error) fs::copy_file(ROOFMARK, directory_.File("alone"));
  const Ended ended = test::Run({directory_.File("alone"), "run", "--no-machine", "--collector",
                                 "timer", "--", "/bin/sh", "-c", "echo ran"},
                                {}, directory_.path());
  EXPECT_EQ(ended.out, "ran\n") << ended.err;
  EXPECT_THAT(ended.err, testing::Not(HasSubstr("basic_string")));
}

}  // namespace
}  // namespace roofmark
