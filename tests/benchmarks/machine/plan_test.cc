// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/plan.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "benchmarks/machine/compute_kernels.h"

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

TEST(Plan, MeasuresOneCoreAndAll) {
  EXPECT_EQ(CoreCounts(1), std::vector<uint32_t>{1});
  EXPECT_EQ(CoreCounts(48), (std::vector<uint32_t>{1, 48}));
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
  EXPECT_EQ(LevelBytes(caches, 0, 0, 1), 24u << 10);
  EXPECT_EQ(LevelBytes(caches, 1, 0, 1), 192u << 10);
  EXPECT_EQ(LevelBytes(caches, 1, 512 << 10, 1), 512u << 10);
  EXPECT_EQ(LevelBytes(caches, 2, 0, 1), 4u << 20);
  EXPECT_EQ(LevelBytes(caches, 2, 0, 8), 3u << 20);  // three quarters of a share of 4 MiB
}

TEST(Plan, BelievesThePlateauWhereItIsSmallerThanReported) {
  auto caches = Caches(48 << 10, 2 << 20, 260 << 20, 2);
  caches[2].plateau_bytes = 8 << 20;
  EXPECT_EQ(LevelBytes(caches, 2, 16 << 20, 1), 6u << 20);
}

TEST(Plan, SkipsALevelWhoseShareCannotBeToldFromTheOneAbove) {
  const auto caches = Caches(32 << 10, 1 << 20, 22 << 20, 16);
  EXPECT_TRUE(LevelBytes(caches, 2, 0, 1));
  EXPECT_FALSE(LevelBytes(caches, 2, 0, 16));  // 1.4 MiB each beside 1 MiB of L2
}

TEST(Plan, HasATaskForEveryKindOfArithmetic) {
  std::set<std::string> ids;
  for (const MeasureTask& task : ComputeTasks({1}, "")) ids.insert(task.id);
  for (const char* precision : {"dp", "sp"}) {
    for (const char* kind : {"chain", "add", "mul", "muladd", "div", "sqrt"}) {
      const std::string id = std::string("compute.") + precision + "." + kind + ".scalar";
      EXPECT_TRUE(ids.count(id)) << id;
    }
  }
}

TEST(Plan, HasNoTaskForALevelThatWasNotFound) {
  Topology topology;
  topology.caches = Caches(48 << 10, 1 << 20, 32 << 20, 2);
  const Plateau found{36 << 10, 0, 100};
  const auto tasks = CacheTasks(topology, {found, std::nullopt, std::nullopt}, {1});
  ASSERT_EQ(tasks.size(), 3u);
  EXPECT_EQ(tasks[0].id, "bandwidth.L1.read");
  EXPECT_EQ(tasks[2].counted_factor, 1);  // nothing above L1 to allocate in
}

TEST(Plan, CountsWriteAllocateInDramOnly) {
  std::vector<Buffer> slabs;
  slabs.emplace_back(1 << 20);
  std::map<std::string, double> factors;
  for (const MeasureTask& task : DramTasks(slabs)) factors[task.id] = task.counted_factor;
  EXPECT_DOUBLE_EQ(factors.at("bandwidth.DRAM.read"), 1);
  EXPECT_DOUBLE_EQ(factors.at("bandwidth.DRAM.copy"), 1.5);
  EXPECT_DOUBLE_EQ(factors.at("bandwidth.DRAM.triad"), 4.0 / 3);
  EXPECT_DOUBLE_EQ(factors.at("bandwidth.DRAM.triad_nt"), 1);
}

}  // namespace
}  // namespace roofmark
