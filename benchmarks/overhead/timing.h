// SPDX-License-Identifier: BSD-3-Clause
//
// What the benchmarks of this folder measure with.
#ifndef ROOFMARK_BENCHMARKS_OVERHEAD_TIMING_H_
#define ROOFMARK_BENCHMARKS_OVERHEAD_TIMING_H_

#include <time.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "lib/core/clock.h"

namespace roofmark::overhead {

// ns of one `work()`, the mean of so many in a row.
template <typename Work>
double NsOf(int times, Work work) {
  const uint64_t start = NowNs();
  for (int i = 0; i < times; ++i) work();
  return static_cast<double>(NowNs() - start) / times;
}

// The same in CPU time of this thread, the kernel's part included: other programs lengthen it
// least.
template <typename Work>
double CpuNsOf(int times, Work work) {
  const auto now = [] {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return 1e9 * static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec);
  };
  const double start = now();
  for (int i = 0; i < times; ++i) work();
  return (now() - start) / times;
}

// The upper one of an even number of values; 0 of none.
inline double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[values.size() / 2];
}

}  // namespace roofmark::overhead

#endif  // ROOFMARK_BENCHMARKS_OVERHEAD_TIMING_H_
