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

LabelBox LineBox(double x0, double y0, double x1, double y1) {
  return {(x0 + x1) / 2, (y0 + y1) / 2, std::hypot(x1 - x0, y1 - y0) / 2, 0,
          std::atan2(y1 - y0, x1 - x0) * 180 / kPi};
}

void LabelPlacer::AddLine(double x0, double y0, double x1, double y1) {
  lines_.push_back(LineBox(x0, y0, x1, y1));
}

bool LabelPlacer::HasLeaderInTheWay(const LabelBox& box, const Place& place) const {
  if (MeetsAny(box, leaders_)) return true;
  if (!place.has_leader) return false;
  const LabelBox leader = LineBox(place.leader_x, place.leader_y, place.x, place.y);
  return MeetsAny(leader, labels_) || MeetsAny(leader, leaders_);
}

bool LabelPlacer::IsFree(const LabelBox& box, const Place& place, Crowding crowding) const {
  const double right = place.beyond_plot ? frame_.width - 2 : frame_.PlotRight();
  for (const auto& [x, y] : box.Corners()) {
    if (x < frame_.left || x > right || y < frame_.top || y > frame_.PlotBottom()) return false;
  }
  if (MeetsAny(box, labels_)) return false;
  if (HasLeaderInTheWay(box, place)) return false;
  if (crowding < Crowding::kOnDots && MeetsAny(box, dots_)) return false;
  return crowding > Crowding::kOnNothing || !MeetsAny(box, lines_);
}

std::optional<PlacedLabel> LabelPlacer::Add(const std::vector<LabelText>& texts,
                                            const std::vector<Place>& places, Crowding most) {
  for (const Crowding crowding : {Crowding::kOnNothing, Crowding::kOnLines, Crowding::kOnDots}) {
    if (crowding > most) break;
    for (const LabelText& text : texts) {
      for (const Place& place : places) {
        const LabelBox box = BoxAt(place, text.width, letter_px_);
        if (!IsFree(box, place, crowding)) continue;
        labels_.push_back(box);
        if (place.has_leader) {
          leaders_.push_back(LineBox(place.leader_x, place.leader_y, place.x, place.y));
        }
        return PlacedLabel{text.text, place, box};
      }
    }
  }
  return std::nullopt;
}

}  // namespace roofmark
