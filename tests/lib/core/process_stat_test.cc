// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/process_stat.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace roofmark {
namespace {

TEST(ProcessStat, OfThisProcess) {
  const ProcessStat self = ReadProcessStat("self");
  EXPECT_TRUE(self.Runs());
  EXPECT_EQ(self.parent, getppid());
  EXPECT_GT(self.started, 0u);
  EXPECT_EQ(ReadProcessStat(std::to_string(getpid())).started, self.started);
}

TEST(ProcessStat, AProcessThatEndedDoesNotRun) {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  siginfo_t ended;
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT), 0);
  const ProcessStat zombie = ReadProcessStat(std::to_string(child));
  EXPECT_EQ(zombie.state, 'Z');
  EXPECT_FALSE(zombie.Runs());
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  EXPECT_FALSE(ReadProcessStat(std::to_string(child)).Runs());
}

}  // namespace
}  // namespace roofmark
