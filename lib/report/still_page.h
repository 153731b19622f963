// SPDX-License-Identifier: BSD-3-Clause
//
// Pages about several runs: sentences, a picture that the script leaves as it is drawn, and a table
// that it sorts and filters. A row that is chosen shows its part of the picture.
#ifndef ROOFMARK_LIB_REPORT_STILL_PAGE_H_
#define ROOFMARK_LIB_REPORT_STILL_PAGE_H_

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/report/rows.h"
#include "lib/report/svg_shapes.h"

namespace roofmark {

// A text, a number, or nothing.
struct SortKey {
  std::optional<double> number = {};
  std::string text = {};
};

struct StillRow {
  Row row;
  std::string look;           // CSS classes of its dot, or empty
  std::string path;           // which the address names
  size_t part = 0;            // of the picture
  std::vector<SortKey> sort;  // of its cells
};

struct StillSection {
  std::string title;               // any text, as those below
  std::string health;              // markup
  std::vector<std::string> first;  // sentences
  std::string about;               // the picture, for those who do not see it
  std::function<Drawing(double width)> draw;
  std::vector<Column> columns;
  std::vector<StillRow> rows;
  std::vector<std::string> legend;
};

std::string RenderStillPage(const std::vector<StillSection>& sections);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_STILL_PAGE_H_
