// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/reduce.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>

#include "tests/mpi/thread_comm.h"

namespace roofmark::mpi {
namespace {

using Random = std::mt19937_64;

uint64_t Below(Random& random, uint64_t n) { return random() % n; }

// One rank's profile with the given paths; every path has `metrics` of the metrics.
JobProfile Part(uint32_t rank, uint32_t ranks, const std::set<std::string>& paths, size_t metrics,
                Random& random) {
  JobProfile part;
  part.run.roofmark_version = "1.2.3";
  part.run.ranks = ranks;
  part.run.first_rank = rank;
  part.run.threads_max = static_cast<uint32_t>(1 + Below(random, 8));
  part.run.mpi = "Some MPI";
  part.run.hosts = {{"node" + std::to_string(rank / 4), 1, std::to_string(rank), 1}};
  PassInfo pass;
  pass.collector = "timer";
  pass.command = {"app", "of", std::to_string(rank)};
  pass.wall_s = static_cast<double>(Below(random, 1000)) / 8;
  part.run.passes = {pass};
  part.run.warnings = {"all say this", "rank " + std::to_string(rank % 3) + " says this"};
  for (const std::string& path : paths) {
    part.paths.push_back({path, "file" + std::to_string(rank) + ".c", rank + 10,
                          rank % 2 ? RegionKind::kThread : RegionKind::kTeam});
    if ((rank + path.size()) % 3 == 0) part.paths.back().operation = "updates of " + path;
  }
  part.cells.resize(paths.size() * kMetrics);
  for (size_t path = 0; path < paths.size(); ++path) {
    for (size_t m = 0; m < metrics; ++m) {
      // Every fourth metric of 64 bits, so that sums need their upper word.
      const uint64_t value = m % 4 == 3 ? random() : random() >> 20;
      part.At(path, static_cast<MetricId>(m * 4)) = Cell::Of(value, rank, Status::kMeasured);
    }
  }
  for (size_t m = 0; m < metrics; ++m) part.sources[m * 4] = {"timer", Status::kMeasured, ""};
  return part;
}

// A tree of regions: each new path hangs below a random earlier one, or is a root.
std::set<std::string> RandomTree(Random& random, size_t regions) {
  std::vector<std::string> paths;
  for (size_t i = 0; i < regions; ++i) {
    std::string path = "r" + std::to_string(Below(random, 40));
    if (!paths.empty() && Below(random, 4)) path = paths[Below(random, paths.size())] + "/" + path;
    paths.push_back(path);
  }
  return {paths.begin(), paths.end()};
}

void ExpectSameCell(const Cell& got, const Cell& want) {
  EXPECT_EQ(got.ranks, want.ranks);
  EXPECT_EQ(got.status_bits, want.status_bits);
  EXPECT_EQ(got.min, want.min);
  EXPECT_EQ(got.max, want.max);
  EXPECT_EQ(got.min_rank, want.min_rank);
  EXPECT_EQ(got.max_rank, want.max_rank);
  EXPECT_EQ(got.sum_low, want.sum_low);
  EXPECT_EQ(got.sum_high, want.sum_high);
  EXPECT_EQ(got.mean, want.mean);
  EXPECT_NEAR(got.m2, want.m2, 1e-9 * want.m2);
}

void ExpectSame(const JobProfile& got, const JobProfile& want) {
  EXPECT_EQ(got.run.ranks, want.run.ranks);
  EXPECT_EQ(got.run.ranks_merged, want.run.ranks_merged);
  EXPECT_EQ(got.run.first_rank, want.run.first_rank);
  EXPECT_EQ(got.run.threads_max, want.run.threads_max);
  EXPECT_EQ(got.run.mpi, want.run.mpi);
  EXPECT_EQ(got.run.warnings, want.run.warnings);
  ASSERT_EQ(got.run.hosts.size(), want.run.hosts.size());
  for (size_t i = 0; i < got.run.hosts.size(); ++i) {
    EXPECT_EQ(got.run.hosts[i].name, want.run.hosts[i].name);
    EXPECT_EQ(got.run.hosts[i].ranks, want.run.hosts[i].ranks);
    EXPECT_EQ(got.run.hosts[i].cpuset, want.run.hosts[i].cpuset);
    EXPECT_EQ(got.run.hosts[i].cpus, want.run.hosts[i].cpus);
  }
  ASSERT_EQ(got.run.passes.size(), want.run.passes.size());
  for (size_t i = 0; i < got.run.passes.size(); ++i) {
    EXPECT_EQ(got.run.passes[i].wall_s, want.run.passes[i].wall_s);
    EXPECT_EQ(got.run.passes[i].command, want.run.passes[i].command);
  }
  for (size_t m = 0; m < kMetrics; ++m) {
    EXPECT_EQ(got.sources[m].origin, want.sources[m].origin);
    EXPECT_EQ(got.sources[m].status, want.sources[m].status);
  }
  ASSERT_EQ(got.paths.size(), want.paths.size());
  for (size_t i = 0; i < got.paths.size(); ++i) {
    EXPECT_EQ(got.paths[i].path, want.paths[i].path);
    EXPECT_EQ(got.paths[i].file, want.paths[i].file);
    EXPECT_EQ(got.paths[i].line, want.paths[i].line);
    EXPECT_EQ(got.paths[i].kind, want.paths[i].kind);
    EXPECT_EQ(got.paths[i].operation, want.paths[i].operation);
  }
  ASSERT_EQ(got.cells.size(), want.cells.size());
  for (size_t i = 0; i < got.cells.size(); ++i) ExpectSameCell(got.cells[i], want.cells[i]);
}

JobProfile Serial(const std::vector<JobProfile>& parts) {
  JobProfile merged = parts[0];
  for (size_t rank = 1; rank < parts.size(); ++rank) MergeProfiles(merged, parts[rank]);
  return merged;
}

// The merged profile of rank 0; checks that nobody else gets one.
JobProfile Parallel(ThreadWorld& world, const std::vector<JobProfile>& parts) {
  JobProfile merged;
  world.Run([&](Comm& comm) {
    auto result = ReduceProfiles(comm, parts[comm.Rank()]);
    ASSERT_TRUE(result) << result.error();
    EXPECT_EQ(result->has_value(), comm.Rank() == 0);
    if (*result) merged = **std::move(result);
  });
  return merged;
}

class Reduce : public testing::TestWithParam<uint32_t> {};

TEST_P(Reduce, AgreesWithTheSerialMergeOnRandomTrees) {
  Random random(GetParam());
  const std::set<std::string> common = RandomTree(random, 60);
  std::vector<JobProfile> parts;
  for (uint32_t rank = 0; rank < GetParam(); ++rank) {
    std::set<std::string> paths;
    if (Below(random, 3)) paths = common;
    if (Below(random, 3)) paths.merge(RandomTree(random, 1 + Below(random, 30)));
    parts.push_back(Part(rank, GetParam(), paths, 1 + rank % 9, random));
  }
  ThreadWorld world(GetParam());
  for (uint32_t rank = 0; rank < GetParam(); ++rank) world.order.push_back(rank);
  std::shuffle(world.order.begin(), world.order.end(), random);
  ExpectSame(Parallel(world, parts), Serial(parts));
}

TEST_P(Reduce, FiveHundredRegionsOfTwentyMetricsAreExact) {
  Random random(17 * GetParam());
  std::set<std::string> paths;
  while (paths.size() < 500) paths.insert("region " + std::to_string(paths.size()));
  std::vector<JobProfile> parts;
  for (uint32_t rank = 0; rank < GetParam(); ++rank) {
    parts.push_back(Part(rank, GetParam(), paths, 20, random));
  }
  ThreadWorld world(GetParam());
  ExpectSame(Parallel(world, parts), Serial(parts));
}

INSTANTIATE_TEST_SUITE_P(Ranks, Reduce, testing::Range(1u, 18u));

TEST(ReduceProfiles, ARegionOfOneRankSaysSo) {
  Random random(1);
  std::vector<JobProfile> parts;
  for (uint32_t rank = 0; rank < 3; ++rank) {
    parts.push_back(Part(
        rank, 3, rank == 1 ? std::set<std::string>{"lonely"} : std::set<std::string>{}, 1, random));
  }
  ThreadWorld world(3);
  const JobProfile merged = Parallel(world, parts);
  ASSERT_EQ(merged.paths.size(), 1u);
  EXPECT_EQ(merged.At(0, 0).ranks, 1u);
  EXPECT_EQ(merged.At(0, 0).min_rank, 1u);
  EXPECT_EQ(merged.run.ranks_merged, 3u);
}

TEST(ReduceProfiles, NoRegionsAnywhere) {
  Random random(1);
  std::vector<JobProfile> parts;
  for (uint32_t rank = 0; rank < 5; ++rank) parts.push_back(Part(rank, 5, {}, 1, random));
  ThreadWorld world(5);
  const JobProfile merged = Parallel(world, parts);
  EXPECT_TRUE(merged.paths.empty());
  EXPECT_EQ(merged.run.ranks_merged, 5u);
}

TEST(ReduceProfiles, WarningsAreCapped) {
  Random random(1);
  std::vector<JobProfile> parts;
  for (uint32_t rank = 0; rank < 13; ++rank) {
    parts.push_back(Part(rank, 13, {}, 1, random));
    for (int i = 0; i < 9; ++i) {
      parts.back().run.warnings.push_back(std::to_string(rank) + "." + std::to_string(i));
    }
  }
  JobProfile serial = Serial(parts);
  serial.run.warnings.resize(kMaxWarnings);
  serial.run.warnings.push_back("more warnings of other ranks were left out");
  ThreadWorld world(13);
  EXPECT_EQ(Parallel(world, parts).run.warnings, serial.run.warnings);
}

// What the agreement costs where all ranks have the same paths: no name travels.
TEST(ReduceProfiles, EqualPathsAreNotSent) {
  Random random(1);
  const std::set<std::string> paths = RandomTree(random, 500);
  std::vector<JobProfile> parts;
  for (uint32_t rank = 0; rank < 16; ++rank) {
    parts.push_back(Part(rank, 16, paths, 1, random));
    for (PathInfo& info : parts.back().paths) info.operation = "updates";
  }
  ThreadWorld world(16);
  Parallel(world, parts);
  EXPECT_EQ(world.messages(), 2 * 15u);  // the runs: size and bytes, up the tree
  EXPECT_LT(world.bytes(), 15 * 8000u);
}

TEST(ReduceProfiles, AFailingCommunicatorIsAnError) {
  Random random(1);
  for (uint32_t fail_at = 1; fail_at <= 3; ++fail_at) {
    std::vector<JobProfile> parts;
    for (uint32_t rank = 0; rank < 4; ++rank) parts.push_back(Part(rank, 4, {"a"}, 1, random));
    ThreadWorld world(4);
    world.fail_at = fail_at;
    world.Run([&](Comm& comm) { EXPECT_FALSE(ReduceProfiles(comm, parts[comm.Rank()])); });
  }
}

}  // namespace
}  // namespace roofmark::mpi
