// SPDX-License-Identifier: BSD-3-Clause
//
// Events of PAPI's components that count for a package or a machine and not for a thread: which
// there are, and why one is not there.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_PAPI_COMPONENT_H_
#define ROOFMARK_COLLECTORS_HARDWARE_PAPI_COMPONENT_H_

#include <string>
#include <string_view>
#include <vector>

#include "lib/core/result.h"

namespace roofmark::papi {

struct Native {
  int code = 0;  // of this process
  int component = 0;
};

// PAPI's component for devices outside the cores.
inline constexpr std::string_view kUncore = "perf_event_uncore";

// "pcp" of "pcp:::perfevent...", and kUncore of "skx_unc_imc0::UNC_M_CAS_COUNT:RD:cpu=0".
std::string_view ComponentOf(std::string_view name);

// By its full name. The error, one sentence, says whether PAPI lacks the event or its component, or
// why it has switched the component off. Initialises PAPI.
Result<Native> FindNative(const std::string& name);

// All that a component lists; none if it is not there, or off. Initialises PAPI.
std::vector<std::string> NamesIn(std::string_view component);

}  // namespace roofmark::papi

#endif  // ROOFMARK_COLLECTORS_HARDWARE_PAPI_COMPONENT_H_
