// SPDX-License-Identifier: BSD-3-Clause
//
// From two readings of raw totals to what happened between them, and from the sum of such
// differences to a number that may be shown. Pure: no system calls, no state.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_THREADS_DELTA_H_
#define ROOFMARK_COLLECTORS_HARDWARE_THREADS_DELTA_H_

#include <cstdint>
#include <string_view>

#include "lib/core/status.h"

namespace roofmark::threads {

// What one event gave at one moment.
struct Total {
  uint64_t value = 0, enabled_ns = 0, running_ns = 0;
};

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

// Invalid, and zero, if a total or a time ran backwards (a counter that wrapped at 48 bits too), or
// if more was counted than a core can do.
Sum Difference(const Total& before, const Total& after) noexcept;

struct Estimate {
  uint64_t value = 0;  // 0 unless HasValue(status)
  Status status = Status::kMeasured;
  double share = 1;         // of the time in which the event was on a counter
  std::string_view reason;  // for a status without value
};

// Scaled up to the whole time by enabled / running, rounded to nearest.
Estimate Scale(const Sum& sum) noexcept;

}  // namespace roofmark::threads

#endif  // ROOFMARK_COLLECTORS_HARDWARE_THREADS_DELTA_H_
