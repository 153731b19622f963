// SPDX-License-Identifier: BSD-3-Clause
#include "tests/support/killable.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "tests/support/end_child.h"

namespace roofmark::test {

Environment Killable::Variables(const std::string& collector) const {
  return {{"ROOFMARK_COLLECTOR", collector},
          {"ROOFMARK_OUTPUT", File("run.json")},
          {"ROOFMARK_SPOOL", File("spool")}};
}

pid_t Killable::Start(const std::vector<std::string>& command, const Environment& environment) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t pid = ForkForTest();
  if (pid != 0) return pid;
  for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
  const int null = open("/dev/null", O_WRONLY);
  dup2(null, STDOUT_FILENO);
  dup2(null, STDERR_FILENO);
  execv(arguments[0], arguments.data());
  _exit(127);
}

void Killable::Await(size_t word, uint64_t least) const {
  for (int i = 0; i < 60'000 && record_[word] < least; ++i) usleep(1000);
  ASSERT_GE(record_[word], least);
}

void Killable::Kill(pid_t pid) {
  kill(pid, SIGKILL);
  waitpid(pid, nullptr, 0);
}

JobProfile Killable::Recover(const std::string& roofmark, const std::string& from,
                             const std::vector<std::string>& options) const {
  std::remove(File("rec.json").c_str());
  std::vector<std::string> command = {roofmark, "recover", File(from), "-o", File("rec.json")};
  command.insert(command.end(), options.begin(), options.end());
  const Ended ended = test::Run(command, {}, directory_.path());
  EXPECT_EQ(ended.status, 0) << ended.err;
  return ReadRoofline(File("rec.json")).job;
}

}  // namespace roofmark::test
