// SPDX-License-Identifier: BSD-3-Clause
//
// Lines over numbers of workers, with the line that they would be at best.
#ifndef ROOFMARK_LIB_REPORT_SERIES_CHART_H_
#define ROOFMARK_LIB_REPORT_SERIES_CHART_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lib/report/svg_shapes.h"

namespace roofmark {

inline constexpr size_t kSeriesLooks = 6;  // .s0 and so on of page/runs.css

struct Series {
  std::string name;  // any text
  std::string look;  // CSS class; "faint" has no name in the chart
  size_t part = 0;
  std::vector<std::optional<double>> values;  // as SeriesChart::x
};

struct SeriesChart {
  std::string title, x_axis;
  std::vector<double> x;           // above 0, not falling; at least two
  std::vector<std::string> ticks;  // of each x
  std::vector<double> ideal;
  bool logarithmic = false;   // y too; x always is
  bool percent = false;       // y is a share
  std::vector<Series> lines;  // the most important first
};

// What of a chart has a name: the ideal line, and the lines at their right ends.
struct SeriesLayout {
  std::optional<PlacedLabel> ideal;
  std::vector<std::optional<PlacedLabel>> lines;
};

PlotFrame SeriesFrame(double width);
SeriesLayout LayOut(const SeriesChart& chart, const PlotFrame& frame);
Drawing DrawSeries(const SeriesChart& chart, double width);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_SERIES_CHART_H_
