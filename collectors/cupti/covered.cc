// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/cupti/covered.h"

#include <algorithm>

namespace roofmark::cupti {

uint64_t Covered(std::vector<Interval> intervals) {
  std::sort(intervals.begin(), intervals.end(),
            [](const Interval& a, const Interval& b) { return a.start < b.start; });
  uint64_t covered = 0, until = 0;
  for (const Interval& each : intervals) {
    const uint64_t from = std::max(each.start, until);
    if (each.end > from) covered += each.end - from;
    until = std::max(until, each.end);
  }
  return covered;
}

}  // namespace roofmark::cupti
