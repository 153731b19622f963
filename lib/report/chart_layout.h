// SPDX-License-Identifier: BSD-3-Clause
//
// Where everything with a name stands in a picture of a chart. page/layout.js lays out what changes
// while people look at the page by the same rules.
#ifndef ROOFMARK_LIB_REPORT_CHART_LAYOUT_H_
#define ROOFMARK_LIB_REPORT_CHART_LAYOUT_H_

#include <optional>
#include <string>
#include <vector>

#include "lib/report/chart.h"
#include "lib/report/place_labels.h"

namespace roofmark {

inline constexpr size_t kMostNames = 60;  // of dots: those that take most time
inline constexpr size_t kSureNames = 12;  // of these, which may stand far from their dots
// In a narrow chart of more dots than these only the first few have names, the others their keys.
inline constexpr size_t kFewNarrowDots = 12, kNarrowNames = 3;
inline constexpr size_t kFewDots = 80;  // all names may then stand far from them

// In the order of the chart's members; nothing where no place is free.
struct ChartLayout {
  std::vector<std::optional<PlacedLabel>> lines, walls, ridges, dots;
};

ChartLayout LayOut(const Chart& chart, const LogPlot& plot);

// Of an arrow, in pixels, its tip at x1, y1: between the edges of its dots; where these are too
// close, without a shaft behind the second one.
struct ArrowPlace {
  double x0, y0, x1, y1;
  bool has_shaft;
};
// Nothing where it could not be seen.
std::optional<ArrowPlace> PlaceArrow(const Chart& chart, const ChartArrow& arrow,
                                     const LogPlot& plot);
double ArrowHead(const PlotFrame& frame);  // how long it is
inline constexpr double kHalfHead = 0.45;  // of that: half of how wide it is

// In pixels.
double LetterSize(const PlotFrame& frame);
double RadiusOf(const ChartDot& dot, const PlotFrame& frame);

// Where a dot is drawn: one that lies outside of the axes has a mark at the edge, which points
// there.
struct DotSpot {
  double x, y;              // px
  int right = 0, down = 0;  // where the mark points: -1, 0, 1
};
DotSpot SpotOf(const ChartDot& dot, const LogPlot& plot);

// What may stand beside the mark of a dot outside of the axes, the best first: its label or its key
// with where it lies, then its key with the first of the two values alone.
std::vector<std::string> MarkTexts(const ChartDot& dot);
inline constexpr double kEdgeMark = 6;   // px, from the middle of the mark to its tip
inline constexpr double kRidgeMark = 5;  // px, the same of a ridge point's

// The lines through a dot, in pixels: how far it spreads over ranks, and how far its intensity may
// be wrong. Nothing where it cannot be seen.
struct DotBar {
  double from, to;
};
struct DotBars {
  std::optional<DotBar> over_y, over_x, within_x;
};
DotBars BarsOf(const ChartDot& dot, const LogPlot& plot);

// Dots in the order in which they are named: by weight, by time, then as they come.
std::vector<size_t> ByShare(const std::vector<ChartDot>& dots);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_CHART_LAYOUT_H_
