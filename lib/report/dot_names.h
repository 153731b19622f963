// SPDX-License-Identifier: BSD-3-Clause
//
// Names of the dots of a picture, placed where they can be read.
#ifndef ROOFMARK_LIB_REPORT_DOT_NAMES_H_
#define ROOFMARK_LIB_REPORT_DOT_NAMES_H_

#include <string>
#include <vector>

#include "lib/report/label_box.h"

namespace roofmark {

// In pixels, y downwards.
struct DotToName {
  double x, y, radius;
  std::string label, key;  // "A sweep", "A"
};

struct DotName {
  LabelBox box;
  double x, y;  // of the text, at its base line
  bool end;     // it ends there
  std::string text;
};

// Of all dots, in their order, between `left` and `right`. A label stands beside its dot, or above
// or below that, on no other dot or name. Where there is no such place the key stands there alone,
// else in the middle of its dot.
std::vector<DotName> NameDots(const std::vector<DotToName>& dots, double left, double right);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_DOT_NAMES_H_
