// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/other_load.h"

#include <gtest/gtest.h>

namespace roofmark {
namespace {

constexpr char kStat[] =
    "cpu  600 60 6 9000 900 6 6 6 0 0\n"
    "cpu0 100 10 1 9000 900 1 2 3 50 0\n"
    "cpu1 500 50 5 1 1 5 4 3 0 0\n"
    "cpu12 1 0 0 0 0 0 0 0 0 0\n"
    "intr 12345 1 2\n";

TEST(OtherLoad, BusyTicksAreThoseOfTheseCpusWithoutIdleOnes) {
  EXPECT_EQ(BusyTicks(kStat, {0}), 117u) << "user, nice, system, interrupts, stolen";
  EXPECT_EQ(BusyTicks(kStat, {0, 1}), 117u + 567u);
  EXPECT_EQ(BusyTicks(kStat, {12}), 1u);
  EXPECT_EQ(BusyTicks(kStat, {7}), std::nullopt);
  EXPECT_EQ(BusyTicks(kStat, {600}), std::nullopt) << "that of all CPUs is of none";
  EXPECT_EQ(BusyTicks("", {0}), std::nullopt);
}

TEST(OtherLoad, IsSaidWhereItMatters) {
  EXPECT_EQ(OtherLoadWarning(0.4, 10, 2), "");
  EXPECT_EQ(OtherLoadWarning(13, 10, 2),
            "other programs, or other virtual machines, used 1.3 of these CPUs meanwhile: stop "
            "them and measure again");
  EXPECT_EQ(OtherLoadWarning(1, 0, 2), "");
}

// Daemons of an idle machine use more where there are more CPUs.
TEST(OtherLoad, OfManyCpusMoreIsHardlyAny) {
  EXPECT_NE(OtherLoadWarning(0.6, 10, 2), "");
  EXPECT_EQ(OtherLoadWarning(0.6, 10, 128), "");
  EXPECT_EQ(OtherLoadWarning(12, 10, 128), "");
  EXPECT_NE(OtherLoadWarning(13, 10, 128), "");
}

}  // namespace
}  // namespace roofmark
