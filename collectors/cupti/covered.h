// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_COLLECTORS_CUPTI_COVERED_H_
#define ROOFMARK_COLLECTORS_CUPTI_COVERED_H_

#include <cstdint>
#include <vector>

namespace roofmark::cupti {

struct Interval {
  uint64_t start, end;
};

// How long at least one of them lasted. O(n log n).
uint64_t Covered(std::vector<Interval> intervals);

}  // namespace roofmark::cupti

#endif  // ROOFMARK_COLLECTORS_CUPTI_COVERED_H_
