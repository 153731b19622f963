// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/perf/page.h"

#include <atomic>

#include "lib/core/clock.h"

namespace roofmark::perf {
namespace {

#if defined(__x86_64__)
constexpr bool kHasCounterRead = true;
uint64_t ReadCounter(uint32_t index) noexcept {
  uint32_t low, high;
  asm volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(index));
  return (static_cast<uint64_t>(high) << 32) | low;
}
#else
constexpr bool kHasCounterRead = false;
uint64_t ReadCounter(uint32_t) noexcept { return 0; }
#endif

// Nanoseconds since the kernel last wrote the page's times.
uint64_t SinceUpdate(const volatile perf_event_mmap_page& page) noexcept {
  const uint64_t ticks = CpuCounter();
  const uint32_t shift = page.time_shift;
  const uint64_t rest = ticks & ((uint64_t{1} << shift) - 1);
  return page.time_offset + (ticks >> shift) * page.time_mult + ((rest * page.time_mult) >> shift);
}

}  // namespace

bool CanReadInUserSpace(const perf_event_mmap_page& page) noexcept {
  return kHasCounterRead && page.cap_user_rdpmc != 0;
}

uint64_t AddCounter(int64_t offset, uint64_t counter, unsigned width) noexcept {
  const unsigned unused = 64 - width;
  const int64_t extended = static_cast<int64_t>(counter << unused) >> unused;
  return static_cast<uint64_t>(offset) + static_cast<uint64_t>(extended);
}

bool ReadPage(const perf_event_mmap_page& shared, PageReading& reading) noexcept {
  const volatile perf_event_mmap_page& page = shared;
  uint32_t sequence = 0;
  do {
    sequence = page.lock;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    // Asked anew each time: the kernel withdraws it when the administrator forbids user reads.
    if (page.cap_user_rdpmc == 0 || page.index == 0 || page.pmc_width == 0) return false;
    reading.enabled_ns = page.time_enabled;
    reading.running_ns = page.time_running;
    if (page.cap_user_time != 0) {
      const uint64_t since = SinceUpdate(page);
      reading.enabled_ns += since;
      reading.running_ns += since;
    } else if (reading.enabled_ns != reading.running_ns) {
      return false;
    }
    reading.value = AddCounter(page.offset, ReadCounter(page.index - 1), page.pmc_width);
    std::atomic_signal_fence(std::memory_order_seq_cst);
  } while (page.lock != sequence);
  return true;
}

}  // namespace roofmark::perf
