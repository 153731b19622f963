// SPDX-License-Identifier: BSD-3-Clause
//
// What an event counted during some time, and the number that may be shown for it. Pure.
#ifndef ROOFMARK_LIB_COUNTS_SUM_H_
#define ROOFMARK_LIB_COUNTS_SUM_H_

#include <cstdint>
#include <string_view>

#include "lib/core/status.h"

namespace roofmark::counts {

// Sum of the differences of one event, raw: it is scaled once, when it is shown (Estimate), so that
// neither rounding nor an interval in which the event waited adds up to an error.
struct Sum {
  uint64_t value = 0, enabled_ns = 0, running_ns = 0;
  bool invalid = false;  // a part of it is missing or was out of range

  void Add(const Sum& other) noexcept {
    value += other.value;
    enabled_ns += other.enabled_ns;
    running_ns += other.running_ns;
    invalid |= other.invalid;
  }
};

struct Estimate {
  uint64_t value = 0;  // 0 unless HasValue(status)
  Status status = Status::kMeasured;
  double share = 1;         // of the time in which the event was on a counter
  std::string_view reason;  // for a status without value
};

// Scaled up to the whole time by enabled / running, rounded to nearest.
Estimate Scale(const Sum& sum) noexcept;

}  // namespace roofmark::counts

#endif  // ROOFMARK_LIB_COUNTS_SUM_H_
