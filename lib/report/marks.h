// SPDX-License-Identifier: BSD-3-Clause
//
// What marks in cells of a table mean: those that appear in it, in the words of explain_terms.h.
#ifndef ROOFMARK_LIB_REPORT_MARKS_H_
#define ROOFMARK_LIB_REPORT_MARKS_H_

#include <string>
#include <vector>

#include "lib/report/rows.h"

namespace roofmark {

// "DRAM?  likely, not certain: ...": a line for each mark, limits first. Empty where none appears.
std::vector<std::string> MarkLines(const std::vector<Column>& columns,
                                   const std::vector<Row>& rows);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_MARKS_H_
