// SPDX-License-Identifier: BSD-3-Clause
//
// The legend below a chart: what its marks mean and, in pictures without a table, the names of
// regions that have no room in the plot.
#ifndef ROOFMARK_LIB_REPORT_SVG_LEGEND_H_
#define ROOFMARK_LIB_REPORT_SVG_LEGEND_H_

#include <string>
#include <vector>

#include "lib/report/chart.h"
#include "lib/report/plot_frame.h"

namespace roofmark {

struct LegendItem {
  std::string look;  // CSS classes: "dot by-memory"
  std::string text;
};

// What the marks of a chart mean, as far as it has them.
std::vector<LegendItem> LegendOf(const Chart& chart);

// The frame with as much room below its plot as the axis and the legend need.
struct FittedLegend {
  std::vector<LegendItem> items;
  PlotFrame frame;
};
FittedLegend FitLegend(const Chart& chart, const PlotFrame& frame);

std::string SvgLegend(const std::vector<LegendItem>& items, const PlotFrame& frame);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_SVG_LEGEND_H_
