// SPDX-License-Identifier: BSD-3-Clause
//
// What a word of a report means: of a limit, a column, a value, a shortfall, a metric or a setting.
// The text is that of the tables by which reports are made; explain_terms.h has what is in none.
#ifndef ROOFMARK_LIB_REPORT_EXPLAIN_H_
#define ROOFMARK_LIB_REPORT_EXPLAIN_H_

#include <string>
#include <string_view>
#include <vector>

namespace roofmark {

struct Explained {
  std::string word;  // as the report has it
  std::string kind;  // "limit", "column", "value", "advice", "metric", "setting", ...
  std::string text;
  // Lines "formula: ...", "source: ...", as far as there are any.
  std::vector<std::string> facts;
};

// All meanings, in the order of a reader's interest. Letters may be small or capital; a column is
// found by its head as well as by the name that CSV and JSON have. Empty: nothing has that name.
std::vector<Explained> Explain(std::string_view word);

// All words, for suggestions and for the list.
std::vector<std::string> ExplainedWords();

// What `roofmark explain` prints, in lines of at most `width` columns.
std::string ExplainText(const std::vector<Explained>& meanings, size_t width);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_EXPLAIN_H_
