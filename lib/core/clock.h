// SPDX-License-Identifier: BSD-3-Clause
//
// The markers' clock: the cheapest monotonic counter of the CPU, calibrated against
// CLOCK_MONOTONIC over the life of the run (never from CPUID: virtual machines report 0 there).
// Where Linux itself does not take its time from that counter, because the CPUs of a virtual
// machine or of several boards disagree, the markers do not either.
#ifndef ROOFMARK_LIB_CORE_CLOCK_H_
#define ROOFMARK_LIB_CORE_CLOCK_H_

#include <time.h>

#include <atomic>
#include <cstdint>

namespace roofmark {

inline uint64_t NowNs() noexcept {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(now.tv_nsec);
}

// The CPU's own counter, whether or not the CPUs agree. Not serialising: short regions blur by the
// depth of the pipeline, which is less than a fence would cost.
inline uint64_t CpuCounter() noexcept {
#if defined(__x86_64__)
  uint32_t low, high;
  asm volatile("rdtsc" : "=a"(low), "=d"(high));
  return (static_cast<uint64_t>(high) << 32) | low;
#elif defined(__aarch64__)
  uint64_t ticks;
  asm volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
  return NowNs();
#endif
}

// What ticks are read from.
enum class TickSource { kUnknown, kCpuCounter, kKernel };
namespace clock_internal {
inline constinit std::atomic<TickSource> source{TickSource::kUnknown};
uint64_t TicksOtherwise() noexcept;
}  // namespace clock_internal

// By the kernel's word in `file` (current_clocksource): the CPU's counter if it uses that, or if it
// does not say. Other architectures than x86 have one counter for all CPUs.
TickSource TickSourceBy(const char* file) noexcept;

// ~10 ns, where the kernel must be asked ~25. Synchronous over the CPUs of a node. The first call
// in a process opens a file for a moment; errno stays.
inline uint64_t Ticks() noexcept {
  const TickSource source = clock_internal::source.load(std::memory_order_relaxed);
  if (__builtin_expect(source != TickSource::kCpuCounter, 0)) {
    return clock_internal::TicksOtherwise();
  }
  return CpuCounter();
}
bool TicksAreNs() noexcept;

// Ticks of a thread from `begin` to `end`; 0 if its counter went back, because the CPUs' counters
// disagree and the kernel did not notice.
inline uint64_t TicksBetween(uint64_t begin, uint64_t end) noexcept {
  return end > begin ? end - begin : 0;
}

// Pairs of both clocks, taken as closely together as scheduling allows.
struct ClockPair {
  uint64_t ticks = 0;
  uint64_t ns = 0;
};
ClockPair ReadClocks() noexcept;

// Nanoseconds per tick between `start` and now. If less than 2 ms have passed it waits for them,
// so that the error stays below 1e-4.
double NsPerTick(const ClockPair& start) noexcept;

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_CLOCK_H_
