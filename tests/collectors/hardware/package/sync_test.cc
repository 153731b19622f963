// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/package/sync.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "lib/core/clock.h"
#include "tests/support/sleeps.h"

namespace roofmark::package {
namespace {

TEST(Sync, NobodyLeavesBeforeTheLastOneCame) {
  constexpr uint32_t kMembers = 4, kTimes = 50;
  Barrier barrier{};
  std::atomic<uint32_t> arrivals{0};
  std::atomic<int> early{0};
  std::vector<std::thread> members;
  for (uint32_t i = 0; i < kMembers; ++i) {
    members.emplace_back([&] {
      for (uint32_t time = 1; time <= kTimes; ++time) {
        ++arrivals;
        EXPECT_TRUE(WaitForNode(barrier, kMembers));
        if (arrivals < time * kMembers) ++early;
      }
    });
  }
  for (std::thread& member : members) member.join();
  EXPECT_EQ(early, 0);
  EXPECT_EQ(barrier.off, 0u);
}

TEST(Sync, OneThatDoesNotComeSwitchesItOffForAllAndForGood) {
  Barrier barrier{};
  std::atomic<int> said{0};
  const uint64_t start = NowNs();
  std::vector<std::thread> members;
  for (int i = 0; i < 3; ++i) {
    members.emplace_back([&] {
      if (!WaitForNode(barrier, 4)) ++said;
    });
  }
  for (std::thread& member : members) member.join();
  const uint64_t waited = NowNs() - start;
  EXPECT_EQ(said, 1) << "one of them says so, not all";
  EXPECT_GT(waited, 900'000'000u) << "it waits a second";
  const test::Sleeps sleeps;
  EXPECT_TRUE(WaitForNode(barrier, 4)) << "who comes too late is not the one to complain";
  EXPECT_EQ(sleeps.Count(), 0) << "it waited once more";
}

}  // namespace
}  // namespace roofmark::package
