// SPDX-License-Identifier: BSD-3-Clause
//
// Which events open here, and which of them the CPU can count at the same time: found out by
// opening them for the calling thread.
#ifndef ROOFMARK_COLLECTORS_PERF_EVENT_PACK_H_
#define ROOFMARK_COLLECTORS_PERF_EVENT_PACK_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "collectors/perf_event/counted_thread.h"
#include "collectors/perf_event/explain.h"

namespace roofmark::perf {

struct Packed {
  EventSet set;
  // By event given: its number in `set`, or none and why.
  std::vector<std::optional<size_t>> number;
  std::vector<Explanation> refused;
};

// Events stay in order; each group holds as many as open and run together.
Packed Pack(const std::vector<perf_event_attr>& events, bool with_kernel);

}  // namespace roofmark::perf

#endif  // ROOFMARK_COLLECTORS_PERF_EVENT_PACK_H_
