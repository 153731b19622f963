// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_LIB_REPORT_SVG_CHART_H_
#define ROOFMARK_LIB_REPORT_SVG_CHART_H_

#include <string>
#include <string_view>

#include "lib/report/chart.h"
#include "lib/report/chart_layout.h"
#include "lib/report/plot_frame.h"
#include "lib/report/svg_shapes.h"

namespace roofmark {

// A <g> of the frame's size; says in words if there is nothing to draw.
std::string SvgChart(const Chart& chart, const PlotFrame& frame = {});
// The same, higher than the frame where the legend needs the room.
Drawing DrawChart(const Chart& chart, const PlotFrame& frame);

// CSS classes of the circle that is a dot: filled, hollow for what was found, a ring, or
// thin for the first of two runs.
std::string DotLook(const ChartDot& dot);

// A triangle whose tip points to where the dot lies.
std::string EdgeMark(std::string_view look, const DotSpot& spot, std::string_view part,
                     std::string_view title);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_SVG_CHART_H_
