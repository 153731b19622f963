// SPDX-License-Identifier: BSD-3-Clause
//
// The fixture of tests that run one process (programs/busy.c) and look at what its spool tells
// afterwards.
#ifndef ROOFMARK_TESTS_MARKERS_RUNTIME_SPOOL_RUN_H_
#define ROOFMARK_TESTS_MARKERS_RUNTIME_SPOOL_RUN_H_

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/support/process.h"

namespace roofmark {

class SpoolRun : public testing::Test {
 protected:
  static constexpr size_t kRecordBytes = 4096;

  SpoolRun() {
    const int fd = open(File("record").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    EXPECT_EQ(ftruncate(fd, kRecordBytes), 0);
    record_ = static_cast<std::atomic<uint64_t>*>(
        mmap(nullptr, kRecordBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
    close(fd);
  }
  ~SpoolRun() override { munmap(record_, kRecordBytes); }

  std::string File(const std::string& name) const { return directory_.File(name); }
  test::Environment Variables() const {
    return {{"ROOFMARK_COLLECTOR", "timer"},
            {"ROOFMARK_OUTPUT", File("run.json")},
            {"ROOFMARK_SPOOL", File("spool")}};
  }
  test::Ended Busy(const char* life, const test::Environment& extra = {}) {
    test::Environment environment = Variables();
    for (const auto& [name, value] : extra) environment[name] = value;
    return test::Run({BUSY, life, File("record")}, environment, directory_.path());
  }
  // A child of this process, so that it can be killed.
  pid_t Start(const char* life, const test::Environment& extra = {}) {
    test::Environment environment = Variables();
    for (const auto& [name, value] : extra) environment[name] = value;
    const pid_t pid = fork();
    if (pid != 0) return pid;
    for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
    const int null = open("/dev/null", O_WRONLY);
    dup2(null, 1);
    dup2(null, 2);
    execl(BUSY, BUSY, life, File("record").c_str(), nullptr);
    _exit(127);
  }
  void AwaitVisits(uint64_t visits) const {
    for (int i = 0; i < 60'000 && record_[1] < visits; ++i) usleep(1000);
    ASSERT_GE(record_[1], visits);
  }
  // Of a process that lives "waits".
  void AwaitLastRegion() const {
    for (int i = 0; i < 600; ++i) {
      const test::Ended top = Command({"top", File("spool"), "--once"});
      if (top.out.find("wait ") != std::string::npos) return;
      usleep(100'000);
    }
    FAIL() << "never in its last region";
  }
  static void Kill(pid_t pid) {
    kill(pid, SIGKILL);
    waitpid(pid, nullptr, 0);
  }
  test::Ended Command(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), ROOFMARK);
    return test::Run(arguments, {}, directory_.path());
  }
  JobProfile Recover(const std::string& from = "spool") {
    std::remove(File("rec.json").c_str());
    const test::Ended ended = Command({"recover", File(from), "-o", File("rec.json")});
    EXPECT_EQ(ended.status, 0) << ended.err;
    return test::ReadRoofline(File("rec.json")).job;
  }
  std::vector<std::string> Left() const {
    std::vector<std::string> names = test::ListFiles(directory_.path());
    std::erase(names, "record");
    return names;
  }

  test::TempDir directory_;
  std::atomic<uint64_t>* record_;
};

}  // namespace roofmark

#endif  // ROOFMARK_TESTS_MARKERS_RUNTIME_SPOOL_RUN_H_
