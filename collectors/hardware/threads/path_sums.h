// SPDX-License-Identifier: BSD-3-Clause
//
// One thread's sums by path: chunks of paths that appear when a path in them is first seen, so that
// a boundary touches the heap at most once per 64 paths.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_THREADS_PATH_SUMS_H_
#define ROOFMARK_COLLECTORS_HARDWARE_THREADS_PATH_SUMS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "collectors/hardware/threads/delta.h"

namespace roofmark::threads {

// The last path takes work of visits that are not measured, path 0 that outside of all regions.
inline constexpr uint32_t kPaths = 65536;
inline constexpr uint32_t kNotMeasured = kPaths - 1;
constexpr bool IsMeasured(uint32_t path) { return path != 0 && path < kNotMeasured; }

class PathSums {
 public:
  explicit PathSums(size_t events) : events_(events) {}

  // The path's `events` sums; nullptr without memory. `path` < kPaths.
  Sum* Row(uint32_t path) noexcept;
  // nullptr if nobody asked for its row yet.
  Sum* Find(uint32_t path) const noexcept {
    Sum* chunk = chunks_[path / kChunk].get();
    return chunk == nullptr ? nullptr : &chunk[path % kChunk * events_];
  }

  // Calls visit(path, row) for every path whose chunk exists.
  template <typename Visit>
  void ForEach(Visit visit) const {
    for (uint32_t chunk = 0; chunk < kChunks; ++chunk) {
      if (chunks_[chunk] == nullptr) continue;
      for (uint32_t i = 0; i < kChunk; ++i) {
        visit(chunk * kChunk + i, const_cast<const Sum*>(&chunks_[chunk][i * events_]));
      }
    }
  }

 private:
  static constexpr uint32_t kChunk = 64, kChunks = kPaths / kChunk;

  size_t events_;
  std::array<std::unique_ptr<Sum[]>, kChunks> chunks_;
};

}  // namespace roofmark::threads

#endif  // ROOFMARK_COLLECTORS_HARDWARE_THREADS_PATH_SUMS_H_
