// SPDX-License-Identifier: BSD-3-Clause
//
// PAPI itself: loaded and initialised when it is first asked, shared with the application if that
// uses PAPI too, never shut down. Event codes are PAPI's: fixed for presets, of this process for
// native events.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_PAPI_API_H_
#define ROOFMARK_COLLECTORS_HARDWARE_PAPI_API_H_

#include <cstddef>
#include <string>
#include <vector>

#include "lib/core/result.h"

namespace roofmark::papi {

// Definition of an event on this CPU.
struct Definition {
  int code = 0;
  std::vector<std::string> natives;  // whose counts it is made of: itself, if it is none of PAPI's
  std::string derived;               // "NOT_DERIVED", "DERIVED_ADD", "DERIVED_POSTFIX", ...
  std::string postfix;               // "N0|N1|2|*|+|"
};

// Empty, or one sentence: why nothing at all can be had of PAPI here, with the cure where there is
// one. Thread-safe; the first call initialises PAPI (some 10 ms).
std::string WhyNoLibrary();
// Likewise: why PAPI cannot count threads here.
std::string WhyNoPapi();

// "PAPI 7.0.0", for files. Only if WhyNoLibrary() is empty.
std::string Version();

// All below: only if WhyNoPapi() is empty.

// The error says whether PAPI does not know the name at all, with the nearest that it knows, or
// only not on this CPU. Events of PAPI's other components (network, power) count no threads:
// errors.
Result<Definition> FindEvent(const std::string& name);
// A sentence for one of PAPI's error codes.
std::string ExplainError(int error, bool with_kernel);

}  // namespace roofmark::papi

#endif  // ROOFMARK_COLLECTORS_HARDWARE_PAPI_API_H_
