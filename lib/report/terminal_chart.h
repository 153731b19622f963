// SPDX-License-Identifier: BSD-3-Clause
//
// A chart in characters.
#ifndef ROOFMARK_LIB_REPORT_TERMINAL_CHART_H_
#define ROOFMARK_LIB_REPORT_TERMINAL_CHART_H_

#include <string>

#include "lib/report/chart.h"
#include "lib/report/report.h"

namespace roofmark {

// Arrows are dotted lines; their dots tell the direction.
std::string DrawInTerminal(const Chart& chart, const TextStyle& style);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_TERMINAL_CHART_H_
