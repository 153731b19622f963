// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/reduce.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
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
  part.run.cost.startup_ns = Cell::Of(Below(random, 1000), rank, Status::kMeasured);
  // Time and FLOPs among them, which are drawn as distributions.
  for (size_t path = 0; path < paths.size(); ++path) {
    part.At(path, metric::kTimeNs) =
        Cell::Of(random() >> Below(random, 60), rank, Status::kMeasured);
  }
  FillSpreads(part);
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

void ExpectSameNamed(const std::array<Ranked, kOutliers>& got,
                     const std::array<Ranked, kOutliers>& want, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    EXPECT_EQ(got[i].value, want[i].value);
    EXPECT_EQ(got[i].rank, want[i].rank);
  }
}

void ExpectSameSpreads(const JobProfile& got, const JobProfile& want) {
  ASSERT_EQ(got.spreads.size(), want.spreads.size());
  for (size_t i = 0; i < got.spreads.size(); ++i) {
    const Spread &a = got.spreads[i], &b = want.spreads[i];
    ASSERT_EQ(a.ranks, b.ranks);
    EXPECT_EQ(a.status_bits, b.status_bits);
    EXPECT_TRUE(a.sketch == b.sketch);
    ExpectSameNamed(a.lowest, b.lowest, a.Named());
    ExpectSameNamed(a.highest, b.highest, a.Named());
  }
  EXPECT_EQ(got.rank_hosts, want.rank_hosts);
}

void ExpectSame(const JobProfile& got, const JobProfile& want) {
  ExpectSameSpreads(got, want);
  ExpectSameCell(got.run.cost.startup_ns, want.run.cost.startup_ns);
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
  PruneRankHosts(merged);
  return merged;
}

// The merged profile of rank 0; checks that nobody else gets one.
JobProfile Parallel(ThreadWorld& world, const std::vector<JobProfile>& parts) {
  JobProfile merged;
  world.Run([&](Comm& comm) {
    auto result = ReduceProfiles(comm, parts[comm.Rank()], {world.nodes.empty()});
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
  // Any placement of ranks on nodes.
  for (uint32_t rank = 0; rank < GetParam(); ++rank) {
    world.nodes.push_back(static_cast<uint32_t>(Below(random, 1 + GetParam() / 3)));
  }
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

// Rows that only some ranks have, on trees of 8 ranks, placed on nodes at random.
TEST(ReduceProfiles, AThousandRandomTreesOverEightRanks) {
  constexpr uint32_t kRanks = 8;
  for (uint32_t round = 0; round < 1000 && !testing::Test::HasFailure(); ++round) {
    Random random(round);
    const std::set<std::string> common = RandomTree(random, Below(random, 25));
    std::vector<JobProfile> parts;
    for (uint32_t rank = 0; rank < kRanks; ++rank) {
      std::set<std::string> paths = common;
      // Missing ones, with what lies below or without; and others, of any depth.
      std::erase_if(paths, [&](const std::string&) { return Below(random, 5) == 0; });
      if (Below(random, 2)) paths.merge(RandomTree(random, Below(random, 12)));
      if (Below(random, 8) == 0) paths.clear();
      parts.push_back(Part(rank, kRanks, paths, 1 + Below(random, 4), random));
    }
    ThreadWorld world(kRanks);
    for (uint32_t rank = 0; rank < kRanks && round % 4 != 0; ++rank) {
      world.nodes.push_back(static_cast<uint32_t>(Below(random, 1 + round % 4)));
    }
    SCOPED_TRACE(round);
    ExpectSame(Parallel(world, parts), Serial(parts));
  }
}

// What is said does not depend on who says it first.
TEST(ReduceProfiles, RanksThatCountedDifferentEventsSaySo) {
  Random random(1);
  for (const auto& nodes :
       std::vector<std::vector<uint32_t>>{{}, {0, 1, 0, 1, 2}, {0, 1, 1, 0, 0}}) {
    std::vector<JobProfile> parts;
    for (uint32_t rank = 0; rank < 5; ++rank) {
      parts.push_back(Part(rank, 5, {"a"}, 1, random));
      MetricSource& source = parts.back().sources[UserMetric(0)];
      source = {"perf_event", Status::kMeasured, "", rank == 3 ? "cycles" : "instructions",
                "count"};
    }
    ThreadWorld world(5);
    world.nodes = nodes;
    const MetricSource source = Parallel(world, parts).sources[UserMetric(0)];
    EXPECT_EQ(source.status, Status::kInvalid);
    EXPECT_EQ(source.label, "cycles");
    EXPECT_EQ(source.reason, Serial(parts).sources[UserMetric(0)].reason);
  }
}

// Between nodes one message each goes up; what the others hand on is empty.
TEST(ReduceProfiles, NodesComeFirst) {
  Random random(1);
  std::vector<JobProfile> parts;
  for (uint32_t rank = 0; rank < 16; ++rank) parts.push_back(Part(rank, 16, {"a"}, 1, random));
  ThreadWorld flat(16), nodes(16), scattered(16);
  for (uint32_t rank = 0; rank < 16; ++rank) {
    nodes.nodes.push_back(rank / 4);
    scattered.nodes.push_back(rank % 4);
  }
  const JobProfile serial = Serial(parts);
  for (ThreadWorld* world : {&flat, &nodes, &scattered})
    ExpectSame(Parallel(*world, parts), serial);
  EXPECT_LT(nodes.bytes(), flat.bytes() / 4);
  EXPECT_LT(scattered.bytes(), flat.bytes() / 4);
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
  const size_t table = Parallel(world, parts).paths.size() * 2 * sizeof(Cell);  // two metrics
  EXPECT_EQ(world.messages(), 2 * 15u);  // size and bytes, up the tree
  EXPECT_LT(world.bytes(), 15 * (table + 30'000u + 500 * 200));
}

TEST(ReduceProfiles, AFailingCommunicatorIsAnError) {
  Random random(1);
  // The allreduce, the split by node, and what sends the paths around where they differ.
  for (uint32_t fail_at = 1; fail_at <= 6; ++fail_at) {
    std::vector<JobProfile> parts;
    for (uint32_t rank = 0; rank < 4; ++rank) {
      parts.push_back(Part(rank, 4, {rank % 2 ? "a" : "b"}, 1, random));
    }
    ThreadWorld world(4);
    world.nodes = {0, 0, 1, 1};
    world.fail_at = fail_at;
    world.Run([&](Comm& comm) { EXPECT_FALSE(ReduceProfiles(comm, parts[comm.Rank()])); });
  }
}

}  // namespace
}  // namespace roofmark::mpi
