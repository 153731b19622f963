// SPDX-License-Identifier: BSD-3-Clause
//
// Shares of several kinds for each of many names, as bars below each other, and what they make
// together as a diamond.
#ifndef ROOFMARK_LIB_REPORT_RATE_CHART_H_
#define ROOFMARK_LIB_REPORT_RATE_CHART_H_

#include <optional>
#include <string>
#include <vector>

#include "lib/report/svg_shapes.h"

namespace roofmark {

struct RateGroup {
  std::string name;                           // any text
  std::vector<std::optional<double>> shares;  // of each kind
  double together = 0;
  size_t part = 0;
};

struct RateChart {
  std::vector<std::string> kinds;  // any text
  std::string together;            // what the diamond is called
  std::vector<RateGroup> groups;
  std::string below;  // below all; may be empty
};

Drawing DrawRates(const RateChart& chart, double width);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_RATE_CHART_H_
