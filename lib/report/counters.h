// SPDX-License-Identifier: BSD-3-Clause
//
// What hardware and software counters gave beside the report's own columns: cycles, instructions,
// stalls, misses, and the events that a user chose (ROOFMARK_EVENTS).
#ifndef ROOFMARK_LIB_REPORT_COUNTERS_H_
#define ROOFMARK_LIB_REPORT_COUNTERS_H_

#include <vector>

#include "lib/report/rows.h"

namespace roofmark {

// One row per path, in the order and under the keys of ReportRows(). Sums over ranks and threads,
// nested regions included. All empty if nothing of it was counted.
struct CounterTable {
  std::vector<Column> columns;
  std::vector<Row> rows;
  std::vector<std::string> legend;  // "#1: ..." of heads that would be too long
};
CounterTable CountersBeside(const JobProfile& job, const JobAnalysis& analysis);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_COUNTERS_H_
