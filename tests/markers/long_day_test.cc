// SPDX-License-Identifier: BSD-3-Clause
//
// A day of markers, and a century: nothing grows, drifts or overflows. Built twice: the long form
// has a thousand million visits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string_view>

#include "lib/core/messages/recording.h"
#include "tests/support/gates.h"
#include "tests/support/recording.h"
#include "tests/support/says.h"

namespace roofmark::test {
namespace {

using testing::Contains;

#ifdef WHOLE_DAY
constexpr uint64_t kVisits = 1'000'000'000, kNames = 100'000;
constexpr bool kIsLong = true;
#else
constexpr uint64_t kVisits = 1'000'000, kNames = 5'000;
constexpr bool kIsLong = false;
#endif
// A visit costs a microsecond and more: half an hour of a CPU, longer on a busy machine.
constexpr int kMostSeconds = kIsLong ? 7000 : 300;
// Of a process: the root and one more number stand for no region of the program.
constexpr uint64_t kMostPaths = 65'534;
constexpr uint64_t kDayNs = uint64_t{86'400} * 1'000'000'000;
constexpr double kMostDrift = 1e-6;

class LongDay : public Recording {
 protected:
  void SetUp() override {
    if (kIsLong && ShortGates()) GTEST_SKIP() << "the short form is in the group fast";
  }

  struct Did {
    uint64_t visits = 0, step_ns = 0, all_ns = 0;
    long grown_kib = 0;
  };
  Did Record(uint64_t visits, uint64_t names, uint64_t step_ns) {
    job_ = RunAndRead(
        {LONG_DAY, std::to_string(visits), std::to_string(names), std::to_string(step_ns)},
        {{"ROOFMARK_COLLECTOR", "timer"}, {"ROOFMARK_QUIET", "1"}}, kMostSeconds);
    Did did;
    std::istringstream(ended_.err) >> did.visits >> did.step_ns >> did.all_ns >> did.grown_kib;
    return did;
  }
  double Drift(const std::string& path, uint64_t real_ns) const {
    const auto measured = static_cast<double>(Value(job_, path, metric::kTimeNs));
    return measured / static_cast<double>(real_ns) - 1;
  }
  JobProfile job_;
};

TEST_F(LongDay, NothingGrowsAndNothingDrifts) {
  const Did did = Record(kVisits, kNames, kDayNs / kVisits);
  ASSERT_GE(did.all_ns, kDayNs) << ended_.err;
  EXPECT_EQ(Value(job_, "day/step", metric::kVisits), kVisits);
  EXPECT_EQ(Value(job_, "day", metric::kVisits), 1u);
  EXPECT_NEAR(Drift("day/step", did.step_ns), 0, kMostDrift);
  EXPECT_NEAR(Drift("day", did.all_ns), 0, kMostDrift);
  EXPECT_LE(did.grown_kib, 64) << "from the eighth part of the visits on";
  // What is beyond as many as a process may have belongs to the region around, and is said.
  EXPECT_EQ(job_.paths.size(), std::min(kNames + 2, kMostPaths));
  if (kNames + 2 > kMostPaths) {
    EXPECT_THAT(job_.run.warnings,
                Contains(test::Says(message::kTooManyRegions, testing::_, 65534)));
  } else {
    EXPECT_THAT(job_.run.warnings, testing::IsEmpty());
  }
}

// 10^18 ns: a sum of them has 60 bits.
TEST_F(LongDay, ACenturyFitsIntoEverySum) {
  constexpr uint64_t kStepNs = uint64_t{10'000} * 1'000'000'000, kSteps = 315'576;
  const Did did = Record(kSteps, 10, kStepNs);
  ASSERT_GE(did.all_ns, kStepNs * kSteps) << ended_.err;
  EXPECT_EQ(Value(job_, "day/step", metric::kVisits), kSteps);
  EXPECT_NEAR(Drift("day/step", did.step_ns), 0, kMostDrift);
  EXPECT_NEAR(Drift("day", did.all_ns), 0, kMostDrift);
}

}  // namespace
}  // namespace roofmark::test
