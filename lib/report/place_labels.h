// SPDX-License-Identifier: BSD-3-Clause
//
// Puts labels into a picture, one after the other, each at the best of its places that is free: no
// label lies on another one or leaves the plot. The page's script (page/labels.js) has the same
// rules for what changes while people look at it; a test holds both against each other.
#ifndef ROOFMARK_LIB_REPORT_PLACE_LABELS_H_
#define ROOFMARK_LIB_REPORT_PLACE_LABELS_H_

#include <optional>
#include <string>
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
  // A label far from its dot has a line to it, which crosses no other label and no other such line.
  bool has_leader = false;
  double leader_x = 0, leader_y = 0;  // where that line begins
};

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

// How far a label may go where there is little room. Each allows what those before it do.
enum class Crowding : uint8_t { kOnNothing, kOnLines, kOnDots };

class LabelPlacer {
 public:
  LabelPlacer(const PlotFrame& frame, double letter_px) : frame_(frame), letter_px_(letter_px) {}

  void AddDot(double x, double y, double radius) { dots_.push_back({x, y, radius, radius, 0}); }
  void AddLine(double x0, double y0, double x1, double y1);

  // The first text that has a free place, at the first of those; on lines, then on dots, where no
  // text has one elsewhere. Nothing if none has one.
  std::optional<PlacedLabel> Add(const std::vector<LabelText>& texts,
                                 const std::vector<Place>& places, Crowding most);

 private:
  bool IsFree(const LabelBox& box, const Place& place, Crowding crowding) const;
  bool HasLeaderInTheWay(const LabelBox& box, const Place& place) const;

  PlotFrame frame_;
  double letter_px_;
  std::vector<LabelBox> dots_, lines_, labels_, leaders_;
};

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_PLACE_LABELS_H_
