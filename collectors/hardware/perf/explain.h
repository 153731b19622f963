// SPDX-License-Identifier: BSD-3-Clause
//
// Why perf_event_open said no: a sentence with the cause and the cure.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_PERF_EXPLAIN_H_
#define ROOFMARK_COLLECTORS_HARDWARE_PERF_EXPLAIN_H_

#include <string>

#include "lib/core/status.h"

namespace roofmark::perf {

struct Explanation {
  Status status;  // kDenied or kUnsupported
  std::string reason;
};

// `error`: errno of perf_event_open. Reads /proc/sys/kernel/perf_event_paranoid.
Explanation ExplainOpen(int error, bool with_kernel);

// As ExplainOpen, of an event on a device outside the cores, which counts for everybody.
Explanation ExplainDevice(int error);

// The event opens, but never gets a counter.
Explanation ExplainNeverRuns();

}  // namespace roofmark::perf

#endif  // ROOFMARK_COLLECTORS_HARDWARE_PERF_EXPLAIN_H_
