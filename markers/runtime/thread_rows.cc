// SPDX-License-Identifier: BSD-3-Clause
#include "markers/runtime/thread_rows.h"

#include <algorithm>
#include <utility>

namespace roofmark::runtime {
namespace {

bool IsMarked(const std::vector<ThreadPathTotals>& thread) {
  return std::any_of(thread.begin() + 1, thread.end(), [](const ThreadPathTotals& totals) {
    return totals.visits > 0 || totals.declared_flops > 0 || totals.declared_bytes > 0 ||
           totals.operations > 0 || totals.mpi_ticks > 0 || totals.team_ticks > 0 ||
           totals.kernel.page_faults > 0 || totals.kernel.system_ns > 0;
  });
}

bool IsCounted(const std::vector<std::array<uint64_t, kMetrics>>& paths) {
  return std::any_of(paths.begin() + 1, paths.end(), [](const auto& row) {
    return std::any_of(row.begin(), row.end(), [](uint64_t value) { return value > 0; });
  });
}

// What markers totals; all else is counted, or derived from several threads.
bool IsOfMarkers(MetricId id) {
  return (id >= metric::kVisits && id <= metric::kDeclaredOperations) || IsOfWrappers(id) ||
         IsOfKernel(id) || id == metric::kLongestVisitNs || id == metric::kMarkerNs ||
         id == metric::kTimeMarginNs;
}
bool IsOfSeveral(MetricId id) {
  return id == metric::kWorkers || id == metric::kWorkerFlopsMax || id == metric::kWorkerBytesMax ||
         id == metric::kWorkerDependenceCyclesMax;
}

}  // namespace

ThreadRows::ThreadRows(FoldInput input, const std::array<MetricSource, kMetrics>& sources)
    : input_(std::move(input)), sources_(sources) {
  input_.inclusive.clear();
  input_.shared.clear();
  for (size_t thread = 0; thread < input_.threads.size(); ++thread) {
    if (IsMarked(input_.threads[thread])) labels_.push_back({static_cast<uint32_t>(thread), false});
  }
  for (const auto& [worker, paths] : input_.workers) {
    if (!paths.empty() && IsCounted(paths)) labels_.push_back({worker, true});
  }
}

JobProfile ThreadRows::Fold(size_t row) const {
  const ThreadLabel& label = labels_[row];
  return label.counted ? FoldCounted(label.number) : FoldMarked(label.number);
}

// What all threads share.
FoldInput ThreadRows::Common() const {
  FoldInput common;
  common.nodes = input_.nodes;
  common.names = input_.names;
  common.operations = input_.operations;
  common.doubts = input_.doubts;
  common.ns_per_tick = input_.ns_per_tick;
  common.marker_pair_ps = input_.marker_pair_ps;
  common.rank = input_.rank;
  return common;
}

JobProfile ThreadRows::FoldMarked(uint32_t thread) const {
  FoldInput one = Common();
  one.threads = {input_.threads[thread]};
  JobProfile profile;
  for (MetricId id = 0; id < kMetrics; ++id) {
    if (IsOfMarkers(id)) profile.sources[id] = sources_[id];
  }
  roofmark::Fold(one, profile);
  return profile;
}

// All threads stay: they tell how visits were sampled.
JobProfile ThreadRows::FoldCounted(uint32_t worker) const {
  FoldInput one = Common();
  one.threads = input_.threads;
  one.workers = {{worker, input_.workers.at(worker)}};
  JobProfile profile;
  for (MetricId id = 0; id < kMetrics; ++id) {
    if (!IsOfMarkers(id) && !IsOfSeveral(id)) profile.sources[id] = sources_[id];
  }
  roofmark::Fold(one, profile);
  return profile;
}

}  // namespace roofmark::runtime
