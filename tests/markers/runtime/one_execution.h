// SPDX-License-Identifier: BSD-3-Clause
//
// The fixture of tests of `roofmark run --one-execution`, of a program that holds its own clock
// (programs/turning.cc): each of its visits lasts what turning.h says.
#ifndef ROOFMARK_TESTS_MARKERS_RUNTIME_ONE_EXECUTION_H_
#define ROOFMARK_TESTS_MARKERS_RUNTIME_ONE_EXECUTION_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/markers/runtime/programs/turning.h"
#include "tests/support/recording.h"

namespace roofmark::test {

class OneExecution : public Recording {
 protected:
  Ended Run(const std::vector<std::string>& options, const std::string& how) {
    std::vector<std::string> command = {ROOFMARK, "run", "--no-machine", "-o", output_, "--force"};
    command.insert(command.end(), options.begin(), options.end());
    command.insert(command.end(), {"--", TURNING, how});
    // The first visit, which is not counted, would be the one that looks functions up.
    const Environment given = {{"OMP_NUM_THREADS", "1"}, {"LD_BIND_NOW", "1"}};
    return test::Run(command, given, directory_.path());
  }
  JobProfile RunOnce(const std::string& how, const std::vector<std::string>& more = {}) {
    std::vector<std::string> options = {"--one-execution"};
    options.insert(options.end(), more.begin(), more.end());
    ended_ = Run(options, how);
    EXPECT_EQ(ended_.status, 0) << ended_.err;
    EXPECT_THAT(ended_.out, testing::HasSubstr("done")) << ended_.err;
    return ReadRoofline(output_).job;
  }
  JobProfile RunTwice(const std::string& how) {
    const Ended ended = Run({"--work", "always", "--engine", "native", "--count", "flops"}, how);
    EXPECT_EQ(ended.status, 0) << ended.err;
    return ReadRoofline(output_).job;
  }
  static const Cell& At(const JobProfile& job, const std::string& path, MetricId metric) {
    return job.At(static_cast<size_t>(job.FindPath(path)), metric);
  }
  static Status StatusOf(const JobProfile& job, const std::string& path, MetricId metric) {
    return Worst(At(job, path, metric).status_bits);
  }
  static std::string Turns(const JobProfile& job) {
    return job.run.passes.at(0).facts.at(kTurnsFact);
  }
};

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_MARKERS_RUNTIME_ONE_EXECUTION_H_
