// SPDX-License-Identifier: BSD-3-Clause
//
// The bounds of statistical assertions, against values that are known otherwise.
#include "tests/support/chance.h"

#include <gtest/gtest.h>

#include <random>

namespace roofmark::test {
namespace {

TEST(Chance, TailsOfSmallNumbersAreThoseThatCanBeCounted) {
  EXPECT_NEAR(AtMost(0, 3, 0.5), 1.0 / 8, 1e-15);
  EXPECT_NEAR(AtMost(1, 3, 0.5), 4.0 / 8, 1e-15);
  EXPECT_NEAR(AtLeast(3, 3, 0.5), 1.0 / 8, 1e-15);
  EXPECT_NEAR(AtLeast(2, 4, 0.25), 1 - (81 + 108) / 256.0, 1e-14);
  EXPECT_NEAR(AtMost(1, 4, 0.25) + AtLeast(2, 4, 0.25), 1, 1e-14);
}

TEST(Chance, EndsAreCertain) {
  EXPECT_EQ(AtMost(7, 7, 0.3), 1);
  EXPECT_EQ(AtLeast(0, 7, 0.3), 1);
  EXPECT_EQ(AtMost(9, 7, 0.3), 1) << "more hits than draws";
  EXPECT_EQ(AtMost(3, 7, 0), 1);
  EXPECT_EQ(AtMost(3, 7, 1), 0);
  EXPECT_EQ(AtLeast(3, 7, 1), 1);
  EXPECT_EQ(AtMost(0, 0, 0.5), 1) << "of nothing, everything is as expected";
  EXPECT_TRUE(IsShare(0, 0, 0.75));
}

// 0.5^100 is far below the precision of a sum to one.
TEST(Chance, SmallTailsKeepTheirDigits) {
  EXPECT_NEAR(AtLeast(100, 100, 0.5) * std::pow(2.0, 100), 1, 1e-10);
  EXPECT_NEAR(AtMost(0, 100, 0.5) * std::pow(2.0, 100), 1, 1e-10);
}

// 6.7 standard deviations on either side are 2e-11 of a normal distribution: the bounds that the
// chance of 1e-11 gives to a large sample lie a little further out.
TEST(Chance, LargeSamplesHaveTheBoundsOfTheNormalDistribution) {
  constexpr uint64_t kDraws = 1'000'000;
  const double deviation = std::sqrt(kDraws * 0.75 * 0.25);
  const auto at = [&](double deviations) {
    return static_cast<uint64_t>(kDraws * 0.75 + deviations * deviation);
  };
  for (const double sign : {-1.0, 1.0}) {
    EXPECT_TRUE(IsShare(at(6.6 * sign), kDraws, 0.75));
    EXPECT_FALSE(IsShare(at(7.0 * sign), kDraws, 0.75));
  }
}

// What a test can still tell from few samples: not two thirds from three quarters, but nothing at
// all.
TEST(Chance, FewSamplesHaveWideBounds) {
  EXPECT_TRUE(IsShare(14, 20, 0.75));
  EXPECT_FALSE(IsShare(0, 20, 0.75));
  EXPECT_TRUE(IsShare(20, 20, 0.75));
  EXPECT_FALSE(IsShare(100, 100, 0.75));
}

// With a seed: no test is red by chance.
TEST(Chance, FairDrawsPass) {
  std::mt19937 random(7);
  for (int round = 0; round < 1000; ++round) {
    constexpr uint64_t kDraws = 200;
    std::binomial_distribution<uint64_t> hits(kDraws, 0.75);
    ASSERT_TRUE(IsShare(hits(random), kDraws, 0.75));
  }
}

}  // namespace
}  // namespace roofmark::test
