// SPDX-License-Identifier: BSD-3-Clause
//
// What pictures of two runs have beside those of one: arrows, and the signs of new and vanished
// regions. CSS classes are those of page/runs.css.
#ifndef ROOFMARK_LIB_REPORT_SVG_MOVES_H_
#define ROOFMARK_LIB_REPORT_SVG_MOVES_H_

#include <string>
#include <string_view>
#include <vector>

#include "lib/report/chart_layout.h"
#include "lib/report/svg_legend.h"

namespace roofmark {

// " strong", " pale", " aside" or nothing.
std::string WeightLook(Weight weight);

// Those of great weight last.
std::string SvgArrows(const Chart& chart, const LogPlot& plot);

// A + in a new dot, a x over one that has vanished; nothing in others.
std::string SvgSign(const ChartDot& dot, double x, double y, double radius, std::string_view more);

void AddMoveLegend(const Chart& chart, std::vector<LegendItem>& items);
// Of such an item: its mark at the left end of the text.
bool IsMoveLook(std::string_view look);
std::string MoveMark(std::string_view look, double x, double y);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_SVG_MOVES_H_
