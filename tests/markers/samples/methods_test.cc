// SPDX-License-Identifier: BSD-3-Clause
#include "markers/samples/methods.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "lib/core/thread.h"
#include "markers/samples/drained.h"
#include "tests/support/lowered_limit.h"

namespace roofmark::samples {
namespace {

using ::testing::HasSubstr;

constexpr SamplePlan kByTimer = {SamplePlan::By::kTimer, 100};

TEST(Methods, TheLimitOnTimersIsNamed) {
  Methods methods(kByTimer);
  {
    // No more signals than now may wait for this user: a timer keeps one.
    const test::LoweredLimit none(RLIMIT_SIGPENDING, 0);
    EXPECT_FALSE(methods.Open(ThisThread()));
  }
  EXPECT_EQ(methods.WhyNotPerfEvent(), "ROOFMARK_SAMPLES asks for timers");
  EXPECT_THAT(methods.WhyNotTimer(), HasSubstr("raise `ulimit -i`"));
  EXPECT_TRUE(methods.Open(ThisThread())) << "the next thread may have one";
  SignalTimer::Uninstall();
}

TEST(Methods, AThreadThatThereIsNotIsNoReason) {
  Methods methods(kByTimer);
  EXPECT_FALSE(methods.Open(0x7ffffff0));
  EXPECT_EQ(methods.WhyNotTimer(), "");
  SignalTimer::Uninstall();
}

TEST(Methods, TimersEndWhereTheProgramTakesTheirSignal) {
  Methods methods(kByTimer);
  ASSERT_TRUE(methods.Open(ThisThread()));
  EXPECT_TRUE(methods.uses_timers());
  methods.GiveUpTimers();
  EXPECT_FALSE(methods.uses_timers());
  EXPECT_FALSE(methods.Open(ThisThread()));
  EXPECT_THAT(methods.WhyNotTimer(), HasSubstr("replaced roofmark's handler"));
  SignalTimer::Uninstall();
}

TEST(Drained, ASampleWithoutAnAddressIsOneToo) {
  Drained drained;
  std::vector<uint64_t> addresses;
  drained.Take(0x1000, addresses);
  drained.TakeWithoutAddress();
  EXPECT_EQ(drained.samples, 2u);
  EXPECT_EQ(drained.nowhere, 1u);
  EXPECT_EQ(addresses, std::vector<uint64_t>{0x1000});
}

}  // namespace
}  // namespace roofmark::samples
