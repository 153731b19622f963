// SPDX-License-Identifier: BSD-3-Clause
//
// Do labels and lines of a picture lie on each other? Both are rectangles, turned by any angle.
#ifndef ROOFMARK_LIB_REPORT_LABEL_BOX_H_
#define ROOFMARK_LIB_REPORT_LABEL_BOX_H_

#include <array>
#include <utility>

namespace roofmark {

// In pixels, y downwards.
struct LabelBox {
  double x, y;                     // centre
  double half_width, half_height;  // along and across; a line has no height
  double degrees = 0;              // clockwise

  std::array<std::pair<double, double>, 4> Corners() const;
};

bool Overlap(const LabelBox& a, const LabelBox& b);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_LABEL_BOX_H_
