// SPDX-License-Identifier: BSD-3-Clause
//
// The table of a comparison, made once for the terminal, Markdown, the picture and the page.
#ifndef ROOFMARK_LIB_REPORT_COMPARISON_TABLE_H_
#define ROOFMARK_LIB_REPORT_COMPARISON_TABLE_H_

#include <string>
#include <string_view>
#include <vector>

#include "lib/model/comparison.h"
#include "lib/report/grid.h"

namespace roofmark {

struct ComparisonColumn {
  enum class Shows : uint8_t { kName, kValues, kChange, kLimit } shows;
  Quantity quantity;  // of values and changes
  std::string head;
};

struct ComparisonTable {
  Grid grid;
  std::vector<ComparisonColumn> columns;  // of the grid
  std::vector<size_t> regions;            // of its rows: indices of Comparison::regions
};

// Without columns that have no value. `all`: also regions that are small in both runs.
ComparisonTable TableOf(const Comparison& comparison, bool all, std::string_view arrow);

// What the marks behind changes mean, and what was left out.
std::vector<std::string> LegendOf(const Comparison& comparison, const ComparisonTable& table);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_COMPARISON_TABLE_H_
