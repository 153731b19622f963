// SPDX-License-Identifier: BSD-3-Clause
#include "markers/samples/methods.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <vector>

#include "lib/core/thread.h"
#include "markers/samples/drained.h"

namespace roofmark::samples {
namespace {

using ::testing::HasSubstr;

constexpr SamplePlan kByTimer = {SamplePlan::By::kTimer, 100};

// No more signals than now may wait for this user, as long as this lives: a timer keeps one.
class NoSignals {
 public:
  NoSignals() {
    getrlimit(RLIMIT_SIGPENDING, &before_);
    const rlimit none = {0, before_.rlim_max};
    setrlimit(RLIMIT_SIGPENDING, &none);
  }
  ~NoSignals() { setrlimit(RLIMIT_SIGPENDING, &before_); }
  NoSignals(const NoSignals&) = delete;
  NoSignals& operator=(const NoSignals&) = delete;

 private:
  rlimit before_{};
};

TEST(Methods, TheLimitOnTimersIsNamed) {
  Methods methods(kByTimer);
  {
    const NoSignals none;
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
