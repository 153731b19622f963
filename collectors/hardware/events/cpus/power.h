// SPDX-License-Identifier: BSD-3-Clause
//
// What IBM's POWER9 and POWER10 have in common: core codes as in the kernel's lists for perf.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_EVENTS_CPUS_POWER_H_
#define ROOFMARK_COLLECTORS_HARDWARE_EVENTS_CPUS_POWER_H_

#include "collectors/hardware/events/builders.h"
#include "collectors/hardware/events/cpus/cpus.h"

namespace roofmark::events::power {

// Lines of 128 bytes; no caches.
void AddCore(EventTable& to);

}  // namespace roofmark::events::power

#endif  // ROOFMARK_COLLECTORS_HARDWARE_EVENTS_CPUS_POWER_H_
