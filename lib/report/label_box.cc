// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/label_box.h"

#include <algorithm>
#include <cmath>

namespace roofmark {
namespace {

// The unit vector along a box.
std::pair<double, double> Along(const LabelBox& box) {
  const double angle = box.degrees * std::acos(-1.0) / 180;
  return {std::cos(angle), std::sin(angle)};
}

// Do the shadows of both boxes on an axis meet?
bool ShadowsMeet(const LabelBox& a, const LabelBox& b, double axis_x, double axis_y) {
  const auto shadow = [axis_x, axis_y](const LabelBox& box) {
    double low = 1e300, high = -1e300;
    for (const auto& [x, y] : box.Corners()) {
      low = std::min(low, x * axis_x + y * axis_y);
      high = std::max(high, x * axis_x + y * axis_y);
    }
    return std::pair(low, high);
  };
  const auto [a_low, a_high] = shadow(a);
  const auto [b_low, b_high] = shadow(b);
  return a_low <= b_high && b_low <= a_high;
}

}  // namespace

std::array<std::pair<double, double>, 4> LabelBox::Corners() const {
  const auto [cos, sin] = Along(*this);
  std::array<std::pair<double, double>, 4> corners;
  size_t i = 0;
  for (const double u : {-half_width, half_width}) {
    for (const double v : {-half_height, half_height}) {
      corners[i++] = {x + u * cos - v * sin, y + u * sin + v * cos};
    }
  }
  return corners;
}

// Two rectangles are apart if a side of one of them separates them.
bool Overlap(const LabelBox& a, const LabelBox& b) {
  for (const LabelBox* box : {&a, &b}) {
    const auto [cos, sin] = Along(*box);
    if (!ShadowsMeet(a, b, cos, sin) || !ShadowsMeet(a, b, -sin, cos)) return false;
  }
  return true;
}

}  // namespace roofmark
