// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_LIB_CORE_DISTRIBUTION_H_
#define ROOFMARK_LIB_CORE_DISTRIBUTION_H_

#include <cstdint>

namespace roofmark {

// A value that several ranks or packages have together: what a profile keeps of it.
struct Distribution {
  uint32_t count = 0;  // ranks, or packages
  uint64_t sum = 0, min = 0, max = 0;
  uint32_t min_rank = 0, max_rank = 0;
  double sum_of_squares = 0;

  static Distribution Of(uint64_t value, uint32_t rank) {
    const auto real = static_cast<double>(value);
    return {1, value, value, value, rank, rank, real * real};
  }
};

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_DISTRIBUTION_H_
