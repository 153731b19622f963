// SPDX-License-Identifier: BSD-3-Clause
//
// Shares as bars in the terminal.
#ifndef ROOFMARK_LIB_REPORT_BARS_H_
#define ROOFMARK_LIB_REPORT_BARS_H_

#include <optional>
#include <string>
#include <vector>

#include "lib/report/report.h"

namespace roofmark {

struct Bar {
  std::string name;             // any text; empty: the same as above
  std::string label;            // behind the name: "4 workers"
  std::optional<double> share;  // the bar is full at 1; longer ones end with a mark
};

std::string RenderBars(const std::vector<Bar>& bars, const TextStyle& style);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_BARS_H_
