// SPDX-License-Identifier: BSD-3-Clause
#include "lib/profile/spread.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "lib/profile/totals.h"
#include "tests/lib/profile/sample_job.h"

namespace roofmark {
namespace {

constexpr uint32_t kMeasured = Bit(Status::kMeasured);

// Combines neighbours at random until one is left.
Spread Merge(std::vector<Spread> spreads, std::mt19937_64& random) {
  while (spreads.size() > 1) {
    const size_t i = random() % (spreads.size() - 1);
    if (random() % 2) std::swap(spreads[i], spreads[i + 1]);
    Combine(spreads[i], spreads[i + 1]);
    spreads.erase(spreads.begin() + static_cast<ptrdiff_t>(i) + 1);
  }
  return spreads[0];
}

std::vector<Spread> Each(const std::vector<uint64_t>& values) {
  std::vector<Spread> spreads;
  for (uint32_t rank = 0; rank < values.size(); ++rank) {
    spreads.push_back(Spread::Of(values[rank], rank, kMeasured));
  }
  return spreads;
}

// Of shapes that percentiles are asked of: even, with a long tail, few values, wide apart.
uint64_t Draw(int shape, std::mt19937_64& random) {
  switch (shape) {
    case 0:
      return 1'000'000'000 + random() % 300'000'000;
    case 1:
      return static_cast<uint64_t>(std::lognormal_distribution<>(15, 2)(random));
    case 2:
      return random() % 3;
    default:
      return random() >> random() % 64;
  }
}

TEST(Spread, PercentilesAndOutliersOfRandomValuesInAnyTree) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 300; ++round) {
    const size_t n = 1 + random() % 300;
    std::vector<uint64_t> values(n);
    for (uint64_t& value : values) value = Draw(round % 4, random);
    const Spread spread = Merge(Each(values), random);
    ASSERT_EQ(spread.ranks, n);

    std::vector<uint32_t> order(n);
    for (uint32_t rank = 0; rank < n; ++rank) order[rank] = rank;
    std::stable_sort(order.begin(), order.end(),
                     [&](uint32_t a, uint32_t b) { return values[a] < values[b]; });
    for (uint32_t i = 0; i < spread.Named(); ++i) EXPECT_EQ(spread.lowest[i].rank, order[i]);
    std::vector<uint64_t> sorted;
    for (const uint32_t rank : order) sorted.push_back(values[rank]);
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      return values[a] != values[b] ? values[a] > values[b] : a < b;
    });
    for (uint32_t i = 0; i < spread.Named(); ++i) {
      EXPECT_EQ(spread.highest[i].rank, order[i]);
      EXPECT_EQ(spread.highest[i].value, values[order[i]]);
    }
    for (double p = 1; p <= 100; ++p) {
      const auto at =
          static_cast<size_t>(std::max(1.0, std::ceil(p * static_cast<double>(n) / 100)));
      const auto truth = static_cast<double>(sorted[at - 1]);
      const double error = PercentileIsExact(spread, p) ? 0 : kBucketError;
      EXPECT_NEAR(static_cast<double>(Percentile(spread, p)), truth, error * truth) << p;
    }
  }
}

TEST(Spread, EightRanksAreKnownExactlyAndAbsentOnesAreNeutral) {
  std::mt19937_64 random(1);
  Spread spread = Merge(Each({10, 1'000'003, 77'777, 5, 123'457, 8, 33'333, 999}), random);
  EXPECT_TRUE(spread.NamesAll());
  for (const double p : kPercentiles) EXPECT_TRUE(PercentileIsExact(spread, p));
  EXPECT_EQ(Percentile(spread, 50), 999u);
  Combine(spread, Spread());
  EXPECT_EQ(spread.ranks, 8u);
  Spread absent;
  EXPECT_EQ(Percentile(absent, 50), 0u);
  Combine(absent, spread);
  EXPECT_EQ(Percentile(absent, 95), 1'000'003u);
}

TEST(Spread, ARanksOwnValues) {
  JobProfile job = test::EmptyJob(1, 1);
  const size_t path = test::AddPath(job, "a");
  test::Set(job, path, metric::kTimeNs, {77}, "timer");
  test::Set(job, path, metric::kDeclaredFlops, {5}, "declared", Status::kDeclared);
  test::Set(job, path, metric::kDramReadBytes, {100});
  const auto with = [&] {
    FillTotals(job);
    return SpreadsOf({job.cells, path}, 3);
  };
  EXPECT_EQ(with()[0].highest[0].value, 77u);
  EXPECT_EQ(with()[0].highest[0].rank, 3u);
  EXPECT_EQ(with()[1].highest[0].value, 5u) << "declared, where none were counted";
  EXPECT_EQ(with()[1].status_bits, Bit(Status::kDeclared));
  EXPECT_EQ(with()[2].ranks, 0u) << "reads alone are no traffic";
  test::Set(job, path, metric::kDramWriteBytes, {11});
  test::Set(job, path, metric::kDramDirtyBytes, {1});
  EXPECT_EQ(with()[2].highest[0].value, 112u);
  for (MetricId m = 0; m < kFlopClasses; ++m) test::Set(job, path, m, {0});
  test::Set(job, path, test::kDp256Fma, {40});
  test::Set(job, path, test::kDpScalarAdd, {2});
  EXPECT_EQ(with()[1].highest[0].value, 42u);
  test::Set(job, path, test::kDpScalarAdd, {0}, "counting", Status::kInvalid);
  EXPECT_EQ(with()[1].status_bits, Bit(Status::kDeclared)) << "counted, but not to be believed";
}

}  // namespace
}  // namespace roofmark
