// SPDX-License-Identifier: BSD-3-Clause
//
// `roofmark machine` as a user runs it: what it leaves and what it refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "lib/core/file.h"
#include "lib/core/messages/command.h"
#include "lib/core/messages/command_run.h"
#include "lib/model/machine_json.h"
#include "tests/support/end_child.h"
#include "tests/support/process.h"
#include "tests/support/says.h"

namespace roofmark {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class MachineCommand : public testing::Test {
 protected:
  test::Ended Machine(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {ROOFMARK, "machine", "--quick"});
    return test::Run(arguments, {{"XDG_CACHE_HOME", directory_.path()}}, directory_.path());
  }
  test::TempDir directory_;
};

TEST_F(MachineCommand, KeepsTheMachineAndItsPicture) {
  const test::Ended ended = Machine({"-o", "m.json", "--svg", "m.svg"});
  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("\nthe roofs "));
  EXPECT_THAT(ended.out, HasSubstr("kept in m.json\n"));
  EXPECT_THAT(test::ListFiles(directory_.path()), ElementsAre("m.json", "m.svg"));
  const auto text = ReadFile(directory_.File("m.json"));
  ASSERT_TRUE(text);
  const auto machine = MachineFromJson(*text, "m.json");
  ASSERT_TRUE(machine) << machine.error();
  const auto svg = ReadFile(directory_.File("m.svg"));
  ASSERT_TRUE(svg);
  EXPECT_THAT(*svg, HasSubstr("dp peak "));
  EXPECT_THAT(*svg, HasSubstr(machine->measured_at));
}

// A batch system's limit, or a launcher that has no patience.
TEST_F(MachineCommand, AKilledOneLeavesWhatWasMeasured) {
  const std::string file = directory_.File("m.json");
  const auto measured = [&file] {
    const auto text = ReadFile(file);
    return text ? MachineFromJson(*text, file) : Result<roofmark::Machine>(Error{text.error()});
  };
  const pid_t command = test::ForkForTest();
  if (command == 0) {
    setenv("XDG_CACHE_HOME", directory_.path().c_str(), 1);
    execl(ROOFMARK, ROOFMARK, "machine", "--full", "--quiet", "-o", file.c_str(), nullptr);
    _exit(127);
  }
  ASSERT_GT(command, 0);
  // The first that is measured. All of it takes minutes.
  const auto has_begun = [&measured] {
    const auto machine = measured();
    return machine && machine->Find("bandwidth.DRAM.read") != nullptr;
  };
  bool ended = false;
  while (!ended && !has_begun()) {
    usleep(20'000);
    ended = waitpid(command, nullptr, WNOHANG) != 0;
  }
  ASSERT_FALSE(ended) << "by itself";
  kill(command, SIGKILL);
  waitpid(command, nullptr, 0);
  const auto machine = measured();
  ASSERT_TRUE(machine) << machine.error();
  EXPECT_TRUE(machine->partial);
  EXPECT_NE(machine->Find("bandwidth.DRAM.read"), nullptr);
}

TEST_F(MachineCommand, RefusesToReplaceBeforeItMeasures) {
  ASSERT_TRUE(WriteFile(directory_.File("there"), "mine", IfExists::kRefuse));
  for (const char* option : {"-o", "--svg"}) {
    const test::Ended ended = Machine({option, "there"});
    EXPECT_EQ(ended.status, 1);
    EXPECT_EQ(ended.out, "");
    EXPECT_EQ(ended.err,
              test::LineOf(message::kFileExists, "there", ", remove it, or use --force"));
  }
}

}  // namespace
}  // namespace roofmark
