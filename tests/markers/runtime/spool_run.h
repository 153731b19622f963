// SPDX-License-Identifier: BSD-3-Clause
//
// The fixture of tests that run one process (programs/busy.c) and look at what its spool tells
// afterwards.
#ifndef ROOFMARK_TESTS_MARKERS_RUNTIME_SPOOL_RUN_H_
#define ROOFMARK_TESTS_MARKERS_RUNTIME_SPOOL_RUN_H_

#include <gtest/gtest.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "tests/support/killable.h"

namespace roofmark {

class SpoolRun : public test::Killable {
 protected:
  test::Environment Variables() const { return Killable::Variables("timer"); }
  test::Ended Busy(const char* life, test::Environment environment = {}) {
    environment.merge(Variables());
    return test::Run({BUSY, life, File("record")}, environment, directory_.path());
  }
  // A child of this process, so that it can be killed.
  pid_t Start(const char* life, test::Environment environment = {}) {
    environment.merge(Variables());
    return Killable::Start({BUSY, life, File("record")}, environment);
  }
  void AwaitVisits(uint64_t visits) const { Await(1, visits); }
  // Of a process that lives "waits".
  void AwaitLastRegion() const {
    for (int i = 0; i < 600; ++i) {
      const test::Ended top = Command({"top", File("spool"), "--once"});
      if (top.out.find("wait ") != std::string::npos) return;
      usleep(100'000);
    }
    FAIL() << "never in its last region";
  }
  test::Ended Command(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), ROOFMARK);
    return test::Run(arguments, {}, directory_.path());
  }
  JobProfile Recover(const std::string& from = "spool") const {
    return Killable::Recover(ROOFMARK, from);
  }
  std::vector<std::string> Left() const {
    std::vector<std::string> names = test::ListFiles(directory_.path());
    std::erase(names, "record");
    return names;
  }
};

}  // namespace roofmark

#endif  // ROOFMARK_TESTS_MARKERS_RUNTIME_SPOOL_RUN_H_
