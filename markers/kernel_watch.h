// SPDX-License-Identifier: BSD-3-Clause
//
// What the kernel does in each region: page faults, time, preemptions. Asking it takes a system
// call, so only visits are watched that are long beside that: a path's first one on each thread,
// and those that come after a long one.
#ifndef ROOFMARK_MARKERS_KERNEL_WATCH_H_
#define ROOFMARK_MARKERS_KERNEL_WATCH_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "lib/core/kernel_counts.h"

namespace roofmark::markers {

// A sum that all threads of the process add to.
class SharedKernelCounts {
 public:
  void Add(const KernelCounts& counts) noexcept {
    page_faults_.fetch_add(counts.page_faults, std::memory_order_relaxed);
    system_ns_.fetch_add(counts.system_ns, std::memory_order_relaxed);
    preemptions_.fetch_add(counts.preemptions, std::memory_order_relaxed);
  }
  KernelCounts Sum() const noexcept {
    return {page_faults_.load(std::memory_order_relaxed),
            system_ns_.load(std::memory_order_relaxed),
            preemptions_.load(std::memory_order_relaxed)};
  }

 private:
  std::atomic<uint64_t> page_faults_{0}, system_ns_{0}, preemptions_{0};
};

// The watched visits that are open on one thread. Only that thread calls it.
class KernelWatch {
 public:
  // At the thread's start: takes the time of a reading. Before that no visit is long.
  void Start() noexcept;

  // Ticks from which on a visit is long: looking at both of its ends takes 1 % of that.
  uint64_t long_visit() const { return long_visit_; }

  // A visit begins: of a team, which has all threads of the process, or of the thread alone. False:
  // it is not watched, because the thread records nothing or too many watched visits are open.
  bool Begin(KernelCountsOf whose, const SharedKernelCounts& threads) noexcept;
  // The visit that began last ends. What belongs to none of the watched visits in it: nor, of a
  // team's, to those of single threads meanwhile, which are summed in `threads`.
  KernelCounts End(SharedKernelCounts& threads) noexcept;
  // The same, by another thread, or where nobody wants to know.
  void Drop() noexcept { --open_; }

 private:
  // Not the largest number: a visit whose counter went back is longer.
  static constexpr uint64_t kNever = uint64_t{1} << 63;
  struct Visit {
    KernelCountsOf whose;
    KernelCounts at_begin;          // of the process or thread
    KernelCounts threads_at_begin;  // of the sum
    KernelCounts below;             // in watched visits inside
  };

  KernelCounts Read(KernelCountsOf whose) noexcept;

  uint64_t long_visit_ = kNever;
  uint64_t reading_ticks_ = 0;  // running mean
  size_t open_ = 0;
  std::array<Visit, 16> visits_;
};

}  // namespace roofmark::markers

#endif  // ROOFMARK_MARKERS_KERNEL_WATCH_H_
