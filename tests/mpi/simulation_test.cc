// SPDX-License-Identifier: BSD-3-Clause
//
// The reduction of RANKS ranks on one thread, against closed forms: the union of the paths, the
// operator, the merge of what describes the run. Each rank writes its part, so that a million take
// 80 s of CPU time: they are in the exhaustive group, and an eighth of them otherwise.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "benchmarks/overhead/mpi/cell_tree.h"
#include "benchmarks/overhead/mpi/synthetic.h"
#include "benchmarks/overhead/mpi/turns.h"
#include "mpi/reduce.h"
#include "tests/support/pairs.h"

namespace roofmark::mpi {
namespace {

const uint32_t kRanks = test::Exhaustive() ? uint32_t{RANKS} : std::min(uint32_t{RANKS}, 1u << 17);
constexpr uint32_t kPerNode = 64;

// How far m2 may lie from the truth. Each mean is rounded by at most one unit u in its last place,
// so each difference of two means by 2u, and the sum of w d^2 over all combinations (w = product
// over sum of the counts) by 2 (2u) sum(w d) + (2u)^2 sum(w), where sum(w d) <= sqrt(m2 sum(w)) and
// sum(w) <= P log2(P) for any of the shapes; besides, each of the additions rounds.
double M2Tolerance(const Cell& want) {
  const double eps = std::numeric_limits<double>::epsilon();
  const double unit = 2 * eps * want.mean;
  const double weights = static_cast<double>(want.ranks) * std::bit_width(want.ranks);
  return 2 * unit * std::sqrt(want.m2 * weights) + unit * unit * weights +
         want.m2 * eps * std::sqrt(static_cast<double>(want.ranks)) * 16;
}

void ExpectCell(const Cell& got, const Cell& want, const std::string& what) {
  EXPECT_EQ(got.ranks, want.ranks) << what;
  EXPECT_EQ(got.status_bits, want.status_bits) << what;
  EXPECT_EQ(got.min, want.min) << what;
  EXPECT_EQ(got.min_rank, want.min_rank) << what;
  EXPECT_EQ(got.max, want.max) << what;
  EXPECT_EQ(got.max_rank, want.max_rank) << what;
  EXPECT_EQ(got.sum_low, want.sum_low) << what;
  EXPECT_EQ(got.sum_high, want.sum_high) << what;
  EXPECT_EQ(got.mean, want.mean) << what;
  EXPECT_NEAR(got.m2, want.m2, M2Tolerance(want)) << what;
}

// Every `step`-th rank from `first` on has the ramp.
Cell RampOver(uint32_t first, uint32_t step, uint32_t count) {
  Cell cell = Cell::Of(Columns()[0].value(first, kRanks), first, Status::kMeasured);
  const uint64_t n = count, last = first + static_cast<uint64_t>(step) * (n - 1);
  cell.ranks = count;
  cell.max = Columns()[0].value(last, kRanks);
  cell.max_rank = static_cast<uint32_t>(last);
  cell.SetSum(static_cast<Sum128>(n) * cell.min + static_cast<Sum128>(step) * (n * (n - 1) / 2));
  cell.mean = cell.SumAsDouble() / cell.ranks;
  const double p = count;
  cell.m2 = p * (p * p - 1) / 12 * step * step;
  return cell;
}

// Of the ramp that all ranks have: every value is known.
void ExpectRampSpread(const JobProfile& job, const SyntheticJob& ranks) {
  const Spread& spread = job.SpreadAt(0, Drawn::kTime);
  ASSERT_EQ(spread.ranks, kRanks);
  Sketch want;
  for (uint32_t rank = 0; rank < kRanks; ++rank) {
    want.Add(BucketOf(Columns()[0].value(rank, kRanks)), 1);
  }
  EXPECT_TRUE(spread.sketch == want);
  for (uint32_t i = 0; i < kOutliers; ++i) {
    EXPECT_EQ(spread.lowest[i].rank, i);
    EXPECT_EQ(spread.highest[i].rank, kRanks - 1 - i);
    EXPECT_EQ(job.rank_hosts.at(kRanks - 1 - i), ranks.HostOf(kRanks - 1 - i));
  }
  for (const double p : kPercentiles) {
    const auto truth =
        static_cast<double>(Columns()[0].value(static_cast<uint64_t>(kRanks * p / 100), kRanks));
    EXPECT_NEAR(static_cast<double>(Percentile(spread, p)), truth, 0.05 * truth);
  }
}

// The parameter is the number of ranks: the programs of both sizes stand in one list of tests.
class Simulation : public testing::TestWithParam<uint32_t> {};

TEST_P(Simulation, EveryColumnIsExact) {
  SyntheticJob job(kRanks, kPerNode);
  std::optional<JobProfile> merged;
  Turns turns({GetParam()});
  ASSERT_TRUE(turns.Run([&](Comm& comm) {
    auto result = ReduceProfiles(comm, job.Part(comm.Rank()));
    if (result && result->has_value()) merged = std::move(*result);
  }));
  ASSERT_TRUE(merged);
  ASSERT_EQ(merged->paths.size(), 4u);
  for (const Column& column : Columns()) {
    ExpectCell(merged->At(0, column.metric), column.merged(kRanks), GetMetric(column.metric).name);
  }
  EXPECT_EQ(merged->paths[1].path, "all/third");
  EXPECT_EQ(merged->paths[1].operation, "updates");
  ExpectCell(merged->At(1, metric::kTimeNs), RampOver(1, 3, job.ThirdRanks()), "third");
  EXPECT_EQ(merged->At(1, metric::kVisits).ranks, 0u);
  EXPECT_EQ(merged->paths[2].path, "alone");
  ExpectCell(merged->At(2, metric::kTimeNs), RampOver(job.AloneRank(), 1, 1), "alone");
  EXPECT_EQ(merged->paths[3].path, "root");
  ExpectCell(merged->At(3, metric::kTimeNs), RampOver(0, 1, 1), "root");
  ExpectRampSpread(*merged, job);
  EXPECT_EQ(merged->run.ranks_merged, kRanks);
  EXPECT_EQ(merged->run.threads_max, 8u);
  EXPECT_EQ(merged->run.passes[0].wall_s, kRanks);
  EXPECT_EQ(merged->run.warnings.size(), 1u);
  ASSERT_EQ(merged->run.hosts.size(), kRanks / kPerNode);
  for (const HostInfo& host : merged->run.hosts) {
    ASSERT_EQ(host.ranks, kPerNode) << host.name;
    ASSERT_EQ(host.cpuset, "0-63") << host.name;
  }
}

// What merge_time measures is in the messages.
TEST(SimulationOfRegions, HaveTwentyMetricsTheirTotalsAndDistributions) {
  constexpr uint32_t kFew = 4096, kRegions = 3;
  SyntheticJob job(kFew, kPerNode, kRegions);
  std::optional<JobProfile> merged;
  Turns turns({kFew});
  ASSERT_TRUE(turns.Run([&](Comm& comm) {
    auto result = ReduceProfiles(comm, job.Part(comm.Rank()));
    if (result && result->has_value()) merged = std::move(*result);
  }));
  ASSERT_TRUE(merged);
  for (size_t path = 0; path < merged->paths.size(); ++path) {
    if (!merged->paths[path].path.starts_with("region ")) continue;
    size_t metrics = 0;
    for (MetricId m = 0; m < kMetrics; ++m) metrics += merged->At(path, m).ranks == kFew;
    EXPECT_EQ(metrics, 20u + metric::kLastTotal - metric::kFirstTotal + 1);
    for (size_t m = 0; m < kSpreads; ++m) {
      EXPECT_EQ(merged->SpreadAt(path, static_cast<Drawn>(m)).ranks, kFew);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ranks, Simulation, testing::Values(kRanks),
                         [](const auto& param) { return std::to_string(param.param); });

class Operator : public testing::TestWithParam<TreeShape> {};

// Values without any pattern, ranks in an order without any pattern: against plain sums.
TEST_P(Operator, RandomValuesInRandomOrderAreThoseOfASerialReference) {
  const auto value = [](uint64_t rank) {  // splitmix64 (Steele, Lea and Flood 2014), 48 bits of it
    uint64_t z = (rank + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (z ^ (z >> 31)) >> 16;
  };
  Cell want = Cell::Of(value(0), 0, Status::kMeasured);
  Sum128 sum = 0;
  for (uint32_t rank = 0; rank < kRanks; ++rank) {
    const uint64_t v = value(rank);
    sum += v;
    if (v < want.min) want.min = v, want.min_rank = rank;
    if (v > want.max) want.max = v, want.max_rank = rank;
  }
  want.ranks = kRanks;
  want.SetSum(sum);
  want.mean = static_cast<double>(sum) / kRanks;
  long double m2 = 0;
  const long double mean = static_cast<long double>(sum) / kRanks;
  for (uint32_t rank = 0; rank < kRanks; ++rank) {
    m2 += (static_cast<long double>(value(rank)) - mean) *
          (static_cast<long double>(value(rank)) - mean);
  }
  want.m2 = static_cast<double>(m2);
  CellTree tree(GetParam(), kPerNode);
  for (uint32_t i = 0; i < kRanks; ++i) {
    const uint32_t rank = (i * 0x9e3779b1u + 12345) % kRanks;  // odd factor: each rank once
    tree.Add(rank, {Cell::Of(value(rank), rank, Status::kMeasured)});
  }
  ExpectCell(tree.Finish().at(0), want, "random");
}

std::string NameOf(TreeShape shape) {
  constexpr const char* kNames[] = {"Binomial", "NodeFirst", "Random"};
  return kNames[static_cast<size_t>(shape)] + std::to_string(kRanks);
}

INSTANTIATE_TEST_SUITE_P(Tree, Operator,
                         testing::Values(TreeShape::kBinomial, TreeShape::kNodeFirst,
                                         TreeShape::kRandom),
                         [](const auto& param) { return NameOf(param.param); });

}  // namespace
}  // namespace roofmark::mpi
