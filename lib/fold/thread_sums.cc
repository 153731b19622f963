// SPDX-License-Identifier: BSD-3-Clause
#include "lib/fold/thread_sums.h"

#include <cmath>

namespace roofmark::fold {
namespace {

// As in ThreadPathTotals.
struct TeamTicks {
  uint64_t parallel_ticks = 0, team_ticks = 0, busy_ticks = 0, busiest_ticks = 0;

  void Add(const TeamTicks& other) {
    parallel_ticks += other.parallel_ticks;
    team_ticks += other.team_ticks;
    busy_ticks += other.busy_ticks;
    busiest_ticks += other.busiest_ticks;
  }
};

uint64_t OfAllVisits(const ThreadPathTotals& own, uint64_t value) {
  return own.of_all_visits ? value : ScaleBy(value, own.visits, own.measured);
}

TeamTicks TeamTicksOf(const ThreadPathTotals& own) {
  const auto all = [&own](uint64_t value) { return OfAllVisits(own, value); };
  return {all(own.parallel_ticks), all(own.team_ticks), all(own.busy_ticks),
          all(own.busiest_ticks)};
}

KernelCounts KernelOf(const ThreadPathTotals& own) {
  const auto all = [&own](uint64_t value) { return OfAllVisits(own, value); };
  return {all(own.kernel.page_faults), all(own.kernel.system_ns), all(own.kernel.preemptions)};
}

class ThreadSummer {
 public:
  ThreadSummer(const FoldInput& input, PathSums& sums)
      : in_(input), sums_(sums), paths_(sums.paths()) {}

  void Sum() {
    FindOperations();
    for (const auto& thread : in_.threads) SumThread(thread);
    AddFoundVisits();
    for (size_t p = 1; p < paths_; ++p) {
      sums_.rows[p][metric::kVisits] = sums_.visits[p].all;
      sums_.rows[p][metric::kTimedVisits] = sums_.visits[p].measured;
      LimitWaits(sums_.rows[p]);
    }
  }

 private:
  // Children have higher numbers than their parents.
  void SumThread(std::vector<ThreadPathTotals> inclusive) {
    inclusive.resize(paths_);
    std::vector<uint64_t> mpi_ticks(paths_);
    std::vector<TeamTicks> team_ticks(paths_);
    std::vector<KernelCounts> kernel(paths_);
    for (size_t p = paths_; p-- > 1;) {
      const ThreadPathTotals& totals = inclusive[p];
      const uint32_t parent = in_.nodes[p].parent;
      sums_.visits[p].all += totals.visits;
      sums_.visits[p].measured += totals.measured;
      TakeTimes(sums_.rows[p], totals);
      mpi_ticks[p] += OfAllVisits(totals, totals.mpi_ticks);
      mpi_ticks[parent] += mpi_ticks[p];
      team_ticks[p].Add(TeamTicksOf(totals));
      team_ticks[parent].Add(team_ticks[p]);
      TakeWaits(sums_.rows[p], mpi_ticks[p], team_ticks[p]);
      kernel[p].Add(KernelOf(totals));
      kernel[parent].Add(kernel[p]);
      AddKernel(sums_.rows[p], kernel[p]);
      SumPairs(p, inclusive);
      SumDeclared(p, inclusive);
    }
    if (inclusive.empty()) return;
    const TeamTicks outside = TeamTicksOf(inclusive[0]);
    TakeWaits(sums_.outside(), inclusive[0].mpi_ticks, outside);
    team_ticks[0].Add(outside);
    TakeWaits(sums_.program(), mpi_ticks[0] + inclusive[0].mpi_ticks, team_ticks[0]);
    AddDeclared(sums_.program(), inclusive[0]);
    uint64_t& marker_ns = sums_.program()[metric::kMarkerNs];
    marker_ns = std::max(marker_ns, ScaleBy(inclusive[0].pairs, in_.marker_pair_ps, 1000));
  }

