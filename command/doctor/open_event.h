// SPDX-License-Identifier: BSD-3-Clause
//
// The probe: an event is opened, looked at and closed. Nothing is inferred.
#ifndef ROOFMARK_COMMAND_DOCTOR_OPEN_EVENT_H_
#define ROOFMARK_COMMAND_DOCTOR_OPEN_EVENT_H_

#include <linux/perf_event.h>

#include <cstddef>
#include <vector>

#include "collectors/hardware/events/encode.h"

namespace roofmark::cli {

struct Opened {
  int error = 0;      // errno of the first call that failed
  bool runs = false;  // got a counter within a few time slices
};

// For the calling thread, in user mode only unless `with_kernel`; all in one group.
Opened TryOnThread(const std::vector<perf_event_attr>& group, bool with_kernel);
// For everything on `cpu`, in all modes: devices outside the cores know none.
Opened TryOnCpu(const perf_event_attr& event, int cpu);
// On each CPU of the event's mask, or for this thread: as its scope says. The first failure counts.
Opened TryEvent(const events::EncodedEvent& event);

// perf_event_open with flags that no kernel knows: its errno tells whether the call arrives.
int ErrorOfUnknownFlags();

// May the calling thread read this event without a system call?
bool CanReadInUserMode(const perf_event_attr& event);

struct Capacity {
  size_t opens = 0;  // events of which the kernel takes a group
  size_t runs = 0;   // of which a group gets its counters
};
// With as many copies of `event` as it takes, up to 16.
Capacity CountersFor(const perf_event_attr& event);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_DOCTOR_OPEN_EVENT_H_
