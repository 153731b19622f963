// SPDX-License-Identifier: BSD-3-Clause
//
// Prints the ns of a pair of markers, the lowest of many batches: whatever else the machine does
// only lengthens them.
#include <roofmark/roofmark.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

int main() {
  constexpr int kBatches = 200, kPairs = 2000;
  double lowest = 1e9;
  for (int batch = 0; batch < kBatches; ++batch) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < kPairs; ++i) {
      ROOF_REGION_BEGIN("pair");
      ROOF_REGION_END("pair");
    }
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
    lowest = std::min(lowest, took.count() / kPairs);
  }
  std::printf("%.3f\n", lowest);
}
