// SPDX-License-Identifier: BSD-3-Clause
//
// The table of regions made to fit a terminal: by time, and without what says nothing.
#ifndef ROOFMARK_LIB_REPORT_NARROW_H_
#define ROOFMARK_LIB_REPORT_NARROW_H_

#include <string>
#include <vector>

#include "lib/report/report.h"
#include "lib/report/rows.h"

namespace roofmark {

// Longer names are shortened, whatever room there is.
inline constexpr size_t kLongName = 26;
inline constexpr size_t kBetweenColumns = 1;

struct NarrowTable {
  std::vector<Column> columns;
  std::vector<Row> rows;
  // What was left out, regions first, then what marks mean.
  std::vector<std::string> legend;
  size_t bar = 0;  // columns for the bar of a share; 0: there is no room
};

// Columns are as wide as their cells. Detail::kShort leaves out the regions that HotPathsOf() does;
// columns without a number, columns whose numbers are all the same, an imbalance of nothing; totals
// below 100 columns, and the columns that give way where the names need the room. Detail::kAll
// leaves out nothing.
NarrowTable Narrow(const ReportJob& job, const TextStyle& style);

// Those in which no row has anything: why stands in a list of its own.
void DropEmptyColumns(std::vector<Column>& columns, std::vector<Row>& rows);
// Those in which a row has 0, and none has another number. Returns what they are called, in order.
std::vector<std::string> DropZeroColumns(std::vector<Column>& columns, std::vector<Row>& rows);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_NARROW_H_
