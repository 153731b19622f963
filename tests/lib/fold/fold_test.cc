// SPDX-License-Identifier: BSD-3-Clause
#include "lib/fold/fold.h"

#include <gtest/gtest.h>

#include "lib/profile/whole.h"

namespace roofmark {
namespace {

constexpr MetricId kAdds = FlopMetric(Precision::kDouble, Width::kScalar, FlopKind::kAdd);

constexpr uint64_t kNoValue = UINT64_MAX;

// root > "a" (team) > "b" (thread region)
class FoldTest : public testing::Test {
 protected:
  FoldTest() {
    input_.nodes = {
        {}, {0, 1, RegionKind::kTeam, "f.c", 3, 2}, {1, 2, RegionKind::kThread, "f.c", 5, 0}};
    input_.names = {"", "a", "b"};
    for (MetricSource& source : profile_.sources) source = {"test", Status::kMeasured, ""};
  }
  void AddThread(ThreadPathTotals a, ThreadPathTotals b) { input_.threads.push_back({{}, a, b}); }
  void AddWorker(uint32_t worker, MetricId id, uint64_t none, uint64_t a, uint64_t b) {
    auto& rows = input_.workers[worker];
    rows.resize(3);
    rows[0][id] = none;
    rows[1][id] = a;
    rows[2][id] = b;
  }
  uint64_t Folded(const char* path, MetricId id) {
    Fold(input_, profile_);
    return profile_.At(static_cast<size_t>(profile_.FindPath(path)), id).min;
  }
  FoldInput input_;
  JobProfile profile_;
};

TEST_F(FoldTest, CountsAreInclusive) {
  AddThread({1, 1, 100}, {2, 2, 50});
  AddWorker(1, kAdds, 1000, 30, 7);
  AddWorker(2, kAdds, 0, 0, 5);
  EXPECT_EQ(Folded("a", kAdds), 42u) << "work outside of regions belongs to no region";
  EXPECT_EQ(Folded("a/b", kAdds), 12u);
  EXPECT_EQ(Folded("a", metric::kWorkerFlopsMax), 37u);
}

uint64_t Whole(const JobProfile& job, WholeRow row, MetricId id) {
  const Cell& cell = job.whole.At(static_cast<size_t>(row), id);
  return cell.ranks == 0 ? kNoValue : cell.min;
}

TEST_F(FoldTest, TheProgramHasAllWorkAndTheOutsideWhatNoRegionHas) {
  input_.program_ns = 400;
  input_.outside_is_counted = true;
  AddThread({2, 1, 60, 8}, {2, 2, 50, 3});
  AddWorker(1, kAdds, 1000, 30, 7);
  AddWorker(2, kAdds, 500, 0, 5);
  AddWorker(2, InMpi(metric::kInstructionsApart), 9, 4, 0);
  AddWorker(1, metric::kDependenceCycles, 100, 20, 0);
  AddWorker(2, metric::kDependenceCycles, 50, 0, 0);
  Fold(input_, profile_);
  EXPECT_EQ(Whole(profile_, WholeRow::kProgram, metric::kTimeNs), 400u);
  EXPECT_EQ(Whole(profile_, WholeRow::kOutside, metric::kTimeNs), 280u) << "a's visits are scaled";
  EXPECT_EQ(Whole(profile_, WholeRow::kProgram, kAdds), 1500u + 60 + 12);
  EXPECT_EQ(Whole(profile_, WholeRow::kOutside, kAdds), 1500u);
  EXPECT_EQ(Whole(profile_, WholeRow::kProgram, metric::kWorkerFlopsMax), 1067u);
  EXPECT_EQ(Whole(profile_, WholeRow::kOutside, metric::kWorkers), 2u);
  EXPECT_EQ(Whole(profile_, WholeRow::kProgram, InMpi(metric::kInstructionsApart)), 17u);
  EXPECT_EQ(Whole(profile_, WholeRow::kProgram, metric::kInstructions), 0u);
  EXPECT_EQ(Whole(profile_, WholeRow::kProgram, metric::kDeclaredFlops), 11u);
  EXPECT_EQ(Whole(profile_, WholeRow::kProgram, metric::kMpiNs), 0u);
  EXPECT_EQ(Whole(profile_, WholeRow::kProgram, metric::kDependenceCycles), 100u + 2 * 20 + 50);
  EXPECT_EQ(Whole(profile_, WholeRow::kProgram, metric::kWorkerDependenceCyclesMax), 140u);
  EXPECT_EQ(Whole(profile_, WholeRow::kOutside, metric::kDependenceCycles), 150u);
  EXPECT_EQ(Whole(profile_, WholeRow::kOutside, metric::kWorkerDependenceCyclesMax), 100u);
  EXPECT_EQ(profile_.At(0, kAdds).min, 72u) << "regions are as without it";
  EXPECT_EQ(profile_.paths.size(), 2u);
}

TEST_F(FoldTest, AProgramWhoseOutsideWasNotCountedHasNoCounts) {
  input_.program_ns = 400;
  AddThread({1, 1, 100}, {1, 1, 50});
  AddWorker(1, kAdds, 0, 30, 7);
  Fold(input_, profile_);
  EXPECT_EQ(Whole(profile_, WholeRow::kOutside, metric::kTimeNs), 300u);
  EXPECT_EQ(Whole(profile_, WholeRow::kProgram, kAdds), kNoValue);
  EXPECT_EQ(Whole(profile_, WholeRow::kProgram, metric::kFlops), kNoValue);
}

TEST_F(FoldTest, DoubtsOfAnyPathHoldForTheProgram) {
  input_.program_ns = 400;
  input_.outside_is_counted = true;
  AddThread({1, 1, 100}, {1, 1, 50});
  AddWorker(1, kAdds, 10, 30, 7);
  input_.doubts[{2, kAdds}] = Status::kInvalid;
  Fold(input_, profile_);
  EXPECT_EQ(Worst(profile_.whole.At(1, kAdds).status_bits), Status::kInvalid);
  EXPECT_EQ(Worst(profile_.whole.At(0, kAdds).status_bits), Status::kMeasured);
  input_.doubts = {{{0, kAdds}, Status::kScaled}};
  Fold(input_, profile_);
  EXPECT_EQ(Worst(profile_.whole.At(1, kAdds).status_bits), Status::kScaled);
  EXPECT_EQ(Worst(profile_.whole.At(0, kAdds).status_bits), Status::kScaled);
}

TEST_F(FoldTest, TimeOfAThreadRegionIsTheSlowestThreads) {
  input_.ns_per_tick = 2;
  AddThread({1, 1, 100}, {1, 1, 30});
  AddThread({}, {1, 1, 45});
  EXPECT_EQ(Folded("a", metric::kTimeNs), 200u);
  EXPECT_EQ(Folded("a/b", metric::kTimeNs), 90u);
  EXPECT_EQ(Folded("a/b", metric::kVisits), 2u);
}

TEST_F(FoldTest, MarkersOfTheBusiestThreadCountInAllAroundThem) {
  input_.marker_pair_ps = 20'000;
  AddThread({1, 1, 100}, {2, 2, 50});
  AddThread({}, {5, 5, 45});
  EXPECT_EQ(Folded("a/b", metric::kMarkerNs), 100u);
  EXPECT_EQ(Folded("a", metric::kMarkerNs), 100u) << "the threads' markers run side by side";
  AddThread({3, 3, 100}, {7, 1, 50});
  EXPECT_EQ(Folded("a", metric::kMarkerNs), 200u) << "visits that were not measured cost too";
}

TEST_F(FoldTest, EachPathIsScaledByItsOwnVisits) {
  AddThread({10, 2, 100}, {20, 20, 40});
  AddWorker(1, kAdds, 0, 6, 8);
  EXPECT_EQ(Folded("a/b", kAdds), 8u) << "measured at every visit";
  EXPECT_EQ(Folded("a", kAdds), 6u * 5 + 8);
  EXPECT_EQ(Folded("a", metric::kTimeNs), 500u);
}

TEST_F(FoldTest, TimeInsideMpiIsInclusiveAndOfTheThreadThatSpentMost) {
  ThreadPathTotals a{1, 1, 100}, b{2, 2, 50};
  a.mpi_ticks = 10;
  b.mpi_ticks = 20;
  AddThread(a, b);
  ThreadPathTotals comes_from_outside;  // a thread that entered no region of its own
  comes_from_outside.mpi_ticks = 25;
  AddThread(comes_from_outside, {});
  EXPECT_EQ(Folded("a", metric::kMpiNs), 30u);
  EXPECT_EQ(Folded("a", metric::kOutsideMpiNs), 70u);
  EXPECT_EQ(Folded("a/b", metric::kMpiNs), 20u);
  EXPECT_EQ(Folded("a/b", metric::kOutsideMpiNs), 30u);
}

TEST_F(FoldTest, TimeInsideMpiIsScaledAsTimeIsAndNeverMore) {
  ThreadPathTotals a{10, 2, 100};
  a.mpi_ticks = 30;
  AddThread(a, {});
  EXPECT_EQ(Folded("a", metric::kMpiNs), 150u);
  EXPECT_EQ(Folded("a", metric::kOutsideMpiNs), 350u);
  ThreadPathTotals helper;  // waits for messages longer than the region lasts
  helper.mpi_ticks = 1000;
  AddThread(helper, {});
  EXPECT_EQ(Folded("a", metric::kMpiNs), 500u);
  EXPECT_EQ(Folded("a", metric::kOutsideMpiNs), 0u);
}

TEST_F(FoldTest, ParallelRegionsAreOfThoseWhoBeganThem) {
  ThreadPathTotals a{10, 2, 100}, b{4, 4, 50};
  a.parallel_ticks = 20;
  a.team_ticks = 40;
  a.busy_ticks = 30;
  a.busiest_ticks = 18;
  b.parallel_ticks = 10;
  b.team_ticks = 20;
  b.busy_ticks = 20;
  b.busiest_ticks = 10;
  AddThread(a, b);
  EXPECT_EQ(Folded("a/b", metric::kOpenMpWaitNs), 0u);
  EXPECT_EQ(Folded("a", metric::kParallelNs), 5u * 20 + 10) << "a fifth of the visits was measured";
  EXPECT_EQ(Folded("a", metric::kOpenMpBusyNs), 5u * 30 + 20);
  EXPECT_EQ(Folded("a", metric::kOpenMpBusiestNs), 5u * 18 + 10);
  EXPECT_EQ(Folded("a", metric::kOpenMpWaitNs), 5u * 10);
  ThreadPathTotals helper;  // has a team of its own meanwhile
  helper.parallel_ticks = 1000;
  helper.team_ticks = 3000;
  helper.busy_ticks = 1000;
  AddThread(helper, {});
  EXPECT_EQ(Folded("a", metric::kParallelNs), 500u) << "never more than its time";
  EXPECT_EQ(Folded("a", metric::kOpenMpBusyNs), 170u + 1000);
  EXPECT_EQ(Folded("a", metric::kOpenMpWaitNs), 50u + 2000);
}

TEST_F(FoldTest, TheProgramWaitsInItsRegionsAndOutsideOfThem) {
  input_.program_ns = 1000;
  ThreadPathTotals outside, a{10, 2, 100};
  outside.mpi_ticks = 7;
  outside.parallel_ticks = 50;
  outside.team_ticks = 100;
  outside.busy_ticks = 60;
  outside.busiest_ticks = 40;
  a.mpi_ticks = 30;
  a.team_ticks = 20;
  a.busy_ticks = 20;
  input_.threads.push_back({outside, a});
  Fold(input_, profile_);
  EXPECT_EQ(Whole(profile_, WholeRow::kProgram, metric::kMpiNs), 5u * 30 + 7);
  EXPECT_EQ(Whole(profile_, WholeRow::kProgram, metric::kOutsideMpiNs), 1000u - 157);
  EXPECT_EQ(Whole(profile_, WholeRow::kOutside, metric::kMpiNs), 7u);
  EXPECT_EQ(Whole(profile_, WholeRow::kOutside, metric::kOutsideMpiNs), 500u - 7);
  EXPECT_EQ(Whole(profile_, WholeRow::kProgram, metric::kParallelNs), 50u);
  EXPECT_EQ(Whole(profile_, WholeRow::kProgram, metric::kOpenMpBusyNs), 5u * 20 + 60);
  EXPECT_EQ(Whole(profile_, WholeRow::kOutside, metric::kOpenMpBusyNs), 60u);
  EXPECT_EQ(Whole(profile_, WholeRow::kOutside, metric::kOpenMpWaitNs), 40u);
}

TEST_F(FoldTest, WhatTheKernelDidIsOfAllThreadsAndInclusive) {
  input_.program_ns = 1000;
  input_.kernel = {.page_faults = 500, .system_ns = 600, .preemptions = 9};
  ThreadPathTotals a{10, 2, 100}, b{4, 4, 50}, helper{1, 1, 10};
  a.kernel = {.page_faults = 30, .system_ns = 20, .preemptions = 1};
  b.kernel = {.page_faults = 7, .system_ns = 5, .preemptions = 0};
  helper.kernel = {.page_faults = 2, .system_ns = 3, .preemptions = 1};
  AddThread(a, b);
  AddThread({}, helper);
  EXPECT_EQ(Folded("a/b", metric::kPageFaults), 9u);
  EXPECT_EQ(Folded("a", metric::kPageFaults), 5u * 30 + 9) << "a fifth of the visits was measured";
  EXPECT_EQ(Folded("a", metric::kSystemNs), 5u * 20 + 8);
  EXPECT_EQ(Folded("a", metric::kPreemptions), 5u * 1 + 1);
  EXPECT_EQ(Whole(profile_, WholeRow::kProgram, metric::kPageFaults), 500u);
  EXPECT_EQ(Whole(profile_, WholeRow::kOutside, metric::kPageFaults), 500u - 159);
  EXPECT_EQ(Whole(profile_, WholeRow::kOutside, metric::kSystemNs), 600u - 108);
}

TEST_F(FoldTest, WorkersAreTheTeamAndWhoeverElseWorks) {
  AddThread({1, 1, 1}, {1, 1, 1});
  AddWorker(1, kAdds, 0, 1000, 0);
  EXPECT_EQ(Folded("a", metric::kWorkers), 2u) << "an idle team member counts";
  AddWorker(2, kAdds, 0, 900, 0);
  AddWorker(3, kAdds, 0, 800, 0);
  AddWorker(4, kAdds, 0, 3, 0);  // a helper thread: below 1 % of the busiest
  EXPECT_EQ(Folded("a", metric::kWorkers), 3u);
}

TEST_F(FoldTest, DeclaredWorkIsInclusiveAndAbsentWhereNobodyDeclared) {
  AddThread({1, 1, 1, 0, 0}, {1, 1, 1, 5, 50});
  EXPECT_EQ(Folded("a", metric::kDeclaredFlops), 5u);
  input_.threads.clear();
  AddThread({1, 1, 1, 4, 40}, {1, 1, 1, 0, 0});
  Fold(input_, profile_);
  EXPECT_EQ(profile_.At(1, metric::kDeclaredFlops).ranks, 0u);
}

TEST_F(FoldTest, OperationsAreOfOneKindAPath) {
  input_.operations = {{7, "updates"}, {8, "exchanges"}};
  ThreadPathTotals outer, inner;
  outer.visits = outer.measured = inner.visits = inner.measured = 1;
  inner.operations = 5;
  inner.operation = 7;
  AddThread(outer, inner);
  EXPECT_EQ(Folded("a/b", metric::kDeclaredOperations), 5u);
  EXPECT_EQ(Folded("a", metric::kDeclaredOperations), 5u) << "all below it have the same kind";
  EXPECT_EQ(profile_.paths[0].operation, "updates");
  // A second thread declares another kind there, which is left out.
  ThreadPathTotals other = inner;
  other.operations = 3;
  other.operation = 8;
  AddThread(outer, other);
  EXPECT_EQ(Folded("a/b", metric::kDeclaredOperations), 5u);
  // The outer region has a kind of its own: exchanges are no updates.
  input_.threads[0][1].operation = 8;
  input_.threads[0][1].operations = 2;
  EXPECT_EQ(Folded("a", metric::kDeclaredOperations), 2u);
  EXPECT_EQ(profile_.paths[0].operation, "exchanges");
  EXPECT_EQ(Folded("a/b", metric::kDeclaredOperations), 5u);
}

TEST_F(FoldTest, ACriticalPlaceIsThatWithMostCyclesInThePathAndBelow) {
  AddThread({1, 1, 1}, {1, 1, 1});
  input_.critical[2] = {"inner.c", 7, 100, 200};
  Fold(input_, profile_);
  EXPECT_EQ(profile_.paths[0].path, "a");
  EXPECT_EQ(profile_.paths[0].critical.file, "inner.c");
  EXPECT_EQ(profile_.paths[1].critical.line, 7u);
  input_.critical[1] = {"outer.c", 3, 101, 400};
  Fold(input_, profile_);
  EXPECT_EQ(profile_.paths[0].critical.file, "outer.c");
  EXPECT_EQ(profile_.paths[0].critical.of_cycles, 400u);
  EXPECT_EQ(profile_.paths[1].critical.file, "inner.c");
}

TEST_F(FoldTest, MetricsWithoutSourceHaveNoCell) {
  profile_.sources[kAdds] = {"", Status::kUnsupported, "no counter"};
  AddThread({1, 1, 1}, {});
  Fold(input_, profile_);
  EXPECT_EQ(profile_.At(0, kAdds).ranks, 0u);
  EXPECT_EQ(profile_.At(0, metric::kVisits).ranks, 1u);
}

}  // namespace
}  // namespace roofmark
