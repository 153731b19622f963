// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "benchmarks/machine/chase_load.h"
#include "benchmarks/machine/compute_kernels.h"
#include "benchmarks/machine/memory_plan.h"
#include "benchmarks/machine/random_load.h"
#include "benchmarks/machine/tasks.h"
#include "lib/model/memory_streams.h"

namespace roofmark {
namespace {

std::vector<CacheLevel> Caches(uint64_t l1, uint64_t l2, uint64_t l3, uint32_t sharing) {
  std::vector<CacheLevel> caches(3);
  const uint64_t sizes[] = {l1, l2, l3};
  for (uint32_t i = 0; i < 3; ++i) {
    caches[i].level = i + 1;
    caches[i].size_bytes = sizes[i];
  }
  caches[2].shared_by_cores = sharing;
  return caches;
}

TEST(Plan, SweepsInStepsOfAboutSqrtTwo) {
  const auto sizes = SweepSizes(64 << 20);
  EXPECT_EQ(sizes.front(), 4096u);
  EXPECT_NEAR(static_cast<double>(sizes.back()), 64 << 20, 512);
  for (size_t i = 1; i < sizes.size(); ++i) {
    const double step = static_cast<double>(sizes[i]) / static_cast<double>(sizes[i - 1]);
    EXPECT_GT(step, 1.3);
    EXPECT_LT(step, 1.6);
    EXPECT_EQ(sizes[i] % 512, 0u);
  }
}

TEST(Plan, DramBeginsWellBeyondTheLastLevel) {
  Topology topology;
  topology.caches = Caches(48 << 10, 1 << 20, 260 << 20, 64);
  EXPECT_EQ(DramBytes(topology, uint64_t{64} << 30), uint64_t{2080} << 20);
  EXPECT_EQ(DramBytes(topology, uint64_t{1} << 30), uint64_t{1} << 30);  // the allowance is kept
  topology.caches = Caches(32 << 10, 256 << 10, 4 << 20, 4);
  EXPECT_EQ(DramBytes(topology, uint64_t{64} << 30), uint64_t{256} << 20);
}

TEST(Plan, LevelsLieInsideTheirPlateauAndOutsideTheOneAbove) {
  const auto caches = Caches(48 << 10, 1 << 20, 32 << 20, 8);
  EXPECT_EQ(LevelBytes(caches, 0, 1), 24u << 10);
  EXPECT_EQ(LevelBytes(caches, 1, 1), 384u << 10);
  EXPECT_EQ(LevelBytes(caches, 2, 1), 8u << 20);
  EXPECT_EQ(LevelBytes(caches, 2, 2), 6u << 20);
  EXPECT_EQ(LevelBytes(caches, 2, 8), 3u << 20);  // three quarters of a share of 4 MiB
}

TEST(Plan, IsTheSameWhereverTheSweepEndsAPlateauOfTheReportedSize) {
  auto caches = Caches(48 << 10, 1 << 20, 32 << 20, 2);
  for (const uint64_t end : {0u, 16u << 20, 23u << 20, 32u << 20}) {
    caches[2].plateau_bytes = end;
    EXPECT_EQ(LevelBytes(caches, 2, 2), 6u << 20) << end;
  }
}

TEST(Plan, BelievesThePlateauWhereItIsSmallerThanReported) {
  auto caches = Caches(48 << 10, 2 << 20, 260 << 20, 2);
  caches[2].plateau_bytes = 8 << 20;
  EXPECT_EQ(LevelBytes(caches, 2, 1), 6u << 20);
}

TEST(Plan, SkipsALevelWhoseShareCannotBeToldFromTheOneAbove) {
  const auto caches = Caches(32 << 10, 1 << 20, 22 << 20, 16);
  EXPECT_TRUE(LevelBytes(caches, 2, 1));
  EXPECT_FALSE(LevelBytes(caches, 2, 16));  // 1.4 MiB each beside 1 MiB of L2
}

TEST(Plan, HasATaskForEveryKindOfArithmetic) {
  std::set<std::string> ids;
  for (const MeasureTask& task : ComputeTasks({{{0}, 1}}, "")) ids.insert(task.id);
  for (const char* precision : {"dp", "sp"}) {
    for (const char* kind : {"chain", "add", "mul", "muladd", "div", "sqrt"}) {
      const std::string id = std::string("compute.") + precision + "." + kind + ".scalar";
      EXPECT_TRUE(ids.count(id)) << id;
    }
  }
}

TEST(Plan, HasNoTaskForALevelThatWasNotFound) {
  Topology topology = *ReadSyntheticTopology("core:2 pu:1");
  topology.caches = Caches(48 << 10, 1 << 20, 32 << 20, 2);
  const Plateau found{36 << 10, 100};
  const auto tasks = CacheTasks(topology, {found, std::nullopt, std::nullopt}, {{{0}, 1}});
  ASSERT_EQ(tasks.size(), 4u);
  EXPECT_EQ(tasks[0].id, "bandwidth.L1.read");
  EXPECT_EQ(tasks[2].counted_factor, 1);  // nothing above L1 to allocate in
  EXPECT_EQ(tasks[3].id, "latency.L1");
}

// Lines of a shared level may not stay there for long.
TEST(Plan, LatencyAndRandomLinesOfTheLastLevelAreThoseOfFourTimesTheLevelAbove) {
  Topology topology;
  topology.cores.resize(1);
  topology.caches = Caches(48 << 10, 1 << 20, 32 << 20, 2);
  const Plateau found{1, 100};
  const auto tasks = CacheTasks(topology, {found, found, found}, {{{0}, 1}});
  const auto load = [&tasks](const std::string& id) -> const Load& {
    const auto task = std::find_if(tasks.begin(), tasks.end(),
                                   [&id](const MeasureTask& each) { return each.id == id; });
    EXPECT_NE(task, tasks.end()) << id;
    return *task->load;
  };
  const auto chase = [&load](const std::string& id) {
    return dynamic_cast<const ChaseLoad&>(load(id)).bytes();
  };
  EXPECT_EQ(chase("latency.L3"), uint64_t{4} << 20);
  EXPECT_GT(chase("latency.L2"), uint64_t{4 * 48} << 10) << "nobody else uses it";
  const auto& random = dynamic_cast<const RandomLoad&>(load("bandwidth.L3.random"));
  EXPECT_EQ(random.bytes(), chase("latency.L3")) << "lines under way: both together";
}

std::map<std::string, std::vector<const MeasureTask*>> ById(const std::vector<MeasureTask>& tasks) {
  std::map<std::string, std::vector<const MeasureTask*>> by_id;
  for (const MeasureTask& task : tasks) by_id[task.id].push_back(&task);
  return by_id;
}

// They are not executed: the memory that they refer to is gone.
std::vector<MeasureTask> TasksOfTwoCores() {
  Topology topology = *ReadSyntheticTopology("core:2 pu:1");
  topology.caches = Caches(48 << 10, 1 << 20, 32 << 20, 2);
  const Slabs slabs;
  const MemoryPlan memory = PlanMemory(topology, uint64_t{256} << 20, uint64_t{8} << 30);
  return AllTasks(topology, &memory, slabs,
                  {Plateau{36 << 10, 100}, Plateau{700 << 10, 50}, std::nullopt}, "");
}

// On one core each, for they say something of a core.
TEST(Plan, MeasuresBranchesAndIndependentInstructionsOfX86) {
  const auto tasks = TasksOfTwoCores();
  const auto by_id = ById(tasks);
  std::vector<std::string> ids = {"branch.random", "branch.one_way", "latency.atomic"};
  for (const char* name :
       {"int", "int_mul", "compare", "convert", "convert_general", "to_vector", "from_vector",
        "vector_int", "vector_int_mul", "shuffle", "load", "store"}) {
    ids.push_back(std::string("throughput.") + name);
  }
  for (const std::string& id : ids) {
#if defined(__x86_64__)
    ASSERT_EQ(by_id.count(id), 1u) << id;
    ASSERT_EQ(by_id.at(id).size(), 1u) << id;
    EXPECT_EQ(by_id.at(id).front()->on.cores(), 1u) << id;
    EXPECT_EQ(by_id.at(id).front()->unit, id.starts_with("throughput.") ? "Ginst/s" : "ns") << id;
#else
    EXPECT_EQ(by_id.count(id), 0u) << id;
#endif
  }
}

// Floating-point arithmetic is measured already: one instruction of a scalar is one FLOP, or two.
TEST(Plan, MeasuresNoArithmeticTwice) {
  for (const MeasureTask& task : TasksOfTwoCores()) {
    for (const char* kind : {"add", "mul", "fma", "div", "sqrt"}) {
      EXPECT_NE(task.id, std::string("throughput.dp_") + kind);
      EXPECT_NE(task.id, std::string("throughput.sp_") + kind);
    }
  }
}

// On a busy machine these alone may be measured.
TEST(Plan, WhatARooflineNeedsComesFirst) {
  const auto tasks = TasksOfTwoCores();
  EXPECT_EQ(tasks.front().id, "bandwidth.DRAM.read");
  const auto others = std::find_if(tasks.begin(), tasks.end(),
                                   [](const MeasureTask& task) { return !task.needed; });
  EXPECT_TRUE(std::none_of(others, tasks.end(), [](const auto& task) { return task.needed; }));
  std::set<std::string> needed;
  for (auto task = tasks.begin(); task != others; ++task) needed.insert(task->id);
  for (const char* id : {"bandwidth.DRAM.read", "bandwidth.DRAM.triad", "bandwidth.L1.read",
                         "bandwidth.L2.read", "compute.dp.add.scalar", "compute.dp.chain.scalar",
                         "compute.sp.add.scalar", "compute.sp.chain.scalar"}) {
    EXPECT_EQ(needed.erase(id), 1u) << id;
  }
  // The densest work of each precision.
  EXPECT_EQ(needed.size(), 2u);
  for (const std::string& id : needed) {
    EXPECT_THAT(id, testing::ContainsRegex("compute[.][ds]p[.](fma|muladd)[.]"));
  }
}

TEST(Plan, CountsWriteAllocateInDram) {
  const Topology topology = *ReadSyntheticTopology("core:2 pu:1");
  const Slabs slabs;
  const auto tasks =
      DramTasks(topology, PlanMemory(topology, uint64_t{256} << 20, uint64_t{8} << 30), slabs);
  const auto by_id = ById(tasks);
  const auto factor = [&by_id](const char* id) { return by_id.at(id).front()->counted_factor; };
  EXPECT_DOUBLE_EQ(factor("bandwidth.DRAM.read"), 1);
  EXPECT_DOUBLE_EQ(factor("bandwidth.DRAM.copy"), 1.5);
  EXPECT_DOUBLE_EQ(factor("bandwidth.DRAM.triad"), 4.0 / 3);
  EXPECT_DOUBLE_EQ(factor("bandwidth.DRAM.triad_nt"), 1);
  EXPECT_DOUBLE_EQ(factor("bandwidth.DRAM.triad_prefetch"), 4.0 / 3);
  for (const char* id : {"bandwidth.DRAM.random", "bandwidth.DRAM.strided",
                         "bandwidth.DRAM.read_prefetch", "latency.DRAM"}) {
    EXPECT_TRUE(by_id.count(id)) << id;
  }
  for (const PageSize pages : {PageSize::kHuge, PageSize::kSmall}) {
    for (const int streams : kStreamCounts) {
      const auto& tasks_of = by_id.at(StreamCeilingId(streams, pages));
      ASSERT_EQ(tasks_of.size(), 1u) << streams;
      EXPECT_EQ(tasks_of.front()->on.cores(), 1u) << "what more cores draw follows from one";
    }
  }
  EXPECT_EQ(by_id.at("bandwidth.DRAM.small_pages").size(), 4u) << "two kernels, one core and two";
  // Nothing that needs a second NUMA node.
  EXPECT_FALSE(by_id.count("bandwidth.DRAM.read_far"));
  EXPECT_FALSE(by_id.count("numa.bandwidth.0.0"));
}

// In pairs, whose difference is what a page costs.
TEST(Plan, MeasuresLatencyInSmallPagesAndInHugeOnes) {
  const auto tasks = TasksOfTwoCores();
  const auto by_id = ById(tasks);
  for (const char* id : {"latency.second_tlb", "latency.page_walk", "latency.page_walk_dram"}) {
    const std::string small = std::string(id) + ".small_pages";
    ASSERT_EQ(by_id.count(id) + by_id.count(small), 2u) << id;
    EXPECT_TRUE(NeedsHugePages(*by_id.at(small).front())) << id;
    EXPECT_EQ(by_id.at(small).front()->on.cores(), 1u) << id;
  }
  EXPECT_FALSE(NeedsHugePages(*by_id.at("latency.DRAM").front()));
  EXPECT_FALSE(NeedsHugePages(*by_id.at("bandwidth.DRAM.small_pages").front()));
}

// As many lines as half of a second level has, so that caches have them and TLBs do not.
TEST(Plan, PagesForAWalkAreAsManyAsCachesHoldLinesOf) {
  const auto pages = [](uint64_t second_level) {
    Topology topology = *ReadSyntheticTopology("core:2 pu:1");
    topology.caches = Caches(48 << 10, second_level, 32 << 20, 2);
    for (const MeasureTask& task : PageTasks(topology, nullptr)) {
      if (task.id == "latency.page_walk.small_pages")
        return std::dynamic_pointer_cast<ChaseLoad>(task.load)->lines();
    }
    return uint64_t{0};
  };
  EXPECT_EQ(pages(256 << 10), 2048u);
  EXPECT_EQ(pages(512 << 10), 4096u);
  EXPECT_EQ(pages(1 << 20), 8192u);
  EXPECT_EQ(pages(2 << 20), 8192u);
}

TEST(Plan, WalksForLinesFromDramReachItAndNoMore) {
  Topology topology = *ReadSyntheticTopology("core:2 pu:1");
  topology.caches = Caches(48 << 10, 1 << 20, 32 << 20, 2);
  const uint64_t mib = uint64_t{1} << 20;
  EXPECT_EQ(PlanMemory(topology, 256 * mib, 8192 * mib).walk, 128 * mib);
  EXPECT_EQ(PlanMemory(topology, 512 * mib, 8192 * mib).walk, 128 * mib);
  topology.caches[2].plateau_bytes = 8 * mib;
  EXPECT_EQ(PlanMemory(topology, 256 * mib, 8192 * mib).walk, 64 * mib);
  EXPECT_EQ(PlanMemory(topology, 256 * mib, 600 * mib).walk, 0u);
}

// So much that one core alone reaches DRAM, or there is no figure of it.
TEST(Plan, SmallPagesReachDram) {
  Topology topology = *ReadSyntheticTopology("core:2 pu:1");
  topology.caches = Caches(48 << 10, 1 << 20, 96 << 20, 2);
  const uint64_t mib = uint64_t{1} << 20, total = 256 * mib;
  EXPECT_EQ(PlanMemory(topology, total, 8192 * mib).small, 384 * mib);
  topology.caches[2].plateau_bytes = 16 * mib;
  EXPECT_EQ(PlanMemory(topology, total, 8192 * mib).small, total) << "as in huge pages";
  const uint64_t tight = PlanMemory(topology, total, 830 * mib).small;
  EXPECT_GE(tight, 64 * mib);
  EXPECT_LT(tight, total) << "what is left";
  const MemoryPlan none = PlanMemory(topology, total, 520 * mib);
  EXPECT_EQ(none.small, 0u);
  ASSERT_FALSE(none.left_out.empty());
  EXPECT_NE(none.left_out.back().find("pages of 4 KiB"), std::string::npos);
}

TEST(Plan, MeasuresEveryPairOfNumaNodesAndTiersWithoutCores) {
  const auto topology = ReadTopologyFile(ROOFMARK_TEST_DATA "/two_sockets.xml");
  ASSERT_TRUE(topology) << topology.error();
  const auto plan = PlanMemory(*topology, uint64_t{256} << 20, uint64_t{64} << 30);
  EXPECT_TRUE(plan.far);
  EXPECT_EQ(plan.matrix, (std::vector<size_t>{0, 1, 2}));
  Slabs slabs;
  slabs.node.resize(3);
  slabs.chase.resize(3);
  for (Buffer& chase : slabs.chase) chase = Buffer(1 << 20);
  const auto tasks = DramTasks(*topology, plan, slabs);
  const auto by_id = ById(tasks);
  for (const char* id :
       {"numa.bandwidth.0.0", "numa.bandwidth.0.1", "numa.bandwidth.1.0", "numa.bandwidth.1.1",
        "numa.bandwidth.0.2", "numa.latency.1.2", "bandwidth.DRAM.read_far"}) {
    EXPECT_TRUE(by_id.count(id)) << id;
  }
  EXPECT_FALSE(by_id.count("numa.bandwidth.2.0"));  // no core lies there
  EXPECT_EQ(by_id.at("numa.bandwidth.1.0").front()->on.workers,
            (std::vector<uint32_t>{4, 5, 6, 7}));
  // One package and both, packed and spread.
  std::set<std::pair<uint32_t, uint32_t>> points;
  for (const MeasureTask* task : by_id.at("bandwidth.DRAM.triad")) {
    points.insert({task->on.packages, task->on.cores()});
  }
  EXPECT_TRUE(points.count({1, 4}));
  EXPECT_TRUE(points.count({2, 4}));
  EXPECT_TRUE(points.count({2, 8}));
}

TEST(Plan, LeavesOutNumaNodesThatAreTooSmall) {
  auto topology = *ReadTopologyFile(ROOFMARK_TEST_DATA "/two_sockets.xml");
  topology.numa[1].memory_bytes = uint64_t{1} << 30;
  const auto plan = PlanMemory(topology, uint64_t{256} << 20, uint64_t{64} << 30);
  EXPECT_EQ(plan.matrix, (std::vector<size_t>{0, 2}));
  ASSERT_EQ(plan.left_out.size(), 1u);
  EXPECT_EQ(plan.left_out[0].find("NUMA node 2 not measured"), 0u) << plan.left_out[0];
}

TEST(Plan, StaysWithinTheMemoryItMayUse) {
  auto topology = *ReadSyntheticTopology("pack:2 numa:1 l3:1(size=32MiB) core:8 pu:1");
  for (NumaNode& node : topology.numa) node.memory_bytes = uint64_t{64} << 30;
  const uint64_t total = uint64_t{256} << 20;
  const auto sum = [](const MemoryPlan& plan) {
    uint64_t bytes = 0;
    for (const uint64_t each : plan.local) bytes += each;
    return bytes;
  };
  const auto roomy = PlanMemory(topology, total, uint64_t{64} << 30);
  EXPECT_TRUE(roomy.left_out.empty());
  EXPECT_EQ(roomy.local[0], total);
  EXPECT_EQ(roomy.local[1], total / 2);
  EXPECT_EQ(roomy.local[8], total);  // the first of the second package, alone on its cache
  const auto tight = PlanMemory(topology, total, uint64_t{512} << 20);
  EXPECT_LE(sum(tight), uint64_t{512} << 20);
  EXPECT_TRUE(tight.matrix.empty());
  EXPECT_GE(tight.left_out.size(), 2u);
}

}  // namespace
}  // namespace roofmark
