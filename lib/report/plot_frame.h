// SPDX-License-Identifier: BSD-3-Clause
//
// Where a picture's plot lies and how its logarithmic axes map data to pixels: shared by all charts
// that are pictures.
#ifndef ROOFMARK_LIB_REPORT_PLOT_FRAME_H_
#define ROOFMARK_LIB_REPORT_PLOT_FRAME_H_

#include <cmath>

namespace roofmark {

inline constexpr double kSvgChartWidth = 860, kSvgChartHeight = 560;  // px
inline constexpr double kNarrowChart = 560;  // px; below it letters, dots and edges are smaller

// In pixels, y downwards: the picture, and the edges around its plot.
struct PlotFrame {
  double width = kSvgChartWidth, height = kSvgChartHeight;
  double left = 70, right = 20, top = 20, bottom = 92;
  bool keeps_height = false;  // a legend takes its room from the plot

  bool narrow() const { return width < kNarrowChart; }
  double PlotRight() const { return width - right; }
  double PlotBottom() const { return height - bottom; }
  double PlotWidth() const { return width - left - right; }
  double PlotHeight() const { return height - top - bottom; }
};

inline PlotFrame FrameOf(double width, double height) {
  if (width >= kNarrowChart) return {width, height};
  return {width, height, 48, 10, 10, 112};
}

struct DataRange {
  double x_min, x_max, y_min, y_max;  // above 0
};

class LogPlot {
 public:
  LogPlot(const PlotFrame& frame, const DataRange& range)
      : frame_(frame),
        range_(range),
        x_decades_(std::log10(range.x_max / range.x_min)),
        y_decades_(std::log10(range.y_max / range.y_min)) {}

  double X(double x) const {
    return frame_.left + std::log10(x / range_.x_min) / x_decades_ * frame_.PlotWidth();
  }
  double Y(double y) const {
    return frame_.top + (1 - std::log10(y / range_.y_min) / y_decades_) * frame_.PlotHeight();
  }
  // Of a line that rises one decade per decade.
  double SlopeDegrees() const {
    return std::atan2(frame_.PlotHeight() / y_decades_, frame_.PlotWidth() / x_decades_) * 180 /
           std::acos(-1.0);
  }
  double XDecadeWidth() const { return frame_.PlotWidth() / x_decades_; }
  double YDecadeHeight() const { return frame_.PlotHeight() / y_decades_; }
  const PlotFrame& frame() const { return frame_; }
  const DataRange& range() const { return range_; }

 private:
  PlotFrame frame_;
  DataRange range_;
  double x_decades_, y_decades_;
};

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_PLOT_FRAME_H_
