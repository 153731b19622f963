// SPDX-License-Identifier: BSD-3-Clause
//
// Whether this machine's clock is one that exact times can be asked of. Virtual machines exist
// whose CPUs' time-stamp counters are milliseconds apart, unknown to their kernel.
#ifndef ROOFMARK_TESTS_SUPPORT_CLOCKS_H_
#define ROOFMARK_TESTS_SUPPORT_CLOCKS_H_

#include <sched.h>

#include "lib/core/clock.h"

namespace roofmark::test {

inline constexpr char kTicksDisagree[] =
    "times of threads that change CPUs are wrong here: the CPUs' time-stamp counters disagree";

// By this thread on one CPU, on another, and on the first again: each of some rounds shows a
// counter that went back where they are further apart than such a change takes.
inline bool MeasureTicksAgree() {
  cpu_set_t all;
  if (TicksAreNs() || sched_getaffinity(0, sizeof all, &all) != 0) return true;
  const auto on = [](int cpu) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    sched_setaffinity(0, sizeof one, &one);
    return CpuCounter();
  };
  int first = 0;
  while (!CPU_ISSET(first, &all)) ++first;
  bool agree = true;
  for (int cpu = first + 1; cpu < CPU_SETSIZE && agree; ++cpu) {
    if (!CPU_ISSET(cpu, &all)) continue;
    constexpr int kRounds = 3;
    int back = 0;
    for (int round = 0; round < kRounds; ++round) {
      const uint64_t before = on(first), there = on(cpu), after = on(first);
      back += there < before || after < there;
    }
    agree = back < kRounds;
  }
  sched_setaffinity(0, sizeof all, &all);
  return agree;
}

// Measured once.
inline bool TicksAgree() {
  static const bool agree = MeasureTicksAgree();
  return agree;
}

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_SUPPORT_CLOCKS_H_
