// SPDX-License-Identifier: BSD-3-Clause
//
// roofmark run where something goes wrong: a machine that was never measured, programs that fail,
// die or are interrupted. Nothing that was measured is lost, and nothing stays behind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <map>

#include "lib/core/clock.h"
#include "lib/core/file.h"
#include "lib/core/messages/command_run.h"
#include "tests/command/script_by_pass.h"
#include "tests/support/process.h"
#include "tests/support/says.h"

namespace roofmark {
namespace {

using test::Ended;
using test::Value;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class RunCommand : public testing::Test {
 protected:
  RunCommand() {
    std::filesystem::create_directory(directory_.File("spool"));
    EXPECT_TRUE(WriteFile(directory_.File("record"), std::string(4096, '\0'), IfExists::kRefuse));
  }
  Ended Run(std::vector<std::string> arguments,
            const std::vector<std::string>& machine = {"--no-machine"},
            std::vector<std::string> command = {}) {
    command.insert(command.end(), {ROOFMARK, "run"});
    if (arguments.front() != "-o") command.insert(command.end(), {"-o", "run.json"});
    command.insert(command.end(), machine.begin(), machine.end());
    command.insert(command.end(), arguments.begin(), arguments.end());
    test::Environment environment = {{"XDG_CACHE_HOME", directory_.File("cache")},
                                     {"ROOFMARK_SPOOL", directory_.File("spool")},
                                     {"LC_ALL", "C.UTF-8"}};
    environment.insert(variables_.begin(), variables_.end());
    return test::Run(command, environment, directory_.path());
  }
  void WriteProgram(const std::string& time, const std::string& work) {
    test::WriteScriptByPass(directory_.File("app"), time, work);
  }
  JobProfile Job() const { return test::ReadRoofline(directory_.File("run.json")).job; }
  std::vector<std::string> Spools() const { return test::ListFiles(directory_.File("spool")); }

  test::TempDir directory_;
  test::Environment variables_;  // of the user
};

// Ends without a word, after 1000 visits.
constexpr char kDies[] = BUSY " quick record";

TEST_F(RunCommand, ATimePassThatDiesIsRecovered) {
  WriteProgram(std::string(kDies) + "\nexit 9", "exit 1");
  const Ended ended = Run({"--", "./app"});
  EXPECT_EQ(ended.status, 9);
  EXPECT_THAT(ended.err, HasSubstr("./app ended with status 9; the measurements until then are "
                                   "kept. No work pass follows (--ignore-status: it does)\n"));
  EXPECT_EQ(Value(Job(), "step", metric::kVisits), 1000u);
  EXPECT_EQ(Job().run.recovered_ranks, 1u);
  EXPECT_EQ(Job().sources[metric::kInstructions].reason,
            "no work pass was made, because the time pass ended with status 9");
  EXPECT_THAT(Spools(), testing::IsEmpty());
}

// What the user names is no pattern here, and neither is what is made of it.
TEST_F(RunCommand, PercentSignsInNamesAreOnlyThemselves) {
  std::filesystem::create_directory(directory_.File("100%p"));
  WriteProgram(BUSY " once record", kDies);
  const Ended whole = Run({"-o", "100%p/a%r.json", "--", "./app"});
  EXPECT_THAT(test::ListFiles(directory_.File("100%p")), testing::ElementsAre("a%r.json"))
      << whole.err;
  WriteProgram(kDies, "exit 1");
  const Ended died = Run({"-o", "100%p/b%%.json", "--", "./app"});
  EXPECT_THAT(test::ListFiles(directory_.File("100%p")),
              testing::UnorderedElementsAre("a%r.json", "b%%.json"))
      << died.err;
  EXPECT_THAT(Spools(), testing::IsEmpty());
}

TEST_F(RunCommand, TheWorkPassReadsWhatTheTimePassRead) {
  WriteProgram("cat >>seen\n" BUSY " once record", "cat >>seen\n" BUSY " once record");
  const Ended ended =
      Run({"--", "./app"}, {"--no-machine"}, {"/bin/sh", "-c", "printf 'a\nb\n' | \"$@\"", "sh"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(*ReadFile(directory_.File("seen")), "a\nb\na\nb\n");
}

TEST_F(RunCommand, AWorkPassThatDiesLeavesNothingBehind) {
  WriteProgram(BUSY " once record", std::string(kDies) + "\nexit 9");
  const Ended ended = Run({"--", "./app"});
  EXPECT_EQ(ended.status, 9);
  EXPECT_EQ(Value(Job(), "step", metric::kVisits), 1000u);
  EXPECT_EQ(Job().run.recovered_ranks, 0u) << "the times are those of the whole time pass";
  EXPECT_THAT(Spools(), testing::IsEmpty());
}

// It writes its file after the command has ended, and before it is waited for in vain.
TEST_F(RunCommand, AProcessThatEndsAfterTheCommandIsNotLost) {
  WriteProgram(BUSY
               " until_told record & until ls spool | grep -q .; do sleep 0.05; done; (sleep 0.2; "
               "printf x | dd of=record bs=1 seek=16 conv=notrunc status=none) & exit 0",
               "exit 1");
  const uint64_t start = NowNs();
  const Ended ended = Run({"--work", "never", "--", "./app"});
  const bool stalled = NowNs() - start > 2'500'000'000;
  if (stalled) GTEST_SKIP() << "the machine is too busy: such processes are waited for 3 s";
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(Value(Job(), "step", metric::kVisits), 1000u);
  EXPECT_EQ(Job().run.recovered_ranks, 0u) << ended.err;
  EXPECT_THAT(Spools(), testing::IsEmpty());
}

TEST_F(RunCommand, SpoolsOfOtherJobsAreLeftAlone) {
  test::Run({BUSY, "quick", directory_.File("record")},
            {{"ROOFMARK_COLLECTOR", "timer"},
             {"ROOFMARK_OUTPUT", directory_.File("other.json")},
             {"ROOFMARK_SPOOL", directory_.File("spool")}});
  ASSERT_EQ(Spools().size(), 1u);
  WriteProgram(kDies, "exit 1");
  Run({"--", "./app"});
  EXPECT_EQ(Spools().size(), 1u);
}

TEST_F(RunCommand, AfterAnInterruptNothingMoreIsExecuted) {
  WriteProgram(std::string(BUSY) +
                   " waits record >said & while ! [ -s said ]; do sleep 0.05; "
                   "done; kill -INT $PPID; kill -9 $!; wait; exit 0",
               "touch worked");
  const Ended ended = Run({"--ignore-status", "--", "./app"});
  EXPECT_EQ(ended.status, 0) << "the program's own";
  EXPECT_THAT(ended.err, HasSubstr("./app was interrupted; the measurements until then are kept"));
  EXPECT_EQ(Value(Job(), "step", metric::kVisits), 1000u);
  EXPECT_FALSE(std::filesystem::exists(directory_.File("worked")));
  EXPECT_THAT(Job().run.warnings, Contains("the program was interrupted in the time pass"));
  EXPECT_THAT(Spools(), testing::IsEmpty());
}

// At any moment between the program's end and the written file; behind that it ends the command.
TEST_F(RunCommand, AnInterruptAfterTheProgramLosesNothing) {
  const std::map<std::string, int> signals = {{"INT", SIGINT}, {"TERM", SIGTERM}, {"HUP", SIGHUP}};
  for (const auto& [signal, number] : signals) {
    for (const char* delay : {"0", "0.01", "0.03", "0.1"}) {
      WriteProgram(BUSY " once record\n(sleep " + std::string(delay) + "; kill -" + signal +
                       " $PPID) </dev/null >/dev/null 2>&1 &\nexit 0",
                   "touch worked");
      const Ended ended = Run({"--force", "--no-report", "--work", "never", "--", "./app"});
      EXPECT_THAT(ended.status, testing::AnyOf(0, 128 + number))
          << signal << " after " << delay << " s: " << ended.err;
      EXPECT_EQ(Value(Job(), "step", metric::kVisits), 1000u);
      std::filesystem::remove(directory_.File("run.json"));
    }
  }
}

TEST_F(RunCommand, ASignalThatIsIgnoredStaysIgnored) {
  WriteProgram("kill -HUP $PPID; kill -HUP $$; " BUSY " once record", "true");
  const Ended ended = Run({"--work", "never", "--", "./app"}, {"--no-machine"}, {"nohup"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(Value(Job(), "step", metric::kVisits), 1000u);
}

TEST_F(RunCommand, AStatusMayBeIgnored) {
  WriteProgram(WORKING " nested; exit 3", WORKING " nested; exit 4");
  const Ended ended = Run({"--ignore-status", "--", "./app"});
  EXPECT_EQ(ended.status, 3) << "the program's, of the first pass";
  const JobProfile job = Job();
  ASSERT_EQ(job.run.passes.size(), 2u);
  EXPECT_EQ(job.run.passes[0].facts.at("exit_status"), "3");
  EXPECT_EQ(job.run.passes[1].facts.at("exit_status"), "4");
  EXPECT_EQ(Value(job, "outer/inner", metric::kWorkerFlopsMax), 24'000u);
  EXPECT_THAT(job.run.warnings, Contains("the program ended with status 3 in the time pass"));
  EXPECT_THAT(ended.out, HasSubstr("the program ended with status 4 in the work pass"))
      << "the report says so";
}

// Each execution for time writes a line; the second one takes longest.
TEST_F(RunCommand, TheTimePassIsRepeated) {
  WriteProgram("echo x >> count; [ $(wc -l < count) = 2 ] && sleep 0.3\n" WORKING " nested",
               WORKING);
  const Ended ended = Run({"--repeat", "3", "--", "./app"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("roofmark: time pass 3 of 3: about "));
  const JobProfile job = Job();
  EXPECT_EQ(job.run.repeats_s.size(), 3u);
  EXPECT_EQ(job.run.passes.size(), 2u);
  const int outer = job.FindPath("outer");
  ASSERT_GE(outer, 0);
  EXPECT_EQ(job.paths[static_cast<size_t>(outer)].repeats_ns.size(), 3u);
  EXPECT_THAT(test::ListFiles(directory_.path()), Not(Contains(HasSubstr(".passes."))));
}

TEST_F(RunCommand, ARepetitionThatFailsLeavesThoseBefore) {
  WriteProgram("echo x >> count; [ $(wc -l < count) = 3 ] && exit 7\n" WORKING " nested", WORKING);
  const Ended ended = Run({"--repeat", "4", "--", "./app"});
  EXPECT_EQ(ended.status, 7);
  EXPECT_EQ(Job().run.repeats_s.size(), 2u);
  EXPECT_EQ(Job().run.passes.size(), 1u);
  EXPECT_THAT(ended.err, Not(HasSubstr("4 of 4")));
}

TEST_F(RunCommand, OnlyTheTimePassCanBeRepeated) {
  const Ended ended = Run({"--repeat", "2", "--collector", "counting", "--", "./app"});
  EXPECT_EQ(ended.status, 2);
  EXPECT_THAT(ended.err, HasSubstr("--repeat repeats the time pass, and --collector counting has "
                                   "none"));
}

TEST_F(RunCommand, TheWorkPassIsRefusedOrDemanded) {
  const Ended never = Run({"--work", "never", "--", WORKING, "nested"});
  EXPECT_EQ(never.status, 0) << never.err;
  EXPECT_THAT(never.err, HasSubstr("no work pass follows, because of --work never\n"));
  EXPECT_EQ(Job().run.passes.size(), 1u);
  const Ended always = Run({"--force", "--collector", "timer", "--work", "always", "--count",
                            "flops", "--", WORKING, "nested"});
  EXPECT_THAT(always.err, HasSubstr("work pass under the counting engine: expected to take "));
  EXPECT_EQ(Job().run.passes.size(), 2u);
  EXPECT_EQ(Run({"--collector", "counting", "--work", "never", "--", WORKING}).status, 2);
}

TEST_F(RunCommand, VariablesOfTheUserAreRespectedOrNamed) {
  variables_ = {{"ROOFMARK", "off"},
                {"ROOFMARK_COLLECTOR", "timer"},
                {"ROOFMARK_OUTPUT", "other.json"},
                {"ROOFMARK_EVENTS", "task-clock"}};
  const Ended ended = Run({"--", WORKING, "nested"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  const size_t first = ended.err.find("roofmark: time pass");
  for (const char* named :
       {"ROOFMARK=off in the environment is not used",
        "ROOFMARK_OUTPUT=other.json in the environment is not used: -o run.json was given",
        "ROOFMARK_EVENTS=task-clock in the environment is not used: --collector timer reads"}) {
    EXPECT_LT(ended.err.find(named), first) << named << ended.err;
  }
  EXPECT_EQ(Job().run.passes.size(), 1u) << "--collector timer";
}

TEST_F(RunCommand, AllPassesRecordTheRegionsThatWereChosen) {
  const Ended ended = Run({"--regions", "outer/*", "--collector", "timer", "--work", "always",
                           "--count", "flops", "--", WORKING, "nested"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("regions chosen: outer/*\n"));
  const JobProfile job = Job();
  ASSERT_EQ(job.run.passes.size(), 2u);
  for (const PassInfo& pass : job.run.passes) EXPECT_EQ(pass.settings.at("regions"), "outer/*");
  ASSERT_EQ(job.paths.size(), 1u);
  EXPECT_EQ(job.paths[0].path, "inner");
  EXPECT_EQ(Value(job, "inner", metric::kWorkerFlopsMax), 24'000u);
  const Ended malformed = Run({"--regions", "outer/", "--", WORKING, "nested"});
  EXPECT_EQ(malformed.status, 2);
  EXPECT_THAT(malformed.err,
              HasSubstr("--regions outer/ cannot be used: `outer/` has a / without a "
                        "name"));
}

TEST_F(RunCommand, EventsOfTheUserAreCountedInTheFirstExecution) {
  variables_ = {{"ROOFMARK_EVENTS", "task-clock"}};
  const Ended ended = Run({"--work", "never", "--", WORKING, "nested"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(Job().run.passes[0].settings.at("events"), "task-clock");
}

TEST_F(RunCommand, AWorkPassThatCannotFitIsNotMade) {
  const Ended ended = Run({"--work-limit", "1s", "--", WORKING, "nested"});
  EXPECT_EQ(ended.status, 0);
  EXPECT_THAT(ended.err, HasSubstr("no work pass is made: even FLOPs alone are expected to take"));
  EXPECT_EQ(Job().run.passes.size(), 1u);
  EXPECT_EQ(Job().sources[metric::kMissesCompulsory].reason,
            "no work pass was made: --work-limit is too short for it");
  EXPECT_EQ(Run({"--work-limit", "soon", "--", WORKING}).status, 2);
}

TEST_F(RunCommand, WhatIsLoweredForALimitIsSaid) {
  WriteProgram(BUSY " works record", BUSY " once record");
  const Ended ended = Run({"--work-limit", "30s", "--", "./app"});
  EXPECT_THAT(ended.err, HasSubstr("for --work-limit 30 s "));
  EXPECT_EQ(Job().run.passes.size(), 2u);
}

// On a terminal, and only there: how far the processes are whose spools lie on this node.
TEST_F(RunCommand, ProgressIsShownOnATerminal) {
  WriteProgram(BUSY " once record", BUSY
               " waits record >said & i=0; while ! [ -e seen ] && [ $i -lt 600 ]; do sleep 0.1; "
               "i=$((i + 1)); done; kill -9 $!; wait; exit 0");
  const std::vector<std::string> terminal = {"python3", "-c", R"(
import os, pty, sys
def read(terminal, all=[b""]):
    data = os.read(terminal, 1024)
    all[0] += data
    if b"roofmark: 100 %, " in all[0]:
        open("seen", "w").close()
    return data
sys.exit(pty.spawn(sys.argv[1:], read) >> 8)
)"};
  const std::vector<std::string> run = {"--count", "flops", "--no-report", "--", "./app"};
  EXPECT_THAT(Run(run, {"--no-machine"}, terminal).out, HasSubstr("roofmark: 100 %, "));
  const Ended elsewhere = Run({"--force", "--count", "flops", "--no-report", "--", "./app"});
  EXPECT_THAT(elsewhere.err + elsewhere.out, Not(HasSubstr(" %, ")));
}

TEST_F(RunCommand, AMachineThatWasNeverMeasuredIsMeasuredFirst) {
  const Ended ended = Run({"--count", "flops", "--", WORKING, "nested"}, {});
  EXPECT_EQ(ended.status, 0) << ended.err;
  const size_t said = ended.err.find(InWords(message::kMachineIsMeasuredFirst));
  ASSERT_NE(said, std::string::npos) << ended.err;
  EXPECT_LT(said, ended.err.find("roofmark: time pass"));
  EXPECT_THAT(ended.out, testing::StartsWith("done\n")) << "the machine's table is not shown";
  EXPECT_THAT(test::ReadRoofline(directory_.File("run.json")).machines.at(0),
              Not(testing::IsEmpty()));
  const Ended again = Run({"--force", "--count", "flops", "--", WORKING, "nested"}, {});
  EXPECT_THAT(again.err, Not(test::Says(message::kMachineIsMeasuredFirst))) << "it is kept";
}

TEST_F(RunCommand, NothingIsMeasuredForACommandThatDoesNotExist) {
  const Ended ended = Run({"--", "./nothing"}, {});
  EXPECT_EQ(ended.status, 127);
  EXPECT_THAT(ended.err, Not(HasSubstr("measured")));
  EXPECT_THAT(ended.err, HasSubstr("cannot run ./nothing"));
}

TEST_F(RunCommand, AMachineFileThatCannotBeReadIsNoticedBeforeTheProgramRuns) {
  const Ended ended = Run({"--", WORKING, "nested"}, {"--machine", "nothing.json"});
  EXPECT_EQ(ended.status, 2);
  EXPECT_EQ(ended.out, "");
  EXPECT_THAT(ended.err, HasSubstr("nothing.json"));
}

TEST_F(RunCommand, AJobThatMayRunElsewhereIsNotMeasuredHere) {
  WriteProgram(WORKING " nested", WORKING " nested");
  std::filesystem::rename(directory_.File("app"), directory_.File("srun"));
  const Ended ended = Run({"--count", "flops", "--", "./srun"}, {});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.err, test::Says(message::kMachineIsElsewhere, "srun chooses the nodes"));
}

TEST_F(RunCommand, NoMachineSaysNothing) {
  const Ended ended = Run({"--count", "flops", "--", WORKING, "nested"});
  EXPECT_THAT(ended.err, Not(HasSubstr("measured")));
  EXPECT_TRUE(test::ReadRoofline(directory_.File("run.json")).machines.empty());
}

}  // namespace
}  // namespace roofmark
