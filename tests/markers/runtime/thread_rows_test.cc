// SPDX-License-Identifier: BSD-3-Clause
#include "markers/runtime/thread_rows.h"

#include <gtest/gtest.h>

namespace roofmark::runtime {
namespace {

constexpr MetricId kAdds = FlopMetric(Precision::kDouble, Width::kScalar, FlopKind::kAdd);

// One region, and a thread that was in it beside one that was not; of the three that the collector
// knows, the second counted nothing inside.
class ThreadRowsTest : public testing::Test {
 protected:
  ThreadRowsTest() {
    FoldInput input;
    input.nodes = {{}, {0, 1, RegionKind::kTeam, "f.c", 3, 2}};
    input.names = {"", "a"};
    input.threads = {{{}, {.visits = 4, .measured = 2, .ticks = 100}}, {{}, {}}};
    AddWorker(input, 7, 0, 30);
    AddWorker(input, 8, 1000, 0);
    AddWorker(input, 9, 0, 5);
    for (MetricSource& source : sources_) source = {"test", Status::kMeasured, ""};
    rows_.emplace(input, sources_);
  }
  static void AddWorker(FoldInput& input, uint32_t worker, uint64_t outside, uint64_t adds) {
    auto& rows = input.workers[worker];
    rows.resize(2);
    rows[0][kAdds] = outside;
    rows[1][kAdds] = adds;
  }

  std::array<MetricSource, kMetrics> sources_;
  std::optional<ThreadRows> rows_;
};

TEST_F(ThreadRowsTest, OnlyThreadsThatWereInARegionHaveOne) {
  ASSERT_EQ(rows_->size(), 3u);
  EXPECT_EQ(rows_->label(0).number, 0u);
  EXPECT_FALSE(rows_->label(0).counted);
  EXPECT_EQ(rows_->label(1).number, 7u);
  EXPECT_TRUE(rows_->label(1).counted);
  EXPECT_EQ(rows_->label(2).number, 9u);
}

TEST_F(ThreadRowsTest, AMarkedThreadHasItsVisitsAndNoCounts) {
  const JobProfile row = rows_->Fold(0);
  EXPECT_EQ(row.At(0, metric::kVisits).min, 4u);
  EXPECT_EQ(row.At(0, kAdds).ranks, 0u);
}

// Counts of the two visits that were measured, scaled to all four.
TEST_F(ThreadRowsTest, ACountedThreadHasItsCountsAlone) {
  const JobProfile row = rows_->Fold(1);
  EXPECT_EQ(row.At(0, kAdds).min, 60u);
  EXPECT_EQ(row.At(0, metric::kVisits).ranks, 0u);
  EXPECT_EQ(row.At(0, metric::kWorkerFlopsMax).ranks, 0u) << "that is of several threads";
  EXPECT_EQ(rows_->Fold(2).At(0, kAdds).min, 10u);
}

}  // namespace
}  // namespace roofmark::runtime
