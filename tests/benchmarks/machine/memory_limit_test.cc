// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/memory_limit.h"

#include <gtest/gtest.h>

#include "tests/support/process.h"

namespace roofmark {
namespace {

class MemoryLimit : public testing::Test {
 protected:
  MemoryLimit() {
    Write("/proc/meminfo", "MemTotal:  67108864 kB\nMemFree: 1 kB\nMemAvailable:  60000000 kB\n");
    Write("/proc/self/mountinfo",
          "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"
          "31 23 0:27 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
  }
  void Write(const std::string& path, const std::string& text) { directory_.Write(path, text); }
  const test::TempDir directory_;
  const std::string& root_ = directory_.path();
};

constexpr uint64_t kGiB = uint64_t{1} << 30;

TEST_F(MemoryLimit, IsAQuarterOfTheMachine) { EXPECT_EQ(MemoryAllowance(root_), 16 * kGiB); }

TEST_F(MemoryLimit, HeedsTheProcesssCgroup) {
  Write("/proc/self/cgroup", "0::/jobs/7\n");
  Write("/sys/fs/cgroup/jobs/7/memory.max", "8589934592\n");
  EXPECT_EQ(MemoryAllowance(root_), 2 * kGiB);
}

TEST_F(MemoryLimit, KnowsVersionOneAndNoLimit) {
  Write("/sys/fs/cgroup/memory.max", "max\n");
  EXPECT_EQ(MemoryAllowance(root_), 16 * kGiB);
  Write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "4294967296\n");
  EXPECT_EQ(MemoryAllowance(root_), kGiB);
}

TEST_F(MemoryLimit, LeavesHalfOfWhatIsAvailable) {
  Write("/proc/meminfo", "MemTotal:  67108864 kB\nMemAvailable:  2097152 kB\n");
  EXPECT_EQ(MemoryAllowance(root_), kGiB);
}

}  // namespace
}  // namespace roofmark
