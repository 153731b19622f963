// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/topology.h"

#include <gtest/gtest.h>
#include <sched.h>

#include "lib/core/cpu_list.h"

namespace roofmark {
namespace {

TEST(Topology, TakesOnePuPerCore) {
  const auto topology = ReadTopology(
      "pack:2 l3:1(size=32MiB) l2:4(size=1MiB) l1:1(size=48KiB) "
      "core:1 pu:2");
  ASSERT_TRUE(topology) << topology.error();
  ASSERT_EQ(topology->cores.size(), 8u);
  EXPECT_EQ(topology->threads, 16u);
  EXPECT_EQ(topology->packages, 2u);
  EXPECT_EQ(topology->cores[0].cpu, 0u);
  EXPECT_EQ(topology->cores[1].cpu, 2u);  // PU 1 is the first core's second thread
  EXPECT_EQ(topology->cores[3].package, 0u);
  EXPECT_EQ(topology->cores[4].package, 1u);
}

TEST(Topology, ListsCachesFromTheInnermost) {
  const auto topology = ReadTopology(
      "pack:1 l3:2(size=16MiB) l2:4(size=512KiB) l1:1(size=32KiB) "
      "core:1 pu:1");
  ASSERT_TRUE(topology) << topology.error();
  ASSERT_EQ(topology->caches.size(), 3u);
  EXPECT_EQ(topology->caches[0].level, 1u);
  EXPECT_EQ(topology->caches[0].size_bytes, 32u << 10);
  EXPECT_EQ(topology->caches[0].shared_by_cores, 1u);
  EXPECT_EQ(topology->caches[2].level, 3u);
  EXPECT_EQ(topology->caches[2].size_bytes, 16u << 20);
  EXPECT_EQ(topology->caches[2].shared_by_cores, 4u);
}

TEST(Topology, KnowsNumaNodes) {
  const auto topology = ReadTopology("pack:2 numa:1 l3:1 core:2 pu:1");
  ASSERT_TRUE(topology) << topology.error();
  EXPECT_EQ(topology->numa_nodes, 2u);
  EXPECT_EQ(topology->cores[0].numa_node, 0u);
  EXPECT_EQ(topology->cores[3].numa_node, 1u);
}

TEST(Topology, RefusesNonsense) { EXPECT_FALSE(ReadTopology("no:such thing")); }

TEST(Topology, StaysWithinTheAffinityMask) {
  const auto allowed = ParseCpuList(AffinityCpuList());
  const auto topology = ReadTopology();
  ASSERT_TRUE(topology) << topology.error();
  EXPECT_LE(topology->cores.size(), allowed.size());
  for (const CoreInfo& core : topology->cores) EXPECT_TRUE(allowed.count(core.cpu)) << core.cpu;
}

TEST(Topology, SeesAMaskOfOneCpuThatIsNotTheFirst) {
  cpu_set_t old, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof old, &old), 0);
  if (CPU_COUNT(&old) < 2) GTEST_SKIP() << "only one CPU is allowed";
  int last = 0;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &old)) last = cpu;
  }
  CPU_ZERO(&one);
  CPU_SET(last, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  const auto topology = ReadTopology();
  sched_setaffinity(0, sizeof old, &old);
  ASSERT_TRUE(topology) << topology.error();
  ASSERT_EQ(topology->cores.size(), 1u);
  EXPECT_EQ(topology->cores[0].cpu, static_cast<uint32_t>(last));
}

TEST(Topology, CountsPackagesOfTheFirstCores) {
  const auto topology = ReadTopology("pack:2 core:4 pu:1");
  ASSERT_TRUE(topology) << topology.error();
  EXPECT_EQ(PackagesOf(*topology, 1), 1u);
  EXPECT_EQ(PackagesOf(*topology, 4), 1u);
  EXPECT_EQ(PackagesOf(*topology, 5), 2u);
}

TEST(Topology, SharesALevelAmongActiveCores) {
  CacheLevel level;
  level.size_bytes = 32 << 20;
  level.shared_by_cores = 8;
  EXPECT_EQ(SharePerCore(level, 1), 32u << 20);
  EXPECT_EQ(SharePerCore(level, 2), 16u << 20);
  EXPECT_EQ(SharePerCore(level, 64), 4u << 20);  // the others have caches of their own
}

}  // namespace
}  // namespace roofmark
