// SPDX-License-Identifier: BSD-3-Clause
//
// The markers' clock: the cheapest monotonic counter of the CPU, calibrated against
// CLOCK_MONOTONIC over the life of the run (never from CPUID: virtual machines report 0 there).
#ifndef ROOFMARK_LIB_CORE_CLOCK_H_
#define ROOFMARK_LIB_CORE_CLOCK_H_

#include <time.h>

#include <cstdint>

namespace roofmark {

inline uint64_t NowNs() noexcept {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(now.tv_nsec);
}

// ~10 ns. Not serialising: short regions blur by the depth of the pipeline, which is less than a
// fence would cost. Synchronous over the cores of a node wherever the kernel uses the same counter.
inline uint64_t Ticks() noexcept {
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
