// SPDX-License-Identifier: BSD-3-Clause
//
// Where hardware counters and the counting engine both counted a region: one over the other, and
// what differences to expect.
#ifndef ROOFMARK_LIB_REPORT_CROSS_CHECKS_H_
#define ROOFMARK_LIB_REPORT_CROSS_CHECKS_H_

#include <string>

#include "lib/report/counters.h"

namespace roofmark {

inline constexpr char kCrossChecksTitle[] = "cross-check: counting engine / hardware counters";

// As CountersBeside(): all empty where not both counted.
CounterTable CrossChecks(const JobProfile& job, const JobAnalysis& analysis);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_CROSS_CHECKS_H_
