// SPDX-License-Identifier: BSD-3-Clause
//
// What one thread counted in the finished visits of each path, where it outlives the process. Until
// a visit ends, its counts wait on the heap: a process that is killed leaves those of whole visits.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_THREADS_KEPT_SUMS_H_
#define ROOFMARK_COLLECTORS_HARDWARE_THREADS_KEPT_SUMS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "collectors/hardware/threads/path_sums.h"
#include "lib/counts/kept_row.h"
#include "lib/counts/store.h"

namespace roofmark::threads {

// Calls are serialised by the caller.
class KeptSums {
 public:
  // `store` and `groups` must outlive this.
  KeptSums(counts::CountStore& store, const std::vector<size_t>& groups, size_t events,
           uint32_t worker);

  // What the thread counts in the visits of `path` that are open, and in those inside them that
  // have ended: one sum for each event. nullptr without memory, which is told to the store.
  Sum* Open(uint32_t path) noexcept;
  // What was counted in it is kept, and belongs to the visit around it, too. Costs a pass over the
  // events; without a count, a look at each.
  void Finish(const counts::FinishedVisit& visit) noexcept;

 private:
  static constexpr uint32_t kChunk = 32, kChunks = kPaths / kChunk;

  roof_kept_row* Row(uint32_t path) noexcept;
  void Write(const Sum* sums, roof_kept_row& row, const counts::FinishedVisit& visit) noexcept;

  counts::CountStore& store_;
  const std::vector<size_t>& groups_;
  const size_t events_, columns_;
  const uint32_t worker_;
  PathSums open_;
  std::array<void*, kChunks> chunks_{};
};

}  // namespace roofmark::threads

#endif  // ROOFMARK_COLLECTORS_HARDWARE_THREADS_KEPT_SUMS_H_
