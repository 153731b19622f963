// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/place_labels.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace roofmark {
namespace {

const double kPi = std::acos(-1.0);

// Most boxes of a picture are far from each other.
bool Meet(const LabelBox& a, const LabelBox& b) {
  const double reach =
      std::hypot(a.half_width, a.half_height) + std::hypot(b.half_width, b.half_height);
  const double x = a.x - b.x, y = a.y - b.y;
  return x * x + y * y <= reach * reach && Overlap(a, b);
}

bool MeetsAny(const LabelBox& box, const std::vector<LabelBox>& others) {
  return std::any_of(others.begin(), others.end(),
                     [&box](const LabelBox& other) { return Meet(box, other); });
}

}  // namespace

// Letters reach 0.95 of their height above the base line and 0.3 below it.
LabelBox BoxAt(const Place& place, double width, double letter_px) {
  const double angle = place.degrees * kPi / 180, up = 0.325 * letter_px;
  const double along = place.anchor == Anchor::kEnd ? -width / 2 : width / 2;
  return {place.x + along * std::cos(angle) + up * std::sin(angle),
          place.y + along * std::sin(angle) - up * std::cos(angle), width / 2, 0.625 * letter_px,
          place.degrees};
}

std::pair<double, double> LeaderEnd(const Place& place, double letter_px) {
  constexpr double kGap = 2;  // px
  return {place.x + (place.anchor == Anchor::kEnd ? kGap : -kGap), place.y - 0.325 * letter_px};
}

LabelBox LineBox(double x0, double y0, double x1, double y1) {
  return {(x0 + x1) / 2, (y0 + y1) / 2, std::hypot(x1 - x0, y1 - y0) / 2, 0,
          std::atan2(y1 - y0, x1 - x0) * 180 / kPi};
}

void LabelPlacer::AddLine(double x0, double y0, double x1, double y1, double half_width) {
  lines_.push_back(LineBox(x0, y0, x1, y1));
  lines_.back().half_height = half_width;
}

// Leaders that nearly touch are taken for each other: they are wider than they are drawn.
LabelBox LabelPlacer::LeaderBox(const Place& place) const {
  constexpr double kHalfApart = 2;  // px
  const auto [x, y] = LeaderEnd(place, letter_px_);
  LabelBox box = LineBox(place.leader_x, place.leader_y, x, y);
  box.half_height = kHalfApart;
  return box;
}

bool LabelPlacer::HasFreeLeader(const Place& place) const {
  const LabelBox leader = LeaderBox(place);
  if (MeetsAny(leader, labels_) || MeetsAny(leader, leaders_)) return false;
  const LabelBox begin = {place.leader_x, place.leader_y, 0.5, 0.5};
  const auto crosses = [&](const LabelBox& other) {
    return !Meet(begin, other) && Meet(leader, other);
  };
  if (std::any_of(dots_.begin(), dots_.end(), crosses)) return false;
  return place.crosses_lines || std::none_of(lines_.begin(), lines_.end(), crosses);
}

bool LabelPlacer::IsFree(const LabelBox& box, const Place& place) const {
  const double right = place.beyond_plot ? frame_.width - 2 : frame_.PlotRight();
  for (const auto& [x, y] : box.Corners()) {
    if (x < frame_.left || x > right || y < frame_.top || y > frame_.PlotBottom()) return false;
  }
  for (const auto* taken : {&labels_, &leaders_, &dots_, &lines_}) {
    if (MeetsAny(box, *taken)) return false;
  }
  return !place.has_leader || HasFreeLeader(place);
}

std::optional<PlacedLabel> LabelPlacer::Add(const std::vector<LabelText>& texts,
                                            const std::vector<Place>& places) {
  for (const LabelText& text : texts) {
    for (const Place& place : places) {
      const LabelBox box = BoxAt(place, text.width, letter_px_);
      if (!IsFree(box, place)) continue;
      labels_.push_back(box);
      if (place.has_leader) leaders_.push_back(LeaderBox(place));
      return PlacedLabel{text.text, place, box};
    }
  }
  return std::nullopt;
}

}  // namespace roofmark
