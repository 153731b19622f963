// SPDX-License-Identifier: BSD-3-Clause
//
// Every subcommand with each standard stream closed, full or without a reader: output that was lost
// is an error of the command, messages that were lost are not, and nothing ends it with a signal.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <set>
#include <sstream>

#include "lib/core/file.h"
#include "lib/core/messages/command.h"
#include "lib/found/found_json.h"
#include "lib/model/machine_json.h"
#include "tests/lib/incore/made_up_loops.h"
#include "tests/lib/model/sample_machine.h"
#include "tests/lib/profile/sample_job.h"
#include "tests/support/end_child.h"
#include "tests/support/process.h"
#include "tests/support/sanitizers.h"
#include "tests/support/says.h"

namespace roofmark {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Call {
  std::vector<std::string> arguments;
  bool repeats = true;  // prints the same each time
};

class Output : public ::testing::Test {
 protected:
  // A roofline file, a machine file, and the spools of a dead process and of a live one.
  static void SetUpTestSuite() {
    directory_ = new test::TempDir;
    ASSERT_TRUE(WriteFile(File("record"), std::string(4096, '\0'), IfExists::kRefuse));
    ASSERT_TRUE(
        WriteFile(File("machine.json"), MachineToJson(test::SampleMachine()), IfExists::kRefuse));
    const Executed executed = {{{ROOFMARK, {{0x10000, 8, 2, 5}}, {}}}};
    ASSERT_TRUE(WriteFile(File("executed.json"), ExecutedToJson(executed), IfExists::kRefuse));
    RooflineFile found{test::EmptyJob(1), {}};
    test::AddPath(found.job, "a.c:10 in f()", RegionKind::kFound);
    test::Set(found.job, 0, metric::kTimeNs, {1'000'000'000}, "timer");
    test::Set(found.job, 0, metric::kVisits, {1}, "timer");
    found.hot = test::MadeUpLoops();
    ASSERT_TRUE(WriteFile(File("found.json"), RooflineToJson(found), IfExists::kRefuse));
    found.job.run.ranks = found.job.run.ranks_merged = 2;
    ASSERT_TRUE(WriteFile(File("two.json"), RooflineToJson(found), IfExists::kRefuse));
    Busy("once", "");
    Busy("quick", "dead");
    live_ = test::ForkForTest();
    if (live_ == 0) {
      const int out = open(File("ready").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
      dup2(out, STDOUT_FILENO);
      for (const auto& [name, value] : Variables("live")) setenv(name.c_str(), value.c_str(), 1);
      execl(BUSY, BUSY, "waits", File("record").c_str(), nullptr);
      _exit(127);
    }
    for (int i = 0; i < 600 && ReadFile(File("ready"))->empty(); ++i) usleep(50'000);
  }
  static void TearDownTestSuite() {
    kill(live_, SIGKILL);
    waitpid(live_, nullptr, 0);
    delete directory_;
  }
  static std::string File(const std::string& name) { return directory_->File(name); }
  static test::Environment Variables(const std::string& spool) {
    test::Environment variables = {{"ROOFMARK_COLLECTOR", "timer"},
                                   {"ROOFMARK_QUIET", "1"},
                                   {"ROOFMARK_OUTPUT", File("run.json")}};
    if (!spool.empty()) variables["ROOFMARK_SPOOL"] = File(spool);
    return variables;
  }
  static void Busy(const std::string& life, const std::string& spool) {
    test::Run({BUSY, life, File("record")}, Variables(spool), directory_->path());
  }

  static std::vector<Call> Calls() {
    return {{{"--help"}},
            {{"--version"}},
            {{"settings"}},
            {{"explain", "chain"}},
            {{"events", "--cpu", "all"}},
            {{"doctor"}, /*repeats=*/false},
            {{"machine", "--show", "machine.json"}},
            {{"machine", "--compare", "machine.json", "machine.json"}},
            {{"machine", "--topology", TOPOLOGY}},
            {{"report", "run.json", "--machine", "machine.json"}},
            {{"report", "run.json", "--json", "-"}},
            {{"compare", "run.json", "run.json"}},
            {{"compare", "run.json", "run.json", "--csv", "-"}},
            {{"report", "run.json", "--markdown", "-"}},
            {{"scaling", "found.json", "two.json"}},
            {{"portability", "run.json"}},
            {{"merge", "-o", "-", "run.json"}},
            {{"nests", "executed.json"}},
            {{"suggest", "found.json"}},
            {{"loops", "found.json", "--no-llvm-mca"}},
            {{"recover", "-o", "-", "dead"}},
            {{"top", "--once", "live"}, /*repeats=*/false},
            {{"run", "--force", "-o", "timed.json", "--collector", "timer", "--", BUSY, "once",
              "record"},
             /*repeats=*/false}};
  }
  // With `redirection` as a shell does it.
  static test::Ended Run(const Call& call, const std::string& redirection) {
    std::vector<std::string> command = {"/bin/sh", "-c", "exec \"$0\" \"$@\" " + redirection,
                                        ROOFMARK};
    command.insert(command.end(), call.arguments.begin(), call.arguments.end());
    return test::Run(command, {{"XDG_CACHE_HOME", directory_->path()}, {"LC_ALL", "C.UTF-8"}},
                     directory_->path());
  }
  // The same result as `expected`, whatever happened to other streams.
  static void ExpectAsUsual(const Call& call, const test::Ended& expected,
                            const std::string& redirection) {
    const test::Ended ended = Run(call, redirection);
    EXPECT_EQ(ended.status, expected.status) << redirection << ended.err;
    if (call.repeats) {
      EXPECT_EQ(ended.out, expected.out) << redirection;
    }
  }

  static test::TempDir* directory_;
  static pid_t live_;
};

test::TempDir* Output::directory_ = nullptr;
pid_t Output::live_ = -1;

std::string Name(const Call& call) { return ::testing::PrintToString(call.arguments); }

TEST_F(Output, LostOutputIsAnError) {
  for (const Call& call : Calls()) {
    SCOPED_TRACE(Name(call));
    ASSERT_THAT(Run(call, "").out, ::testing::Not(IsEmpty()));
    for (const auto& [redirection, why] : std::vector<std::pair<std::string, std::string>>{
             {">/dev/full", "No space left on device"}, {">&-", "Bad file descriptor"}}) {
      const test::Ended ended = Run(call, redirection);
      EXPECT_EQ(ended.status, 1) << redirection << ended.err;
      EXPECT_THAT(ended.err, HasSubstr(test::LineOf(message::kOutputFailed, why))) << redirection;
    }
  }
}

TEST_F(Output, LostMessagesAndAClosedInputChangeNothing) {
  for (const Call& call : Calls()) {
    SCOPED_TRACE(Name(call));
    const test::Ended expected = Run(call, "");
    EXPECT_LE(expected.status, call.arguments[0] == "doctor" ? 1 : 0) << expected.err;
    ExpectAsUsual(call, expected, "2>&-");
    ExpectAsUsual(call, expected, "2>/dev/full");
    ExpectAsUsual(call, expected, "<&-");
  }
  for (const char* redirection : {"2>&-", "2>/dev/full", "2>&- >&- <&-"}) {
    EXPECT_EQ(Run({{"report", "nothing.json"}}, redirection).status, 1) << redirection;
    EXPECT_EQ(Run({{"report"}}, redirection).status, 2) << redirection;
  }
}

TEST_F(Output, AReaderThatWentAwayEndsItQuietly) {
  // A FIFO that somebody has opened for writing and nobody for reading, the signal on or off.
  for (const std::string trap : {"", "trap '' PIPE; "}) {
    const test::Ended ended = test::Run(
        {"/bin/sh", "-c",
         trap + "rm -f fifo; mkfifo fifo; exec 4<>fifo 3>fifo 4>&-; exec \"$0\" settings >&3",
         ROOFMARK},
        {}, directory_->path());
    EXPECT_EQ(ended.status, 128 + SIGPIPE) << trap;
    EXPECT_EQ(ended.err, "") << trap;
  }
}

TEST_F(Output, ExecutedProgramsFindStreamsAndSignalsAsTheyWere) {
  const std::string shows =
      "ls /proc/self/fd >fds; grep SigIgn /proc/self/status >ignored; exec " BUSY " once record";
  for (const char* redirection : {"", "<&-", ">&- <&-"}) {
    const std::vector<std::string> program = {"/bin/sh", "-c", shows};
    Call call = {{"run", "--force", "--no-report", "-o", "timed.json", "--collector", "timer",
                  "--no-machine", "--"}};
    call.arguments.insert(call.arguments.end(), program.begin(), program.end());
    EXPECT_EQ(Run(call, redirection).status, 0) << redirection;
    const std::string fds = *ReadFile(File("fds")), ignored = *ReadFile(File("ignored"));
    test::Run({"/bin/sh", "-c", "exec /bin/sh -c '" + shows + "' " + redirection}, {},
              directory_->path());
    EXPECT_EQ(fds, *ReadFile(File("fds"))) << redirection;
    EXPECT_EQ(ignored, *ReadFile(File("ignored"))) << redirection;
  }
}

TEST_F(Output, WhatNobodyForesawIsAMessageAndAStatus) {
#if ROOFMARK_TEST_ASAN
  GTEST_SKIP() << "the sanitizer itself needs more addresses";
#endif
  const test::Ended ended = test::Run(
      {"/bin/sh", "-c", "truncate -s 4G huge.json; ulimit -v 400000; exec \"$0\" report huge.json",
       ROOFMARK},
      {}, directory_->path());
  EXPECT_EQ(ended.status, 1);
  EXPECT_THAT(ended.err, ::testing::StartsWith("roofmark: "));
}

TEST_F(Output, AReportThatIsTooNarrowIsRefused) {
  for (const char* width : {"40", "75", "-3", "1e9"}) {
    const test::Ended ended = Run({{"report", "run.json", "--width", width}}, "");
    EXPECT_EQ(ended.status, 2);
    EXPECT_EQ(ended.out, "");
    EXPECT_THAT(ended.err,
                HasSubstr(std::string("roofmark: --width: ") + width +
                          " is neither a number of columns from 76 to 1000 nor a width of "
                          "pictures with its unit, like 85mm\n"));
  }
}

TEST_F(Output, EverySubcommandIsTried) {
  std::set<std::string> tried;
  for (const Call& call : Calls()) tried.insert(call.arguments[0]);
  std::istringstream help(Run({{"--help"}}, "").out);
  std::string line;
  while (std::getline(help, line) && line != "Subcommands:") continue;
  int subcommands = 0;
  while (std::getline(help, line)) {
    if (line.size() < 3 || line[2] == ' ') continue;
    const std::string name = line.substr(2, line.find(' ', 2) - 2);
    EXPECT_EQ(tried.count(name), 1u) << name;
    ++subcommands;
  }
  EXPECT_GE(subcommands, 12);
}

}  // namespace
}  // namespace roofmark
