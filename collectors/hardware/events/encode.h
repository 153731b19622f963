// SPDX-License-Identifier: BSD-3-Clause
//
// From an event of the table, or one that a user wrote, to what perf_event_open takes.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_EVENTS_ENCODE_H_
#define ROOFMARK_COLLECTORS_HARDWARE_EVENTS_ENCODE_H_

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "collectors/hardware/events/format.h"
#include "collectors/hardware/events/sysfs.h"
#include "collectors/hardware/events/table.h"
#include "lib/core/metric.h"
#include "lib/core/result.h"

namespace roofmark::events {

struct EncodedEvent {
  std::string name;    // "uncore_imc_3/event=0x04,umask=0x03/": for messages and files
  std::string device;  // empty for events that are no device's (software events by libpfm4's name)
  uint32_t type = 0;   // perf_event_attr.type
  ConfigWords config = {};
  // kThread: open with the thread's id and cpu -1. kPackage: open with pid -1 on each of `cpus`,
  // once per machine; the values of all add up.
  Scope scope = Scope::kThread;
  std::set<uint32_t> cpus;
  // The kernel's unit of a named event; a term's weight replaces it for events of the table.
  double scale = 1;
  std::string unit;
};

struct Encoding {
  std::vector<EncodedEvent> events;  // one per device: to be summed
  std::vector<std::string> notes;    // phantom devices, disagreement with the kernel; sentences
};

// A table's event on every device of its pattern. Where the kernel lists the event by name, its
// own encoding is taken, and a note says so if the table's differs.
Result<Encoding> EncodeTableEvent(const Sysfs& sysfs, const Event& event);

// "device/event=...,umask=.../", "device/name/" (with the kernel's scale and unit), or a name that
// libpfm4 knows. Errors name the text, the field and what would be right.
Result<Encoding> EncodeUserEvent(const Sysfs& sysfs, const std::string& text);

}  // namespace roofmark::events

#endif  // ROOFMARK_COLLECTORS_HARDWARE_EVENTS_ENCODE_H_
