// SPDX-License-Identifier: BSD-3-Clause
//
// Which events open here, and which of them can be counted at the same time: found out by opening
// them for the calling thread, or on a device.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_PERF_PACK_H_
#define ROOFMARK_COLLECTORS_HARDWARE_PERF_PACK_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "collectors/hardware/perf/explain.h"
#include "collectors/hardware/perf/thread_groups.h"

namespace roofmark::perf {

struct Packed {
  EventSet set;
  // By event given: its number in `set`, or none and why.
  std::vector<std::optional<size_t>> number;
  std::vector<Explanation> refused;
};

// Events stay in order; each group holds as many as open and run together, for the calling thread
// or, with a `cpu`, for everything on it.
Packed Pack(const std::vector<perf_event_attr>& events, bool with_kernel, int cpu = -1);

}  // namespace roofmark::perf

#endif  // ROOFMARK_COLLECTORS_HARDWARE_PERF_PACK_H_
