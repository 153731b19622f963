// SPDX-License-Identifier: BSD-3-Clause
//
// libpfm4, which knows thousands of event names; optional when roofmark is built (its headers) and
// when it runs (the library, loaded when it is first asked).
#ifndef ROOFMARK_COLLECTORS_HARDWARE_EVENTS_LIBPFM_H_
#define ROOFMARK_COLLECTORS_HARDWARE_EVENTS_LIBPFM_H_

#include <cstdint>
#include <string>
#include <vector>

#include "collectors/hardware/events/format.h"
#include "lib/core/result.h"

namespace roofmark::events {

struct PfmEncoding {
  uint32_t type = 0;  // perf_event_attr.type
  ConfigWords config = {};
  int cpu = -1;      // from ":cpu=N" in the name, else -1
  std::string name;  // in full: "spr::FP_ARITH_INST_RETIRED:SCALAR_DOUBLE:..."
};

// Loads and initialises libpfm4 at the first call (some 1 ms) and never shuts it down: PAPI may
// share it. Thread-safe; libpfm4 itself is not. Names of PMUs that this machine does not have are
// errors, unless LIBPFM_ENCODE_INACTIVE is set.
Result<PfmEncoding> EncodePfmName(const std::string& name);

// All names, "skx::INST_RETIRED", of the PMUs that libpfm4 finds on this machine.
std::vector<std::string> PfmNames();

// Empty if libpfm4 can be used, else why not.
std::string WhyNoLibpfm();

}  // namespace roofmark::events

#endif  // ROOFMARK_COLLECTORS_HARDWARE_EVENTS_LIBPFM_H_
