// SPDX-License-Identifier: BSD-3-Clause
//
// Hardware counters of every thread of the process, through the kernel's perf_event interface: raw
// totals, read at the boundaries of regions and turned into sums by path.
#ifndef ROOFMARK_COLLECTORS_PERF_EVENT_PERF_EVENT_H_
#define ROOFMARK_COLLECTORS_PERF_EVENT_PERF_EVENT_H_

#include <memory>

#include "collectors/collector.h"

namespace roofmark {

std::unique_ptr<Collector> MakePerfEventCollector();

}  // namespace roofmark

#endif  // ROOFMARK_COLLECTORS_PERF_EVENT_PERF_EVENT_H_
