// SPDX-License-Identifier: BSD-3-Clause
//
// Puts labels into a picture, one after the other, each at the best of its places that is free: no
// label lies on another one, on a dot or on a line, or leaves the plot. The page's script
// (page/labels.js) has the same rules for what changes while people look at it.
#ifndef ROOFMARK_LIB_REPORT_PLACE_LABELS_H_
#define ROOFMARK_LIB_REPORT_PLACE_LABELS_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lib/report/label_box.h"
#include "lib/report/plot_frame.h"

namespace roofmark {

enum class Anchor : uint8_t { kStart, kEnd };

// Where a text begins or ends at its base line, turned about this point.
struct Place {
  double x, y;
  Anchor anchor = Anchor::kStart;
  double degrees = 0;  // clockwise
  // A dot's name may be as far right as the picture goes.
  bool beyond_plot = false;
  // A label that is not right beside what it names has a line to it, which crosses no other label,
  // no other such line and no dot but that in which it begins.
  bool has_leader = false;
  double leader_x = 0, leader_y = 0;  // where that line begins
  bool crosses_lines = true;          // it may, those apart on which it begins
};

// Where the line to a label ends: in the middle of the text's side.
std::pair<double, double> LeaderEnd(const Place& place, double letter_px);

// A line has no height.
LabelBox LineBox(double x0, double y0, double x1, double y1);

// What a text of this width covers there.
LabelBox BoxAt(const Place& place, double width, double letter_px);

struct PlacedLabel {
  std::string text;
  Place place;
  LabelBox box;
};

// One way to write a label.
struct LabelText {
  std::string text;
  double width;  // px
};

class LabelPlacer {
 public:
  LabelPlacer(const PlotFrame& frame, double letter_px) : frame_(frame), letter_px_(letter_px) {}

  void AddDot(double x, double y, double radius) { dots_.push_back({x, y, radius, radius, 0}); }
  void AddLine(double x0, double y0, double x1, double y1, double half_width = 0);

  // The first text that has a free place, at the first of those. Nothing if none has one.
  std::optional<PlacedLabel> Add(const std::vector<LabelText>& texts,
                                 const std::vector<Place>& places);

 private:
  bool IsFree(const LabelBox& box, const Place& place) const;
  bool HasFreeLeader(const Place& place) const;
  LabelBox LeaderBox(const Place& place) const;

  PlotFrame frame_;
  double letter_px_;
  std::vector<LabelBox> dots_, lines_, labels_, leaders_;
};

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_PLACE_LABELS_H_
