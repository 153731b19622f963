// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_TESTS_SUPPORT_RECORDING_H_
#define ROOFMARK_TESTS_SUPPORT_RECORDING_H_

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/process.h"

namespace roofmark::test {

// What most programs of tests do.
inline constexpr MetricId kAdds = FlopMetric(Precision::kDouble, Width::kScalar, FlopKind::kAdd);

// The fixture of tests that run a marked program, which prints "done", and read its roofline file.
class Recording : public testing::Test {
 protected:
  JobProfile RunAndRead(const std::vector<std::string>& command, Environment environment,
                        int seconds = 300) {
    environment["ROOFMARK_OUTPUT"] = output_;
    ended_ = test::Run(command, environment, directory_.path(), seconds);
    EXPECT_EQ(ended_.status, 0) << ended_.err;
    EXPECT_EQ(ended_.out, "done\n");
    return ReadRoofline(output_).job;
  }

  TempDir directory_;
  std::string output_ = directory_.File("run.json");
  Ended ended_;
};

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_SUPPORT_RECORDING_H_
