// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_LIB_REPORT_SVG_CHART_H_
#define ROOFMARK_LIB_REPORT_SVG_CHART_H_

#include <string>
#include <string_view>
#include <vector>

#include "lib/report/chart.h"
#include "lib/report/plot_frame.h"
#include "lib/report/svg_shapes.h"

namespace roofmark {

// A <g> of the frame's size; says in words if there is nothing to draw.
std::string SvgChart(const Chart& chart, const PlotFrame& frame = {});
// The same, higher than the frame where the legend needs the room.
Drawing DrawChart(const Chart& chart, const PlotFrame& frame);

// What the marks of a chart mean, as far as it has them.
struct LegendItem {
  std::string look;  // CSS classes: "dot by-memory"
  std::string text;
};
std::vector<LegendItem> LegendOf(const Chart& chart);

// CSS classes of the circle that is a dot: filled, hollow for what was found, a ring, or
// thin for the first of two runs.
std::string DotLook(const ChartDot& dot);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_SVG_CHART_H_
