// SPDX-License-Identifier: BSD-3-Clause
//
// What the OpenMP runtime of the process says, if there is one. roofmark links none.
#ifndef ROOFMARK_MARKERS_OPENMP_QUERY_H_
#define ROOFMARK_MARKERS_OPENMP_QUERY_H_

#include <atomic>
#include <cstdint>

namespace roofmark::markers {

// Thread-safe.
class OpenMpQuery {
 public:
  // Looks for the runtime. At start, and again by Threads(): a runtime may be loaded later.
  void Find() noexcept;
  // omp_get_level(); 0 without a runtime. One load and a call.
  int Level() const noexcept {
    const Query query = level_.load(std::memory_order_relaxed);
    return query == nullptr ? 0 : query();
  }
  // omp_get_max_threads(), at least 1. Looks for the runtime first, which takes a lock.
  uint32_t Threads() noexcept;

 private:
  using Query = int (*)();
  std::atomic<Query> level_{nullptr}, threads_{nullptr};
};

}  // namespace roofmark::markers

#endif  // ROOFMARK_MARKERS_OPENMP_QUERY_H_
