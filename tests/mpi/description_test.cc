// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/description.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace roofmark::mpi {
namespace {

// What stands in the file of a job whose ranks said that about one metric.
MetricSource Merged(const std::vector<MetricSource>& said, const std::vector<uint32_t>& order) {
  const auto of = [&said](uint32_t rank) {
    std::array<MetricSource, kMetrics> sources;
    sources[metric::kCycles] = said[rank];
    return Description(RunInfo(), sources, rank);
  };
  Description all = of(order[0]);
  for (size_t i = 1; i < order.size(); ++i) all.Add(of(order[i]));
  JobProfile job;
  std::move(all).Store(job);
  return job.sources[metric::kCycles];
}

// In whatever order the ranks come: of those that have a value the lowest, of those without too.
TEST(Description, SourcesAreThoseOfTheLowestRankInAnyOrder) {
  const MetricSource none_a = {"", Status::kUnsupported, "no counter"};
  const MetricSource none_b = {"", Status::kUnsupported, "no permission"};
  const MetricSource counted = {"perf_event", Status::kMeasured, ""};
  const MetricSource also = {"papi", Status::kMeasured, ""};
  struct {
    std::vector<MetricSource> said;
    MetricSource wanted;
  } const cases[] = {{{none_a, none_b, none_b}, none_a},   {{none_b, none_a, none_a}, none_b},
                     {{none_a, counted, none_b}, counted}, {{none_a, also, counted}, also},
                     {{counted, also, none_a}, counted},   {{also, none_a, counted}, also}};
  for (const auto& [said, wanted] : cases) {
    std::vector<uint32_t> order(said.size());
    std::iota(order.begin(), order.end(), 0);
    do {
      const MetricSource merged = Merged(said, order);
      EXPECT_EQ(merged.origin, wanted.origin);
      EXPECT_EQ(merged.status, wanted.status);
      EXPECT_EQ(merged.reason, wanted.reason);
    } while (std::next_permutation(order.begin(), order.end()));
  }
}

}  // namespace
}  // namespace roofmark::mpi
