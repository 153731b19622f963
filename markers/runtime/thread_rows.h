// SPDX-License-Identifier: BSD-3-Clause
//
// What each thread of the process did, for ROOFMARK_DETAIL=threads. Markers and collectors know
// threads by numbers of their own, so a thread that was both marked and counted has a row of each
// kind.
#ifndef ROOFMARK_MARKERS_RUNTIME_THREAD_ROWS_H_
#define ROOFMARK_MARKERS_RUNTIME_THREAD_ROWS_H_

#include <array>
#include <cstdint>
#include <vector>

#include "lib/fold/fold.h"
#include "lib/profile/profile.h"
#include "markers/runtime/runtime.h"

namespace roofmark::runtime {

class ThreadRows {
 public:
  // Threads that never were in a region have no row.
  ThreadRows(FoldInput input, const std::array<MetricSource, kMetrics>& sources);

  size_t size() const { return labels_.size(); }
  const ThreadLabel& label(size_t row) const { return labels_[row]; }
  // The process's profile as Fold() makes it, if this thread alone had been there. Of a marked
  // thread: visits, times, declared work; of a counted one: what was counted.
  JobProfile Fold(size_t row) const;

 private:
  FoldInput Common() const;
  JobProfile FoldMarked(uint32_t thread) const;
  JobProfile FoldCounted(uint32_t worker) const;

  FoldInput input_;
  std::array<MetricSource, kMetrics> sources_;
  std::vector<ThreadLabel> labels_;
};

}  // namespace roofmark::runtime

#endif  // ROOFMARK_MARKERS_RUNTIME_THREAD_ROWS_H_
