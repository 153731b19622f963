// SPDX-License-Identifier: BSD-3-Clause
//
// The first half of Fold(): what a process's threads and workers have of each path, children
// included and scaled to all visits. The second half makes cells of it.
#ifndef ROOFMARK_LIB_FOLD_PATH_SUMS_H_
#define ROOFMARK_LIB_FOLD_PATH_SUMS_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "lib/core/kernel_counts.h"
#include "lib/fold/fold.h"
#include "lib/profile/profile.h"

namespace roofmark::fold {

using MetricRow = std::array<uint64_t, kMetrics>;

struct Visits {
  uint64_t all = 0, measured = 0;
};

struct PathSums {
  explicit PathSums(size_t paths) : rows(paths + 1, MetricRow{}), visits(paths), operation(paths) {}

  size_t paths() const { return visits.size(); }
  MetricRow& program() { return rows.front(); }
  MetricRow& outside() { return rows.back(); }

  std::vector<MetricRow> rows;  // by path; path 0: the program; the last: outside of all paths
  std::vector<Visits> visits;
  std::vector<uint32_t> operation;            // kind of each path's operations; 0: none, or several
  std::array<bool, kMetrics> is_inclusive{};  // what a process or a package has as a whole
  std::map<std::pair<uint32_t, MetricId>, Status> doubts;  // of paths and of all around them
};

// `profile` says of which scope a metric is.
PathSums SumPaths(const FoldInput& input, const JobProfile& profile);

// value * numerator / denominator without overflow, rounded to nearest.
inline uint64_t ScaleBy(uint64_t value, uint64_t numerator, uint64_t denominator) {
  if (numerator == denominator || denominator == 0) return value;
  return static_cast<uint64_t>((static_cast<Sum128>(value) * numerator + denominator / 2) /
                               denominator);
}

inline void AddKernel(MetricRow& row, const KernelCounts& counts) {
  row[metric::kPageFaults] += counts.page_faults;
  row[metric::kSystemNs] += counts.system_ns;
  row[metric::kPreemptions] += counts.preemptions;
}

// Time inside MPI and in parallel regions is a part of the time.
inline void LimitWaits(MetricRow& row) {
  uint64_t& mpi = row[metric::kMpiNs];
  mpi = std::min(mpi, row[metric::kTimeNs]);
  row[metric::kOutsideMpiNs] = row[metric::kTimeNs] - mpi;
  uint64_t& parallel = row[metric::kParallelNs];
  parallel = std::min(parallel, row[metric::kTimeNs]);
}

}  // namespace roofmark::fold

#endif  // ROOFMARK_LIB_FOLD_PATH_SUMS_H_
