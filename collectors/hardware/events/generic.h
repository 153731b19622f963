// SPDX-License-Identifier: BSD-3-Clause
//
// Events that every kernel knows by number, by the names that perf gives them ("task-clock",
// "instructions"): they need no table of a known CPU, and the software events no counters.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_EVENTS_GENERIC_H_
#define ROOFMARK_COLLECTORS_HARDWARE_EVENTS_GENERIC_H_

#include <cstdint>
#include <span>
#include <string_view>

namespace roofmark::events {

struct GenericEvent {
  std::string_view name;
  uint32_t type;  // perf_event_attr.type
  uint64_t config;
  std::string_view unit;  // "count", "ns"
};

std::span<const GenericEvent> GenericEvents();
// nullptr if there is none; upper and lower case are the same.
const GenericEvent* FindGeneric(std::string_view name);

// Happens inside the kernel: counted in user mode alone it would always be 0.
bool HappensInKernel(uint32_t type, uint64_t config);

}  // namespace roofmark::events

#endif  // ROOFMARK_COLLECTORS_HARDWARE_EVENTS_GENERIC_H_
