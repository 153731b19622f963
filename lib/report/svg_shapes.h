// SPDX-License-Identifier: BSD-3-Clause
//
// Shapes of pictures as SVG: each one is a line of markup, with CSS classes of page/chart.css.
#ifndef ROOFMARK_LIB_REPORT_SVG_SHAPES_H_
#define ROOFMARK_LIB_REPORT_SVG_SHAPES_H_

#include <string>
#include <string_view>

#include "lib/report/place_labels.h"

namespace roofmark {

std::string SvgLine(double x0, double y0, double x1, double y1, std::string_view css);
// `more`: further attributes, with a space before them.
std::string SvgText(double x, double y, std::string_view css, std::string_view text,
                    std::string_view more = "");
std::string SvgLabel(const PlacedLabel& label, std::string_view css, std::string_view more = "");

// A text that ends before `width`: fewer letters where it is longer.
std::string Fitting(const std::string& text, double width, double letter_px, bool bold = true);

// A group of shapes, in pixels from its upper left corner.
struct Drawing {
  std::string group;
  double height;
};

// What belongs to part `number` of a drawing: the page's script finds it by the attribute.
std::string PartAttribute(size_t number);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_SVG_SHAPES_H_
