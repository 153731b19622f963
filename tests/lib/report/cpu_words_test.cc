// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/cpu_words.h"

#include <gtest/gtest.h>

namespace roofmark {
namespace {

HostInfo Node(const std::string& cpuset, uint32_t cpus, uint32_t all) {
  HostInfo host;
  host.name = "node1";
  host.ranks = 1;
  host.cpuset = cpuset;
  host.cpus = cpus;
  host.machine_cpus = all;
  return host;
}

std::string Words(std::vector<HostInfo> hosts) {
  RunInfo run;
  run.hosts = std::move(hosts);
  return UsableCpus(run);
}

TEST(CpuWords, SayWhatAJobMayUseAndWhoSaysSo) {
  HostInfo host = Node("0-7", 8, 8);
  EXPECT_EQ(Words({host}), "CPUs: all 8");
  host.bound_by = kBoundByMask;
  EXPECT_EQ(Words({host}), "CPUs: all 8") << "each rank alone is bound";
  host = Node("0-1", 2, 8);
  host.bound_by = kBoundByMask;
  EXPECT_EQ(Words({host}), "CPUs: 2 of 8 (0-1), that the launcher, or taskset, bound it to");
  host.bound_by = kBoundByCgroup;
  host.cores = "0";
  EXPECT_EQ(Words({host}), "CPUs: 2 of 8 (0-1), that its cgroup allows; hyperthreads of 1 core");
  host = Node("0-7", 8, 8);
  host.quota_mcpus = OverHost::Of(1500);
  EXPECT_EQ(Words({host}), "CPUs: all 8; a quota of its cgroup grants the time of 1.5");
}

TEST(CpuWords, OfSeveralNodesTheLeastAndTheMost) {
  HostInfo few = Node("0-1", 2, 8), many = Node("0-5", 6, 8);
  few.bound_by = many.bound_by = kBoundByMask;
  EXPECT_EQ(Words({few, many}),
            "CPUs of a node: 2 to 6 of 8, that the launcher, or taskset, bound it to");
}

TEST(CpuWords, AreNothingWhereFilesDoNotTell) {
  EXPECT_EQ(Words({}), "");
  EXPECT_EQ(Words({Node("0-1", 2, 0)}), "") << "files of before";
  EXPECT_EQ(Words({Node("0-1", 2, 2), Node("", 0, 2)}), "");
}

}  // namespace
}  // namespace roofmark
