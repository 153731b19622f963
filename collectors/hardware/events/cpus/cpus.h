// SPDX-License-Identifier: BSD-3-Clause
//
// One row for each CPU of list.inc. To add one: its file, its line in the list, and a fixture of
// its name in tests/collectors/hardware/events/fixtures.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_EVENTS_CPUS_CPUS_H_
#define ROOFMARK_COLLECTORS_HARDWARE_EVENTS_CPUS_CPUS_H_

#include <string_view>

#include "collectors/hardware/events/cpu.h"
#include "collectors/hardware/events/table.h"

namespace roofmark::events {

struct Cpu {
  std::string_view key, title;  // see CpuKey() and CpuTitle()
  bool (*is)(const CpuFacts& facts);
  // The same core in a desktop or laptop part; nullptr if it has no table.
  bool (*is_client)(const CpuFacts& facts);
  // Fills formulas and refusals; `table.cpu` is set.
  void (*fill)(EventTable& table);
};

const Cpu& RowOf(Microarch microarch);

namespace cpus {
#define ROOFMARK_CPU(microarch, row) extern const Cpu row;
#include "collectors/hardware/events/cpus/list.inc"
#undef ROOFMARK_CPU
}  // namespace cpus

}  // namespace roofmark::events

#endif  // ROOFMARK_COLLECTORS_HARDWARE_EVENTS_CPUS_CPUS_H_
