// SPDX-License-Identifier: BSD-3-Clause
#include "lib/profile/profile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "lib/profile/cell.h"
#include "lib/profile/whole.h"

namespace roofmark {
namespace {

// One value per rank against sums computed by hand in long double.
TEST(Cell, DistributionOfRandomValuesInAnyTree) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 200; ++round) {
    const size_t n = 1 + random() % 40;
    std::vector<uint64_t> values(n);
    // Few different values, so that ties of min and max happen; now and then huge ones.
    for (uint64_t& value : values) value = round % 2 ? random() % 5 : random() >> 2;
    std::vector<Cell> cells;
    for (uint32_t rank = 0; rank < n; ++rank) {
      cells.push_back(Cell::Of(values[rank], rank, Status::kMeasured));
    }
    while (cells.size() > 1) {  // combine neighbours in random order and direction
      const size_t i = random() % (cells.size() - 1);
      cells[i] = random() % 2 ? Combine(cells[i], cells[i + 1]) : Combine(cells[i + 1], cells[i]);
      cells.erase(cells.begin() + static_cast<long>(i) + 1);
    }
    Sum128 sum = 0;
    for (uint64_t value : values) sum += value;
    long double mean = static_cast<long double>(sum) / n, m2 = 0;
    for (uint64_t value : values) m2 += (value - mean) * (value - mean);
    const auto min = std::min_element(values.begin(), values.end());
    const auto max = std::max_element(values.begin(), values.end());
    EXPECT_EQ(cells[0].ranks, n);
    EXPECT_TRUE(cells[0].Sum() == sum);
    EXPECT_EQ(cells[0].min, *min);
    EXPECT_EQ(cells[0].min_rank, min - values.begin());
    EXPECT_EQ(cells[0].max, *max);
    EXPECT_EQ(cells[0].max_rank, max - values.begin());
    const double deviation = static_cast<double>(std::sqrt(m2 / n));
    EXPECT_NEAR(cells[0].StdDev(), deviation, 1e-9 * deviation + 1e-9);
    EXPECT_NEAR(cells[0].mean, static_cast<double>(mean), 1e-12 * static_cast<double>(mean));
  }
}

TEST(Cell, AbsentIsNeutralAndStatusIsUnited) {
  const Cell one = Cell::Of(5, 3, Status::kMeasured), two = Cell::Of(7, 4, Status::kScaled);
  EXPECT_EQ(Combine(one, Cell{}).min_rank, 3u);
  EXPECT_EQ(Combine(Cell{}, one).ranks, 1u);
  EXPECT_EQ(Worst(Combine(one, two).status_bits), Status::kScaled);
}

TEST(Cell, SumsBeyond64Bits) {
  const Cell big = Cell::Of(UINT64_MAX, 0, Status::kMeasured);
  EXPECT_TRUE(Combine(big, big).Sum() == 2 * static_cast<Sum128>(UINT64_MAX));
}

TEST(Path, EscapesSplitsAndDescends) {
  const std::string odd = "a/b\\c";
  const std::string path = EscapeRegionName("top") + "/" + EscapeRegionName(odd);
  EXPECT_EQ(path, "top/a\\/b\\\\c");
  EXPECT_EQ(LeafName(path), odd);
  EXPECT_EQ(ParentPath(path), "top");
  EXPECT_EQ(PathDepth(path), 1u);
  EXPECT_EQ(ParentPath("top"), "");
  // A name that ends in a backslash does not swallow the separator.
  const std::string tricky = EscapeRegionName("end\\") + "/x";
  EXPECT_EQ(LeafName(tricky), "x");
  EXPECT_EQ(LeafName(ParentPath(tricky)), "end\\");
}

JobProfile Part(uint32_t rank, const std::vector<std::pair<std::string, uint64_t>>& visits) {
  JobProfile part;
  part.run.ranks = 3;
  part.run.first_rank = rank;
  part.run.hosts = {{rank < 2 ? "a" : "b", 1, std::to_string(rank), 1}};
  part.run.passes.resize(1);
  part.run.passes[0].wall_s = 1.0 + rank;
  part.run.passes[0].command = {"rank" + std::to_string(rank)};
  part.run.warnings = {"same", "rank " + std::to_string(rank)};
  part.sources[metric::kVisits] = {"timer", Status::kMeasured, ""};
  for (const auto& [path, count] : visits)
    part.paths.push_back({path, "f.c", 1, RegionKind::kTeam});
  part.cells = CellTable(part.paths.size());
  for (size_t i = 0; i < visits.size(); ++i) {
    part.At(i, metric::kVisits) = Cell::Of(visits[i].second, rank, Status::kMeasured);
  }
  return part;
}

