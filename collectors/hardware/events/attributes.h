// SPDX-License-Identifier: BSD-3-Clause
//
// An encoded event as perf_event_open takes it.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_EVENTS_ATTRIBUTES_H_
#define ROOFMARK_COLLECTORS_HARDWARE_EVENTS_ATTRIBUTES_H_

#include <linux/perf_event.h>

#include "collectors/hardware/events/encode.h"

namespace roofmark::events {

inline perf_event_attr Attributes(const EncodedEvent& event) {
  perf_event_attr attr{};
  attr.type = event.type;
  attr.config = event.config[0];
  attr.config1 = event.config[1];
  attr.config2 = event.config[2];
  return attr;
}

inline bool SameEvent(const perf_event_attr& a, const perf_event_attr& b) {
  return a.type == b.type && a.config == b.config && a.config1 == b.config1 &&
         a.config2 == b.config2;
}

}  // namespace roofmark::events

#endif  // ROOFMARK_COLLECTORS_HARDWARE_EVENTS_ATTRIBUTES_H_
