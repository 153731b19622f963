// SPDX-License-Identifier: BSD-3-Clause
//
// Programs that find what their first execution left.
#include "command/work_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "lib/core/file.h"
#include "lib/core/messages/command_run.h"
#include "tests/support/process.h"
#include "tests/support/says.h"

namespace roofmark {
namespace {

using test::Ended;
using testing::_;
using testing::Not;

namespace fs = std::filesystem;

class RunFolder : public testing::Test {
 protected:
  RunFolder() {
    fs::create_directories(directory_.File("case/sub"));
    Write("record", std::string(4096, '\0'));
    Write("input", "an input\n");
  }
  void Write(const std::string& name, const std::string& text) const {
    ASSERT_TRUE(WriteFile(directory_.File("case/" + name), text, IfExists::kReplace));
  }
  // The shell executes `program` twice.
  Ended Run(const std::string& program, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> command = {
        ROOFMARK,   "run", "--no-machine", "--no-report", "--collector", "timer", "--work", "never",
        "--repeat", "2",   "--force",      "-o",          "run.json"};
    command.insert(command.end(), more.begin(), more.end());
    command.insert(command.end(), {"--", "/bin/sh", "-c", program + "; " BUSY " once record"});
    return test::Run(command, {}, directory_.File("case"));
  }
  void ExpectReread(const std::string& program, const std::string& file) const {
    const Ended ended = Run(program);
    EXPECT_EQ(ended.status, 0) << ended.err;
    EXPECT_THAT(ended.err, test::Says(message::kFilesAreReadAgain, file, _)) << program;
  }
  void ExpectNothing(const std::string& program) const {
    const Ended ended = Run(program);
    EXPECT_EQ(ended.status, 0) << ended.err;
    EXPECT_THAT(ended.err, Not(test::Says(message::kFilesAreReadAgain, _, _))) << program;
  }
  std::string Text(const std::string& name) const {
    const Result<std::string> text = ReadFile(directory_.File("case/" + name));
    return text ? *text : "nothing";
  }

  test::TempDir directory_;
};

TEST_F(RunFolder, ACheckpointThatIsReadIsNamed) {
  ExpectReread("cat sub/state 2>/dev/null; echo step >sub/state", "sub/state");
  const JobProfile job = test::ReadRoofline(directory_.File("case/run.json")).job;
  EXPECT_THAT(job.run.warnings,
              testing::Contains(InWords(message::kFilesAreReadAgain, "sub/state", "")));
}

TEST_F(RunFolder, SoIsAnInputThatTheProgramChanges) {
  ExpectReread("cat input >/dev/null; echo more >>input", "input");
}

TEST_F(RunFolder, ACounterThatIsReadAndWrittenInPlace) {
  ExpectReread("{ read n; echo $((n + 1)) >&0; } 0<>count || true", "count");
}

TEST_F(RunFolder, WhatIsWrittenAnewFirstIsItsOwn) {
  ExpectNothing("echo result >out; cat out >/dev/null");
  ExpectNothing("echo line >>log");
  ExpectNothing("echo new >tmp; mv tmp state; cat state >/dev/null");
}

TEST_F(RunFolder, WhatTheProgramOnlyReadsIsNoState) { ExpectNothing("cat input >/dev/null"); }

TEST_F(RunFolder, AProgramThatIsBuiltOnTheWayIsTheSame) {
  ExpectNothing("[ -e app ] || { cp /bin/true app; }; ./app");
}

TEST_F(RunFolder, AFreshCopyIsAsTheDirectoryWasBefore) {
  const std::string program = "ls >../seen.$(ls .. | grep -c seen); cat state; echo x >>state; pwd";
  const Ended ended = Run(program, {"--fresh-dir"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.err, Not(test::Says(message::kFilesAreReadAgain, _, _)));
  EXPECT_EQ(Text("state"), "x\n") << "the second execution has its own";
  const std::string first = Text("../seen.0"), second = Text("../seen.1");
  EXPECT_THAT(first, Not(testing::HasSubstr("state")));
  EXPECT_EQ(first, second) << "and '..' is the same";
  EXPECT_EQ(test::ListFiles(directory_.path()).size(), 3u) << "no copy is left";
}

TEST_F(RunFolder, AFreshCopyHasTheSamePrograms) {
  fs::copy_file("/bin/true", directory_.File("case/sub/app"));
  const Ended ended =
      Run("readlink -f sub/app >>../seen; cp sub/app new; ls -l new | wc -l", {"--fresh-dir"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  const std::string app = fs::canonical(directory_.File("case/sub/app"));
  EXPECT_EQ(Text("../seen"), app + "\n" + app + "\n");
}

TEST_F(RunFolder, TwoWaysToChooseADirectoryContradict) {
  EXPECT_EQ(Run("true", {"--fresh-dir", "--workdir", "sub"}).status, 2);
}

TEST(WorkFolder, TheFirstExecutionHasNoOneBeforeIt) {
  const auto folder = cli::WorkFolder::OfThisProcess(/*fresh=*/false);
  ASSERT_TRUE(folder);
  EXPECT_EQ(*(*folder)->Begin(), "");
  EXPECT_THAT((*folder)->End(), testing::IsEmpty());
}

}  // namespace
}  // namespace roofmark