  void TakeTimes(MetricRow& row, const ThreadPathTotals& totals) const {
    row[metric::kPauses] += totals.pauses;
    uint64_t& time = row[metric::kTimeNs];
    time = std::max(time, OfAllVisits(totals, Ns(totals.ticks)));
    uint64_t& margin = row[metric::kTimeMarginNs];
    margin = std::max(margin, Ns(totals.margin_ticks));
    uint64_t& longest = row[metric::kLongestVisitNs];
    longest = std::max(longest, Ns(totals.longest_ticks));
  }

  static void AddDeclared(MetricRow& row, const ThreadPathTotals& totals) {
    row[metric::kDeclaredFlops] += totals.declared_flops;
    row[metric::kDeclaredBytes] += totals.declared_bytes;
  }

  // Declared work is inclusive as measured work is.
  void SumDeclared(size_t path, std::vector<ThreadPathTotals>& inclusive) {
    const ThreadPathTotals& totals = inclusive[path];
    AddDeclared(sums_.rows[path], totals);
    ThreadPathTotals& parent = inclusive[in_.nodes[path].parent];
    parent.declared_flops += totals.declared_flops;
    parent.declared_bytes += totals.declared_bytes;
    if (totals.operation != sums_.operation[path]) return;
    sums_.rows[path][metric::kDeclaredOperations] += totals.operations;
    if (sums_.operation[in_.nodes[path].parent] != totals.operation) return;
    if (parent.operation == 0) parent.operation = totals.operation;
    if (parent.operation == totals.operation) parent.operations += totals.operations;
  }

  void AddFoundVisits() {
    for (const auto& [path, by_worker] : in_.found_visits) {
      uint64_t most = 0;
      for (const auto& [worker, visits] : by_worker) most = std::max(most, visits);
      sums_.visits[path].all += most;
      sums_.visits[path].measured += most;
    }
  }

  uint64_t Ns(uint64_t ticks) const {
    return static_cast<uint64_t>(std::llround(static_cast<double>(ticks) * in_.ns_per_tick));
  }

  // Time inside MPI and in the parallel regions that one thread began, children included.
  void TakeWaits(MetricRow& row, uint64_t mpi_ticks, const TeamTicks& teams) const {
    row[metric::kMpiNs] = std::max(row[metric::kMpiNs], Ns(mpi_ticks));
    row[metric::kParallelNs] = std::max(row[metric::kParallelNs], Ns(teams.parallel_ticks));
    row[metric::kOpenMpBusyNs] += Ns(teams.busy_ticks);
    row[metric::kOpenMpBusiestNs] += Ns(teams.busiest_ticks);
    row[metric::kOpenMpWaitNs] +=
        Ns(teams.team_ticks - std::min(teams.team_ticks, teams.busy_ticks));
  }

  // The threads' markers run side by side: those of the busiest thread count.
  void SumPairs(size_t path, std::vector<ThreadPathTotals>& inclusive) {
    const uint64_t pairs = inclusive[path].visits + inclusive[path].pairs;
    inclusive[in_.nodes[path].parent].pairs += pairs;
    uint64_t& marker_ns = sums_.rows[path][metric::kMarkerNs];
    marker_ns = std::max(marker_ns, ScaleBy(pairs, in_.marker_pair_ps, 1000));
  }

  void FindOperations() {
    constexpr uint32_t kSeveral = ~uint32_t{0};
    std::vector<uint32_t> below(paths_, 0);
    for (const auto& thread : in_.threads) {
      for (size_t p = 1; p < std::min(paths_, thread.size()); ++p) {
        if (sums_.operation[p] == 0) sums_.operation[p] = thread[p].operation;
      }
    }
    for (size_t p = paths_; p-- > 1;) {
      if (sums_.operation[p] == 0 && below[p] != kSeveral) sums_.operation[p] = below[p];
      if (sums_.operation[p] == 0 && below[p] == 0) continue;
      uint32_t& above = below[in_.nodes[p].parent];
      const uint32_t own = sums_.operation[p] == 0 ? kSeveral : sums_.operation[p];
      above = above == 0 || above == own ? own : kSeveral;
    }
  }

  const FoldInput& in_;
  PathSums& sums_;
  const size_t paths_;
};

}  // namespace

void SumThreads(const FoldInput& input, PathSums& sums) { ThreadSummer(input, sums).Sum(); }

}  // namespace roofmark::fold
