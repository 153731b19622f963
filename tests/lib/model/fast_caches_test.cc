// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/fast_caches.h"

#include <gtest/gtest.h>

namespace roofmark {
namespace {

constexpr uint64_t kMiB = 1 << 20;

Machine MachineWith(uint64_t last_level, uint64_t plateau) {
  Machine machine;
  machine.caches = {{1, 32 << 10, 8, 64, 1, 30 << 10},
                    {2, kMiB, 8, 64, 1, 0},
                    {3, last_level, 16, 64, 8, plateau}};
  return machine;
}

TEST(FastCaches, AreThoseOfWhichLessThanHalfIsFast) {
  const Machine less = MachineWith(32 * kMiB, 11 * kMiB);
  EXPECT_EQ(FastCachesOf({&less, 1}), "most:L3:11264K");
  const Machine half = MachineWith(32 * kMiB, 16 * kMiB);
  EXPECT_EQ(FastCachesOf({&half, 1}), "");
  const Machine unknown = MachineWith(32 * kMiB, 0);
  EXPECT_EQ(FastCachesOf({&unknown, 1}), "") << "not measured";
  EXPECT_EQ(FastCachesOf({}), "");
}

// A time made of it is to stay a lower bound on all of them.
TEST(FastCaches, OfSeveralMachinesTheLargest) {
  const Machine machines[] = {MachineWith(32 * kMiB, 11 * kMiB), MachineWith(32 * kMiB, 12 * kMiB)};
  EXPECT_EQ(FastCachesOf(machines), "most:L3:12288K");
  const Machine mixed[] = {MachineWith(32 * kMiB, 11 * kMiB), MachineWith(32 * kMiB, 30 * kMiB)};
  EXPECT_EQ(FastCachesOf(mixed), "");
}

}  // namespace
}  // namespace roofmark
