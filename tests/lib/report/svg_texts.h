// SPDX-License-Identifier: BSD-3-Clause
//
// The texts of a picture as a reader's program draws them: which lies on another one, on a mark or
// on a line, or leaves the picture. Reads the SVG itself, which must be well-formed.
#ifndef ROOFMARK_TESTS_LIB_REPORT_SVG_TEXTS_H_
#define ROOFMARK_TESTS_LIB_REPORT_SVG_TEXTS_H_

#include <string>
#include <vector>

#include "lib/report/label_box.h"

namespace roofmark::test {

struct DrawnText {
  std::string text, css;
  LabelBox box;
};

// A dot, or a straight part of a line; grids and what is faint on purpose are left out.
struct DrawnMark {
  std::string css;
  LabelBox box;
};

struct DrawnPicture {
  double width = 0, height = 0;  // of the viewBox
  std::vector<DrawnText> texts;
  std::vector<DrawnMark> marks;
  std::vector<std::string> wrong;  // where it is no well-formed XML
};

DrawnPicture ReadSvg(const std::string& svg);

// Fails where the picture is not well-formed, or where texts overlap, lie on marks or leave it.
void ExpectTextsApart(const std::string& svg, const std::string& what);

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_LIB_REPORT_SVG_TEXTS_H_
