// SPDX-License-Identifier: BSD-3-Clause
//
// Samples of one thread by the kernel's event cpu-clock. The kernel writes them into a ring that is
// mapped here, so none costs a system call. No descriptor stays open: the mapping keeps the event,
// whatever the program closes. A forked child does not have the mapping.
#ifndef ROOFMARK_MARKERS_SAMPLES_PERF_RING_H_
#define ROOFMARK_MARKERS_SAMPLES_PERF_RING_H_

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "markers/samples/drained.h"

struct perf_event_mmap_page;

namespace roofmark::samples {

class PerfRing {
 public:
  struct Failure {
    int error = 0;  // errno
    enum class Of : uint8_t { kEvent, kRing } of = Of::kEvent;
  };
  // Of any thread of this process. Some microseconds.
  static std::optional<PerfRing> Open(pid_t tid, uint64_t period_ns, bool with_kernel,
                                      Failure* failure) noexcept;
  ~PerfRing();
  PerfRing(PerfRing&& other) noexcept;
  PerfRing& operator=(PerfRing&& other) noexcept;

  // How many samples the kernel keeps before it drops some.
  static size_t Capacity() noexcept;

  // Adds the addresses of the samples. No system call, except for memory of `addresses`. One thread
  // at a time, which need not be the one that is sampled.
  void Drain(const Addresses& addresses, Drained& drained) noexcept;

 private:
  PerfRing(perf_event_mmap_page* page, size_t bytes) : page_(page), bytes_(bytes) {}
  uint64_t Word(uint64_t at) const noexcept;

  perf_event_mmap_page* page_;  // nullptr: moved from
  size_t bytes_;                // of the ring, a power of two
};

}  // namespace roofmark::samples

#endif  // ROOFMARK_MARKERS_SAMPLES_PERF_RING_H_
