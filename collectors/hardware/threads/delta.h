// SPDX-License-Identifier: BSD-3-Clause
//
// From two readings of raw totals to what happened between them. Pure: no system calls, no state.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_THREADS_DELTA_H_
#define ROOFMARK_COLLECTORS_HARDWARE_THREADS_DELTA_H_

#include <cstdint>

#include "lib/counts/sum.h"

namespace roofmark::threads {

// What one event gave at one moment.
struct Total {
  uint64_t value = 0, enabled_ns = 0, running_ns = 0;
};

using counts::Estimate;
using counts::Scale;
using counts::Sum;

// Invalid, and zero, if a total or a time ran backwards (a counter that wrapped at 48 bits too), or
// if more was counted than a core can do.
Sum Difference(const Total& before, const Total& after) noexcept;

}  // namespace roofmark::threads

#endif  // ROOFMARK_COLLECTORS_HARDWARE_THREADS_DELTA_H_
