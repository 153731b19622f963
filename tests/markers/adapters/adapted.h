// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_TESTS_MARKERS_ADAPTERS_ADAPTED_H_
#define ROOFMARK_TESTS_MARKERS_ADAPTERS_ADAPTED_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/process.h"

namespace roofmark::test {

// The fixture of tests that run an annotated program, by itself and with adapters.
class Adapted : public testing::Test {
 protected:
  Ended RunAlone(const std::vector<std::string>& command, Environment environment = {}) {
    // LeakSanitizer dies where PAPI is loaded.
    environment.try_emplace("ASAN_OPTIONS", "detect_leaks=0");
    return test::Run(command, environment, directory_.path(), 120);
  }

  // By `roofmark run` with this option for adapters.
  Ended RunBy(const std::string& option, const std::vector<std::string>& command,
              const Environment& environment = {}) {
    std::vector<std::string> all = {ROOFMARK, "run",         "--no-machine", "--collector", "timer",
                                    option,   "--no-report", "--force",      "-o",          output_,
                                    "--"};
    all.insert(all.end(), command.begin(), command.end());
    return RunAlone(all, environment);
  }

  // The program gives what it gives alone.
  JobProfile Record(const std::string& option, const std::vector<std::string>& command,
                    const Environment& environment = {}) {
    const Ended alone = RunAlone(command, environment);
    ended_ = RunBy(option, command, environment);
    EXPECT_EQ(ended_.status, 0) << ended_.err;
    EXPECT_EQ(ended_.out, alone.out);
    EXPECT_THAT(ended_.err, testing::HasSubstr(alone.err));
    return ReadRoofline(output_).job;
  }

  // A program that is linked with the library of adapters in place of the tool's.
  JobProfile RecordLinked(const std::vector<std::string>& command, Environment environment = {}) {
    environment["ROOFMARK_COLLECTOR"] = "timer";
    environment["ROOFMARK_OUTPUT"] = output_;
    ended_ = RunAlone(command, environment);
    EXPECT_EQ(ended_.status, 0) << ended_.err;
    return ReadRoofline(output_).job;
  }

  static std::vector<std::string> Paths(const JobProfile& job) {
    std::vector<std::string> paths;
    for (const PathInfo& info : job.paths) paths.push_back(info.path);
    std::sort(paths.begin(), paths.end());
    return paths;
  }
  static RegionKind KindOf(const JobProfile& job, const std::string& path) {
    const int row = job.FindPath(path);
    EXPECT_GE(row, 0) << path;
    return row < 0 ? RegionKind{} : job.paths[static_cast<size_t>(row)].kind;
  }

  TempDir directory_;
  std::string output_ = directory_.File("run.json");
  Ended ended_;
};

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_MARKERS_ADAPTERS_ADAPTED_H_
