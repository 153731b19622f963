// SPDX-License-Identifier: BSD-3-Clause
//
// The arithmetic of totals: what others got wrong, one test each.
#include "collectors/hardware/threads/delta.h"

#include <gtest/gtest.h>

namespace roofmark::threads {
namespace {

constexpr uint64_t kMs = 1'000'000;

TEST(Difference, OfAnEventThatAlwaysRan) {
  const Sum sum = Difference({100, 5 * kMs, 5 * kMs}, {1100, 7 * kMs, 7 * kMs});
  EXPECT_EQ(sum.value, 1000u);
  EXPECT_EQ(sum.enabled_ns, 2 * kMs);
  EXPECT_EQ(sum.running_ns, 2 * kMs);
  EXPECT_FALSE(sum.invalid);
  EXPECT_EQ(Scale(sum).value, 1000u);
  EXPECT_EQ(Scale(sum).status, Status::kMeasured);
}

// Scaled running totals run backwards: here 1000 / 0.5 before, 1010 / 0.75 after.
TEST(Difference, TotalsAreNotScaledBeforeSubtracting) {
  const Sum sum = Difference({1000, 10 * kMs, 5 * kMs}, {1010, 20 * kMs, 15 * kMs});
  ASSERT_FALSE(sum.invalid);
  const Estimate estimate = Scale(sum);
  EXPECT_EQ(estimate.value, 10u);
  EXPECT_EQ(estimate.status, Status::kMeasured);
}

TEST(Scale, MultiplexedCountsAreScaledOnceWithTheirShare) {
  Sum sum;
  // On the counter for a quarter of the time, and not at all in the second visit.
  sum.Add(Difference({0, 0, 0}, {300, 4 * kMs, 2 * kMs}));
  sum.Add(Difference({300, 4 * kMs, 2 * kMs}, {300, 8 * kMs, 2 * kMs}));
  const Estimate estimate = Scale(sum);
  EXPECT_EQ(estimate.value, 1200u);
  EXPECT_EQ(estimate.status, Status::kScaled);
  EXPECT_DOUBLE_EQ(estimate.share, 0.25);
}

TEST(Scale, RoundsToNearestNotDown) {
  // 2 * 5 / 3 = 3.33 and 4 * 5 / 3 = 6.67.
  EXPECT_EQ(Scale({2, 5, 3, false}).value, 3u);
  EXPECT_EQ(Scale({4, 5, 3, false}).value, 7u);
}

TEST(Scale, LargeCountsDoNotOverflow) {
  const Estimate estimate = Scale({uint64_t{1} << 50, uint64_t{1} << 42, uint64_t{1} << 40, false});
  EXPECT_EQ(estimate.value, uint64_t{1} << 52);
  EXPECT_EQ(Scale({~uint64_t{0}, 4, 1, false}).status, Status::kInvalid);
}

TEST(Scale, AnEventThatNeverRanHasNoValueRatherThanZero) {
  const Estimate estimate = Scale(Difference({7, kMs, 0}, {7, 9 * kMs, 0}));
  EXPECT_FALSE(HasValue(estimate.status));
  EXPECT_FALSE(estimate.reason.empty());
}

TEST(Scale, NothingInNoTimeIsMeasured) {
  EXPECT_EQ(Scale({}).status, Status::kMeasured);
  EXPECT_EQ(Scale({}).value, 0u);
}

TEST(Difference, WrapAt48BitsIsInvalidNotHuge) {
  const uint64_t top = (uint64_t{1} << 48) - 10;
  const Sum sum = Difference({top, kMs, kMs}, {5, 2 * kMs, 2 * kMs});
  EXPECT_TRUE(sum.invalid);
  EXPECT_EQ(Scale(sum).status, Status::kInvalid);
  EXPECT_EQ(Scale(sum).value, 0u);
}

TEST(Difference, BackwardsIsInvalid) {
  EXPECT_TRUE(Difference({10, kMs, kMs}, {9, 2 * kMs, 2 * kMs}).invalid);
  EXPECT_TRUE(Difference({10, 2 * kMs, kMs}, {11, kMs, kMs}).invalid);
  EXPECT_TRUE(Difference({10, 2 * kMs, kMs}, {11, 3 * kMs, 0}).invalid);
}

// 1e19 of a phantom counter, 1.8e19 of a difference that went below zero.
TEST(Difference, WhatNoCoreCanDoIsInvalid) {
  EXPECT_TRUE(Difference({0, 0, 0}, {10'000'000'000'000'000'000u, kMs, kMs}).invalid);
  EXPECT_TRUE(Difference({0, 0, 0}, {uint64_t{1} << 47, kMs, kMs}).invalid);
  // The same in a week is possible.
  const uint64_t week = uint64_t{7} * 86'400'000 * kMs;
  EXPECT_FALSE(Difference({0, 0, 0}, {uint64_t{1} << 47, week, week}).invalid);
}

TEST(Difference, MoreRunningThanEnabledIsInvalid) {
  EXPECT_TRUE(Difference({0, 0, 0}, {5, kMs, 2 * kMs}).invalid);
}

TEST(Difference, CountsWithoutRunningAreInvalid) {
  EXPECT_TRUE(Difference({0, 0, 0}, {5, kMs, 0}).invalid);
}

// A page's times lag behind those of a read by the same amount, both of them.
TEST(Difference, LaggingTimesOfAnEventThatNeverWaitedDoNotMatter) {
  const Sum sum = Difference({10, 5 * kMs, 5 * kMs}, {30, 4 * kMs, 4 * kMs});
  EXPECT_FALSE(sum.invalid);
  EXPECT_EQ(sum.value, 20u);
  EXPECT_EQ(sum.enabled_ns, 0u);
}

TEST(Sum, OneInvalidPartMakesTheWholeInvalid) {
  Sum sum = Difference({0, 0, 0}, {100, kMs, kMs});
  sum.Add(Difference({5, 0, 0}, {1, kMs, kMs}));
  EXPECT_EQ(Scale(sum).status, Status::kInvalid);
}

}  // namespace
}  // namespace roofmark::threads
