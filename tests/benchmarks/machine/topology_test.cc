// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/topology.h"

#include <gtest/gtest.h>
#include <sched.h>

#include "benchmarks/machine/core_sets.h"
#include "lib/core/cpu_list.h"

namespace roofmark {
namespace {

TEST(Topology, TakesOnePuPerCore) {
  const auto topology = ReadSyntheticTopology(
      "pack:2 l3:1(size=32MiB) l2:4(size=1MiB) l1:1(size=48KiB) "
      "core:1 pu:2");
  ASSERT_TRUE(topology) << topology.error();
  ASSERT_EQ(topology->cores.size(), 8u);
  EXPECT_EQ(topology->threads, 16u);
  EXPECT_EQ(topology->packages(), 2u);
  EXPECT_EQ(topology->cores[0].cpu, 0u);
  EXPECT_EQ(topology->cores[1].cpu, 2u);  // PU 1 is the first core's second thread
  EXPECT_EQ(topology->cores[3].package, 0u);
  EXPECT_EQ(topology->cores[4].package, 1u);
}

TEST(Topology, ListsCachesFromTheInnermost) {
  const auto topology = ReadSyntheticTopology(
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
  const auto topology = ReadSyntheticTopology("pack:2 numa:1 l3:1 core:2 pu:1");
  ASSERT_TRUE(topology) << topology.error();
  ASSERT_EQ(topology->numa.size(), 2u);
  EXPECT_EQ(topology->numa[1].index, 1u);
  EXPECT_EQ(topology->numa[1].cores, 2u);
  EXPECT_EQ(topology->cores[0].numa_node, 0u);
  EXPECT_EQ(topology->cores[3].numa_node, 1u);
}

TEST(Topology, RefusesNonsense) { EXPECT_FALSE(ReadSyntheticTopology("no:such thing")); }

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

TEST(Topology, ListsTheCpusOfPackagesAndLastLevels) {
  const auto topology = ReadSyntheticTopology("pack:2 l3:2(size=16MiB) core:2 pu:2");
  ASSERT_TRUE(topology) << topology.error();
  ASSERT_EQ(topology->package_cpus.size(), 2u);
  EXPECT_EQ(topology->package_cpus[0], "0-7");
  EXPECT_EQ(topology->package_cpus[1], "8-15");
  std::vector<uint32_t> last_levels;
  for (const CoreInfo& core : topology->cores) last_levels.push_back(core.last_level);
  EXPECT_EQ(last_levels, (std::vector<uint32_t>{0, 0, 1, 1, 2, 2, 3, 3}));
}

TEST(Topology, ReadsAnotherMachineFromAFile) {
  const auto topology = ReadTopologyFile(ROOFMARK_TEST_DATA "/two_sockets.xml");
  ASSERT_TRUE(topology) << topology.error();
  EXPECT_EQ(topology->packages(), 2u);
  EXPECT_EQ(topology->cores.size(), 8u);
  EXPECT_EQ(topology->numa.size(), 3u);
  EXPECT_EQ(topology->numa[1].kind, "HBM");
  EXPECT_EQ(topology->numa[1].cores, 0u);
}

TEST(Topology, SaysWhichFileIsNoTopology) {
  const auto missing = ReadTopologyFile("/no/such/file.xml");
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().find("/no/such/file.xml"), std::string::npos);
  EXPECT_NE(missing.error().find("lstopo"), std::string::npos);
}

TEST(CoreSets, OfOnePackageClimbToAllCores) {
  const auto topology = *ReadSyntheticTopology("pack:1 core:12 pu:1");
  std::vector<uint32_t> counts;
  for (const CoreSet& set : ManyCoreSets(topology)) counts.push_back(set.cores());
  EXPECT_EQ(counts, (std::vector<uint32_t>{1, 2, 3, 4, 6, 8, 12}));
  counts.clear();
  for (const CoreSet& set : FewCoreSets(topology)) counts.push_back(set.cores());
  EXPECT_EQ(counts, (std::vector<uint32_t>{1, 12}));
  EXPECT_EQ(FewCoreSets(*ReadSyntheticTopology("core:1 pu:2")).size(), 1u);
}

TEST(CoreSets, OfSeveralPackagesFillOneAndSpreadOverAll) {
  const auto topology = *ReadSyntheticTopology("pack:2 core:4 pu:1");
  std::vector<std::pair<uint32_t, uint32_t>> sets;
  for (const CoreSet& set : ManyCoreSets(topology)) sets.emplace_back(set.packages, set.cores());
  EXPECT_EQ(sets, (std::vector<std::pair<uint32_t, uint32_t>>{
                      {1, 1}, {1, 2}, {1, 3}, {1, 4}, {2, 2}, {2, 4}, {2, 6}, {2, 8}}));
  EXPECT_EQ(ManyCoreSets(topology)[4].workers, (std::vector<uint32_t>{0, 4}));
  EXPECT_EQ(FewCoreSets(topology).size(), 3u);
}

TEST(CoreSets, KnowWhoSharesALastLevel) {
  const auto topology = *ReadSyntheticTopology("pack:1 l3:2(size=16MiB) core:3 pu:1");
  const CoreSet four{{0, 1, 2, 3}, 1};
  EXPECT_EQ(LastLevelCaches(topology, four), 2u);
  EXPECT_EQ(MostSharing(topology, four), 3u);
}

TEST(CoreSets, OfANumaNodeAreItsNearest) {
  const auto topology = *ReadSyntheticTopology("pack:2 numa:1 core:2 pu:1");
  EXPECT_EQ(CoresOfNode(topology, 1).workers, (std::vector<uint32_t>{2, 3}));
  EXPECT_TRUE(CoresOfNode(topology, 7).workers.empty());
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
