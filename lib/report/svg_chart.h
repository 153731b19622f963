// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_LIB_REPORT_SVG_CHART_H_
#define ROOFMARK_LIB_REPORT_SVG_CHART_H_

#include <string>
#include <string_view>

#include "lib/report/chart.h"

namespace roofmark {

inline constexpr int kSvgChartWidth = 860, kSvgChartHeight = 560;  // px

// A <g> of the size above; says in words if there is nothing to draw.
std::string SvgChart(const Chart& chart);

// Escapes &, <, > and quotes; control characters, which XML 1.0 forbids, become \xHH.
std::string XmlText(std::string_view text);

// CSS for both pages and pictures.
std::string_view ChartStyle();
// The CSS that a chart with a ladder needs besides.
std::string_view LadderStyle();
// The colour of the n-th dot. Colours repeat.
std::string_view DotColor(size_t n);
// Attributes of the circle that is a dot of this colour: filled, or hollow for what was found.
std::string DotLook(std::string_view color, bool is_found);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_SVG_CHART_H_
