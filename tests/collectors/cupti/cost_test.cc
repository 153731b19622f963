// SPDX-License-Identifier: BSD-3-Clause
//
// Markers of a program that asks for GPUs where there is no driver cost what they cost with the
// timer: no collector is told of boundaries.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "tests/support/recording.h"
#include "tests/support/sanitizers.h"

namespace roofmark::test {
namespace {

class CuptiCost : public Recording {
 protected:
  // ns of a pair of markers.
  double PairNs(Environment environment) {
    environment["ROOFMARK_OUTPUT"] = output_;
    environment["ROOFMARK_QUIET"] = "1";
    const Ended ended = test::Run({VISITING}, environment, directory_.path());
    EXPECT_EQ(ended.status, 0) << ended.err;
    return std::strtod(ended.out.c_str(), nullptr);
  }
  // Over that with the timer: the lowest of both, in turns.
  double Ratio(const Environment& environment) {
    constexpr int kRounds = 5;
    double timer = 1e9, asked = 1e9;
    for (int round = 0; round < kRounds; ++round) {
      timer = std::min(timer, PairNs({{"ROOFMARK_COLLECTOR", "timer"}}));
      asked = std::min(asked, PairNs(environment));
    }
    RecordProperty("timer_ns", std::to_string(timer));
    RecordProperty("asked_ns", std::to_string(asked));
    EXPECT_GT(timer, 0);
    return asked / timer;
  }
};

TEST_F(CuptiCost, WithoutADriverMarkersCostWhatTheyCostWithTheTimer) {
  if (ROOFMARK_TEST_SANITIZED) GTEST_SKIP() << "sanitizers change what markers cost";
  const double ratio = Ratio({{"ROOFMARK_COLLECTOR", "cupti"}});
  std::printf("cupti without a driver / timer: %.3f\n", ratio);
  EXPECT_LT(ratio, 1.25);
}

}  // namespace
}  // namespace roofmark::test
