// SPDX-License-Identifier: BSD-3-Clause
#include "lib/counts/weigh.h"

#include <gtest/gtest.h>

namespace roofmark::counts {
namespace {

TEST(WeighTest, SumsFirstWeightsAfter) {
  const Sum sums[] = {{3, 10, 10, false}, {5, 10, 10, false}};
  const Weighed weighed = Weigh({metric::kCycles, {{0, 0.5}, {1, 0.5}}}, sums);
  EXPECT_EQ(weighed.value, 4u);
  EXPECT_EQ(weighed.status, Status::kMeasured);
}

TEST(WeighTest, WhatNoNumberCanHoldIsInvalid) {
  const Sum sums[] = {{UINT64_MAX, 10, 10, false}};
  for (const double weight : {1.0, 1e300, -1.0}) {
    const Weighed weighed = Weigh({metric::kCycles, {{0, weight}}}, sums);
    EXPECT_EQ(weighed.status, Status::kInvalid) << weight;
    EXPECT_EQ(weighed.value, 0u) << weight;
  }
}

}  // namespace
}  // namespace roofmark::counts
