// SPDX-License-Identifier: BSD-3-Clause
//
// What CUPTI's results mean to a user: a phrase, with the cure where there is one.
#ifndef ROOFMARK_COLLECTORS_CUPTI_ERRORS_H_
#define ROOFMARK_COLLECTORS_CUPTI_ERRORS_H_

#include <string>
#include <string_view>

#include "collectors/cupti/library.h"

namespace roofmark::cupti {

// What lifts the restriction to administrators: for the doctor, too.
inline constexpr char kAllowCure[] =
    "an administrator loads the driver with NVreg_RestrictProfilingToAdminUsers=0, or the program "
    "gets CAP_SYS_ADMIN";

// `call` failed: "cuptiRangeProfilerEnable: ...".
std::string Explain(const Library& library, std::string_view call, CuptiResult result);
// The same of a call of the driver.
std::string ExplainDriver(std::string_view call, DriverResult result);

}  // namespace roofmark::cupti

#endif  // ROOFMARK_COLLECTORS_CUPTI_ERRORS_H_
