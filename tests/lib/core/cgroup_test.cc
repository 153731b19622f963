// SPDX-License-Identifier: BSD-3-Clause
//
// Files as the kernel shows them: version 2 alone, version 1, both at once, and in containers.
#include "lib/core/cgroup.h"

#include <gtest/gtest.h>

#include "tests/support/process.h"

namespace roofmark {
namespace {

class Cgroup : public testing::Test {
 protected:
  void Write(const std::string& path, const std::string& text) { directory_.Write(path, text); }
  void Mounts(const std::string& text) {
    Write("/proc/self/mountinfo", "22 1 0:21 / /proc rw - proc proc rw\nbroken line\n" + text);
  }
  void Version2(const std::string& group, const std::string& shown = "/") {
    Mounts("30 23 0:26 " + shown + " /sys/fs/cgroup rw,relatime shared:4 - cgroup2 cgroup2 rw\n");
    Write("/proc/self/cgroup", "0::" + group + "\n");
  }

  const test::TempDir directory_;
  const std::string& root_ = directory_.path();
};

TEST_F(Cgroup, NothingIsKnownWithoutFiles) {
  EXPECT_FALSE(CpuQuota(root_));
  EXPECT_FALSE(MemoryLimit(root_));
  EXPECT_EQ(GroupCpuList(root_), "");
}

TEST_F(Cgroup, AQuotaOfVersionTwo) {
  Version2("/jobs/7");
  EXPECT_FALSE(CpuQuota(root_)) << "the root has no such file";
  Write("/sys/fs/cgroup/jobs/7/cpu.max", "max 100000\n");
  EXPECT_FALSE(CpuQuota(root_));
  Write("/sys/fs/cgroup/jobs/7/cpu.max", "150000 100000\n");
  EXPECT_EQ(CpuQuota(root_), 1.5);
  for (const char* broken : {"", "150000", "150000 0", "-1 100000", "a b"}) {
    Write("/sys/fs/cgroup/jobs/7/cpu.max", broken);
    EXPECT_FALSE(CpuQuota(root_)) << broken;
  }
}

TEST_F(Cgroup, TheSmallestOfAllGroupsAboveHolds) {
  Version2("/a/b/c");
  Write("/sys/fs/cgroup/a/cpu.max", "50000 100000\n");
  Write("/sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
  Write("/sys/fs/cgroup/a/b/c/cpu.max", "400000 100000\n");
  EXPECT_EQ(CpuQuota(root_), 0.5);
  Write("/sys/fs/cgroup/a/memory.max", "max\n");
  Write("/sys/fs/cgroup/a/b/memory.max", "4096\n");
  EXPECT_EQ(MemoryLimit(root_), 4096u);
}

// The container's own group is what is mounted; its name outside may be shown or not.
TEST_F(Cgroup, AContainersOwnGroupIsTheRoot) {
  Write("/sys/fs/cgroup/cpu.max", "200000 100000\n");
  Write("/sys/fs/cgroup/inner/cpu.max", "100000 100000\n");
  Version2("/", "/");
  EXPECT_EQ(CpuQuota(root_), 2);
  Version2("/docker/4ab2", "/docker/4ab2");
  EXPECT_EQ(CpuQuota(root_), 2);
  Version2("/docker/4ab2/inner", "/docker/4ab2");
  EXPECT_EQ(CpuQuota(root_), 1);
  Version2("/elsewhere", "/docker/4ab2");
  EXPECT_EQ(CpuQuota(root_), 2) << "what cannot be seen is taken for the container's";
  Version2("/../../slurm/job", "/../../slurm");
  Write("/sys/fs/cgroup/job/cpu.max", "50000 100000\n");
  EXPECT_EQ(CpuQuota(root_), 0.5) << "above the root of a namespace";
}

TEST_F(Cgroup, VersionOneWithControllersTogether) {
  Mounts(
      "31 23 0:27 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"
      "32 23 0:28 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
      "33 23 0:29 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
      "34 23 0:30 / /sys/fs/cgroup/unified rw - cgroup2 cgroup rw\n");
  Write("/proc/self/cgroup",
        "5:cpuset:/set\n4:cpu,cpuacct:/job/step\n3:memory:/\n1:name=systemd:/x\n0::/user\n");
  Write("/sys/fs/cgroup/cpu,cpuacct/job/step/cpu.cfs_quota_us", "-1\n");
  Write("/sys/fs/cgroup/cpu,cpuacct/job/step/cpu.cfs_period_us", "100000\n");
  EXPECT_FALSE(CpuQuota(root_));
  Write("/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us", "250000\n");
  Write("/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(CpuQuota(root_), 2.5);
  Write("/sys/fs/cgroup/unified/user/cpu.max", "100000 100000\n");
  EXPECT_EQ(CpuQuota(root_), 1) << "where both versions limit, the smaller one holds";
  Write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(MemoryLimit(root_), 9223372036854771712u);
  Write("/sys/fs/cgroup/cpuset/set/cpuset.effective_cpus", "0-3,8\n");
  EXPECT_EQ(GroupCpuList(root_), "0-3,8");
}

TEST_F(Cgroup, CpusOfVersionTwo) {
  Version2("/jobs/7");
  Write("/sys/fs/cgroup/cpuset.cpus.effective", "0-63\n");
  EXPECT_EQ(GroupCpuList(root_), "0-63") << "a group without the controller has those above it";
  Write("/sys/fs/cgroup/jobs/7/cpuset.cpus.effective", "4-5\n");
  EXPECT_EQ(GroupCpuList(root_), "4-5");
}

}  // namespace
}  // namespace roofmark