TEST(MergeProfiles, UnitesPathsAndKeepsPresence) {
  JobProfile job = Part(2, {{"c", 5}});
  MergeProfiles(job, Part(0, {{"a", 1}, {"a/b", 2}}));
  MergeProfiles(job, Part(1, {{"a", 3}, {"c", 7}}));
  ASSERT_EQ(job.paths.size(), 3u);
  const Cell& a = job.At(static_cast<size_t>(job.FindPath("a")), metric::kVisits);
  EXPECT_EQ(a.ranks, 2u);
  EXPECT_EQ(a.min_rank, 0u);
  EXPECT_EQ(a.max_rank, 1u);
  const Cell& b = job.At(static_cast<size_t>(job.FindPath("a/b")), metric::kVisits);
  EXPECT_EQ(b.ranks, 1u);
  EXPECT_EQ(job.FindPath("b"), -1);
  EXPECT_EQ(job.run.ranks_merged, 3u);
  EXPECT_EQ(job.run.first_rank, 0u);
  EXPECT_EQ(job.run.passes[0].command[0], "rank0");
  EXPECT_EQ(job.run.passes[0].wall_s, 3.0) << "the slowest rank's";
  ASSERT_EQ(job.run.hosts.size(), 2u);
  EXPECT_EQ(job.run.hosts[0].ranks, 2u);
  EXPECT_EQ(job.run.hosts[0].cpuset, "0-1");
  EXPECT_EQ(job.run.hosts[0].cpus, 2u);
  EXPECT_EQ(job.run.warnings.size(), 4u);
}

TEST(MergeProfiles, UnfinishedVisitsAndRecoveredRanksAddUp) {
  JobProfile a, b;
  a.run.recovered_ranks = 1;
  a.paths = {{"x", "", 0, RegionKind::kTeam}, {"y", "", 0, RegionKind::kTeam}};
  a.paths[0].unfinished = 2;
  a.cells = CellTable(2);
  b.run.recovered_ranks = 1;
  b.paths = {{"x", "", 0, RegionKind::kTeam}, {"z", "", 0, RegionKind::kTeam}};
  b.paths[0].unfinished = 1;
  b.paths[1].unfinished = 5;
  b.cells = CellTable(2);
  MergeProfiles(a, b);
  EXPECT_EQ(a.run.recovered_ranks, 2u);
  ASSERT_EQ(a.paths.size(), 3u);
  EXPECT_EQ(a.paths[0].unfinished, 3u);
  EXPECT_EQ(a.paths[1].unfinished, 0u);
  EXPECT_EQ(a.paths[2].unfinished, 5u);
}

JobProfile PartWithProgram(uint32_t rank, uint64_t time_ns) {
  JobProfile part = Part(rank, {{"a", 1}});
  part.whole = CellTable(kWholeRows);
  part.whole.At(1, metric::kTimeNs) = Cell::Of(time_ns, rank, Status::kMeasured);
  return part;
}

TEST(MergeProfiles, TheProgramHasAllRanksOrNone) {
  JobProfile job = PartWithProgram(2, 500);
  MergeProfiles(job, PartWithProgram(0, 700));
  const JobProfile whole = WholeOf(job);
  EXPECT_EQ(whole.FindPath("(outside)"), 0);
  ASSERT_EQ(whole.FindPath("(program)"), 1);
  EXPECT_EQ(whole.At(1, metric::kTimeNs).max, 700u);
  EXPECT_EQ(whole.At(1, metric::kTimeNs).max_rank, 0u);
  EXPECT_EQ(whole.At(1, metric::kTimeNs).ranks, 2u);
  EXPECT_EQ(whole.At(0, metric::kTimeNs).ranks, 0u);
  EXPECT_EQ(job.paths.size(), 1u) << "it is no region";
  MergeProfiles(job, Part(1, {{"a", 3}}));  // of an older roofmark
  EXPECT_TRUE(WholeOf(job).paths.empty());
}

}  // namespace
}  // namespace roofmark
