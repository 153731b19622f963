// SPDX-License-Identifier: BSD-3-Clause
//
// A picture to keep and to print: drawings below each other, each with its title and with a table
// of what its marks stand for.
#ifndef ROOFMARK_LIB_REPORT_PICTURE_H_
#define ROOFMARK_LIB_REPORT_PICTURE_H_

#include <string>
#include <string_view>
#include <vector>

#include "lib/report/plot_frame.h"
#include "lib/report/report.h"
#include "lib/report/rows.h"
#include "lib/report/svg_shapes.h"

namespace roofmark {

inline constexpr size_t kMostPictureRows = 40;  // a picture is no table

// Numbers below a drawing.
struct PictureColumn {
  double x;        // right edge, in px of kSvgChartWidth; in narrow pictures as its texts need it
  bool in_narrow;  // there is room for it in them
  std::string head;
  bool is_text = false;  // may be shortened to the room that it has
};

struct PictureTable {
  std::vector<PictureColumn> columns;
  double roomy_px = kNarrowChart;  // in narrower pictures the columns are the narrow ones
  std::vector<Row> rows;           // a cell for each column
  std::vector<std::string> looks;  // CSS classes of each row's dot; empty where it has none
  size_t more = 0;                 // rows that were left out
  std::string more_are = "with less time";
  std::string note = {};  // what marks in it mean
};

// The rows `important` names first, as many as a picture has room for, in their own order.
std::vector<size_t> MostImportant(size_t rows, const std::vector<size_t>& important);

class Picture {
 public:
  explicit Picture(const PictureStyle& style);

  const PlotFrame& frame() const { return frame_; }  // of a chart that is as wide as the picture

  void Add(const std::string& title, const Drawing& drawing, const PictureTable& table = {});

  // With further rules of style beside those of all charts.
  std::string Render(std::string_view style = "") const;

 private:
  double TitleHeight() const;
  // Right edges of columns; 0: the column is left out.
  using Edges = std::vector<double>;
  Edges EdgesOf(const PictureTable& table) const;
  double WidthOf(const PictureTable& table, size_t column) const;
  std::string Head(const PictureTable& table, const Edges& edges, double y) const;
  std::string Line(const PictureTable& table, const Edges& edges, size_t row, double y) const;
  std::string Cells(const PictureTable& table, const Edges& edges, const Row& row, double y) const;
  std::string Table(const PictureTable& table);

  PictureStyle style_;
  PlotFrame frame_;
  double letter_, y_ = 0;
  std::string body_;
};

// The frame of a chart that is so wide.
PlotFrame ChartFrame(double width);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_PICTURE_H_
