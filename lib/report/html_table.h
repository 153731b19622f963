// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_LIB_REPORT_HTML_TABLE_H_
#define ROOFMARK_LIB_REPORT_HTML_TABLE_H_

#include <string>
#include <string_view>
#include <vector>

#include "lib/report/counters.h"
#include "lib/report/rows.h"

namespace roofmark {

// `looks`: CSS classes of each row's dot (DotLook()), empty where it has none. `numbered`: the rows
// are the regions of the page's data, so the script can select them.
std::string HtmlTable(const std::vector<Column>& columns, const std::vector<Row>& rows,
                      const std::vector<std::string>& looks, bool numbered);

// A table below a title, with what its heads mean; empty where it has no columns.
std::string HtmlCounters(std::string_view title, const CounterTable& table,
                         const std::vector<std::string>& looks);

// Items below a title; empty where there are none.
std::string HtmlList(std::string_view title, const std::vector<std::string>& lines);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_HTML_TABLE_H_
