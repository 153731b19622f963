// SPDX-License-Identifier: BSD-3-Clause
//
// Where the output and the messages of a process go, whatever it does before it ends.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "lib/core/file.h"
#include "lib/core/messages/recording.h"
#include "tests/support/other_user.h"
#include "tests/support/process.h"
#include "tests/support/says.h"

namespace roofmark {
namespace {

using test::Ended;
using test::Environment;
using test::Value;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class OutputRun : public testing::Test {
 protected:
  OutputRun() {
    for (const char* name : {"start", "other", "temporary"}) mkdir(File(name).c_str(), 0700);
  }

  std::string File(const std::string& name) const { return directory_.File(name); }
  std::vector<std::string> In(const std::string& name) const { return test::ListFiles(File(name)); }
  Environment Variables(const std::string& output) const {
    return {{"ROOFMARK_COLLECTOR", "timer"},
            {"ROOFMARK_OUTPUT", output},
            {"ROOFMARK_SPOOL", File("spool")},
            {"TMPDIR", File("temporary")},
            // LeakSanitizer needs /proc, which another root does not have.
            {"ASAN_OPTIONS", "detect_leaks=0"}};
  }
  // In the directory "start", in a shell that does `before` first.
  Ended Moves(const std::string& output, std::vector<std::string> actions,
              const std::string& before = "") const {
    std::vector<std::string> command = {"/bin/sh", "-c", before + " exec \"$0\" \"$@\"", MOVES};
    command.insert(command.end(), actions.begin(), actions.end());
    return test::Run(command, Variables(output), File("start"), 300);
  }
  void ExpectWhole(const std::string& file) const {
    EXPECT_EQ(Value(test::ReadRoofline(File(file)).job, "step", metric::kVisits), 1u);
  }

  const test::TempDir directory_;
};

// --- messages
// -------------------------------------------------------------------------------------

TEST_F(OutputRun, AStderrWithoutReaderDoesNotEndTheProgram) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  close(ends[0]);
  const pid_t pid = fork();
  if (pid == 0) {
    for (const auto& [name, value] : Variables(File("closed.json"))) {
      setenv(name.c_str(), value.c_str(), 1);
    }
    setenv("ROOFMARK_UNKNOWN", "1", 1);  // is complained about before main()
    dup2(ends[1], STDERR_FILENO);
    execl(MOVES, MOVES, nullptr);
    _exit(127);
  }
  close(ends[1]);
  int status = 0;
  waitpid(pid, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << WTERMSIG(status);
  ExpectWhole("closed.json");
}

TEST_F(OutputRun, AFileOfDataThatGotTheNumberOfStderrIsLeftAlone) {
  const Ended ended = Moves("run.json", {"reuse", File("data")});
  EXPECT_EQ(ended.status, 0);
  EXPECT_EQ(*ReadFile(File("data")), "");
  ExpectWhole("start/run.json");
}

// --- outputs that cannot be written --------------------------------------------------------------

TEST_F(OutputRun, APipeWithoutReaderHoldsNobodyUp) {
  ASSERT_EQ(mkfifo(File("pipe").c_str(), 0600), 0);
  const Ended ended = Moves(File("pipe"), {});
  EXPECT_EQ(ended.status, 0);
  EXPECT_THAT(ended.err, HasSubstr("no process reads from it"));
  ExpectWhole("temporary/pipe");
}

// Nobody named it: a file of another user could be under a name that is easily guessed.
TEST_F(OutputRun, APipeUnderANameThatWasFilledInIsNotWritten) {
  ASSERT_EQ(mkfifo(File("start/run-0.json").c_str(), 0600), 0);
  const int reader = open(File("start/run-0.json").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  const Ended ended = Moves("run-%r.json", {});
  EXPECT_EQ(ended.status, 0);
  EXPECT_THAT(ended.err, HasSubstr("run-0.json exists already"));
  EXPECT_THAT(ended.err, HasSubstr("wrote run-0.1.json"));
  ExpectWhole("start/run-0.1.json");
  char byte;
  EXPECT_EQ(read(reader, &byte, 1), 0);
  close(reader);
}

TEST_F(OutputRun, APipeThatTheUserNamedIsWritten) {
  // The reader is there before the program begins; what a pipe holds is more than the file has.
  ASSERT_EQ(mkfifo(File("pipe").c_str(), 0600), 0);
  const int reader = open(File("pipe").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  const Ended ended = Moves(File("pipe"), {});
  EXPECT_EQ(ended.status, 0) << ended.err;
  std::string written(1 << 16, '\0');
  written.resize(std::max<ssize_t>(0, read(reader, written.data(), written.size())));
  close(reader);
  EXPECT_THAT(written, HasSubstr("\"step\""));
}

TEST_F(OutputRun, StandardOutputThatTheUserNamed) {
  const Ended ended = Moves("/dev/stdout", {});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("\"step\""));
  const Ended file = Moves("/dev/stdout", {}, "exec > out; echo before; ");
  EXPECT_EQ(file.status, 0) << file.err;
  EXPECT_THAT(*ReadFile(File("start/out")), HasSubstr("before\n{"));
}

TEST_F(OutputRun, TheLimitOnFileSizesDoesNotEndTheProgram) {
  const Ended ended = Moves("run.json", {}, "ulimit -f 1; ");
  EXPECT_EQ(ended.status, 0) << "153: SIGXFSZ";
  EXPECT_THAT(ended.err, HasSubstr("File too large"));
  EXPECT_THAT(In("start"), IsEmpty());
}

TEST_F(OutputRun, TheTemporaryDirectoryIsEverybodys) {
  ASSERT_TRUE(WriteFile(File("precious"), "kept", IfExists::kRefuse));
  ASSERT_EQ(symlink(File("precious").c_str(), File("temporary/run.json").c_str()), 0);
  ASSERT_EQ(mkfifo(File("temporary/run.1.json").c_str(), 0600), 0);
  const Ended ended = Moves("/nowhere/run.json", {});
  EXPECT_EQ(ended.status, 0);
  EXPECT_THAT(ended.err, test::Says(message::kNotWritten, testing::_));
  EXPECT_EQ(*ReadFile(File("precious")), "kept");
  ExpectWhole("temporary/run.2.json");
}

// --- programs that change where they are
// ------------------------------------------------------------

TEST_F(OutputRun, ARelativeNameIsOfTheDirectoryAtTheStart) {
  const Ended ended = Moves("run.json", {"chdir", File("other")});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(In("start"), ElementsAre("run.json"));
  EXPECT_THAT(In("other"), IsEmpty());
}

TEST_F(OutputRun, WhatIsFilledInNamesNoOtherDirectory) {
  const Ended ended =
      Moves("run.%j.json", {}, "SLURM_JOB_ID=../../other/4711; export SLURM_JOB_ID;");
  EXPECT_THAT(ended.err, HasSubstr("wrote run._._.._other_4711.json\n"));
  ExpectWhole("start/run._._.._other_4711.json");
}

TEST_F(OutputRun, ADirectoryThatTheProgramMakesLater) {
  const Ended ended = Moves("later/run.json", {"mkdir", "later", "chdir", File("other")});
  EXPECT_EQ(ended.status, 0) << ended.err;
  ExpectWhole("start/later/run.json");
}

TEST_F(OutputRun, ADescriptorThatTheProgramClosedIsNotNeeded) {
  const Ended ended = Moves("run.json", {"close", "1024", "chdir", File("other")});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(In("start"), ElementsAre("run.json"));
}

// The library keeps nothing open then (the group `guest` counts), and nothing is left behind.
TEST_F(OutputRun, WhereFewFilesMayBeOpenTheNameIsEnough) {
  const Ended ended = Moves("run.json", {"chdir", File("other")}, "ulimit -n 64;");
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(In("start"), ElementsAre("run.json"));
  EXPECT_NE(access(File("spool").c_str(), F_OK), 0) << "the spool was not removed";
  if (geteuid() != 0) GTEST_SKIP() << "only root may change its root";
  const Ended moved = Moves("second.json", {"chroot", File("other")}, "ulimit -n 64;");
  EXPECT_EQ(moved.status, 0) << moved.err;
  EXPECT_THAT(moved.err, HasSubstr("no such directory can be seen any more"));
}

TEST_F(OutputRun, AnotherRootIsNoOtherPlace) {
  if (geteuid() != 0) GTEST_SKIP() << "only root may change its root";
  for (const std::string& output : {std::string("run.json"), File("start/run.json")}) {
    const Ended ended = Moves(output, {"chroot", File("other")});
    EXPECT_EQ(ended.status, 0) << ended.err;
    EXPECT_THAT(In("start"), ElementsAre("run.json"));
    std::remove(File("start/run.json").c_str());
  }
}

// A directory of the same name inside of the new root is not the one that was meant.
TEST_F(OutputRun, AnotherRootWithoutTheDescriptorIsSaid) {
  if (geteuid() != 0) GTEST_SKIP() << "only root may change its root";
  const std::string same = File("other") + File("start");
  ASSERT_EQ(test::Run({"mkdir", "-p", same, File("other/tmp")}).status, 0);
  const Ended ended = Moves("run.json", {"close", "1024", "chroot", File("other")});
  EXPECT_EQ(ended.status, 0);
  EXPECT_THAT(ended.err, HasSubstr("no such directory can be seen any more"));
  EXPECT_THAT(In("start"), IsEmpty());
  EXPECT_THAT(test::ListFiles(same), IsEmpty());
  ExpectWhole("other/tmp/run.json");
}

}  // namespace
}  // namespace roofmark
