// SPDX-License-Identifier: BSD-3-Clause
//
// Words of reports that no table of values, shortfalls or settings has: what limits a region, the
// marks and rows of the tables, and what makes a report doubtful. The lines below tables that
// explain marks are those of this table, too (marks.h).
#ifndef ROOFMARK_LIB_REPORT_EXPLAIN_TERMS_H_
#define ROOFMARK_LIB_REPORT_EXPLAIN_TERMS_H_

#include <span>
#include <string_view>

namespace roofmark {

struct Term {
  std::string_view word;
  std::string_view kind;  // "limit", "row", "mark", ...
  std::string_view text;  // whole sentences
  std::string_view formula = {};
  std::string_view source = {};   // as docs/model.md cites
  std::string_view example = {};  // of a report, and how it is read
  std::string_view see = {};      // a page of the documentation
  std::string_view also = {};     // another word by which it is found
  std::string_view brief = {};    // of a mark: below a table, in one line of 80 columns
};

std::span<const Term> Terms();

// Words of marks. The first is a limit, too.
inline constexpr std::string_view kMarkUnknown = "?", kMarkLikely = "? behind a limit",
                                  kMarkTwo = "+", kTermPhases = "phases", kMarkNone = "-",
                                  kMarkDeclared = "*", kMarkInRegions = "* of (program)",
                                  kMarkScaled = "~";

// The term must be there.
const Term& TermOf(std::string_view word);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_EXPLAIN_TERMS_H_
