// SPDX-License-Identifier: BSD-3-Clause
//
// The report's table as text cells, laid out once for terminal and HTML.
#ifndef ROOFMARK_LIB_REPORT_ROWS_H_
#define ROOFMARK_LIB_REPORT_ROWS_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lib/core/tone.h"
#include "lib/model/analysis.h"
#include "lib/model/derived.h"
#include "lib/report/report.h"

namespace roofmark {

struct Column {
  std::string head;
  size_t width;           // in the terminal, without the space before it, and without marks
  std::string doc;        // for people who hover
  int gives_way = 0;      // as in TableHead
  bool is_more = false;   // on a narrow screen it is shown when it is asked for
  bool is_text = false;   // stands at the left of its column
  bool is_share = false;  // of the run: the terminal draws it as a bar, too
  bool is_limit = false;  // of the region: has its tone
};

// This mark stands behind a value that the program declared where nothing was measured; a line
// below the table explains it (marks.h), and a remark lists the regions.
inline constexpr char kDeclaredMark = '*';
// This one stands behind a value that was scaled from some visits, and has an interval.
inline constexpr char kScaledMark = '~';

inline bool HasMark(std::string_view cell) {
  return cell.ends_with(kDeclaredMark) || (cell.size() > 1 && cell.ends_with(kScaledMark));
}

struct Row {
  // Of its dot in the chart: "A" ... "Z", "a" ..., then numbers, in the order of tables; empty: no
  // dot.
  std::string key;
  std::string name;  // of the innermost region, with as many around it as make it unique
  size_t depth = 0;
  std::vector<std::string> cells;  // one per column
  size_t around_bytes = 0;         // of the name: the regions around the innermost one, and '/'
  bool is_found = false;           // RegionKind::kFound
  double share = 0;                // of the run; 0 if that is not known
  Tone tone = Tone::kNone;         // of what limits it
};

// Columns that marks take behind the cells of this one.
size_t MarkWidth(const std::vector<Row>& rows, size_t column);

// Those of the derived values that have a column, in the order of the columns.
std::span<const DerivedInfo> TableValues();
const std::vector<Column>& ReportColumns();
std::vector<Row> ReportRows(const JobProfile& job, const JobAnalysis& analysis);
// The program as a whole, and before it what lies outside of all regions if that takes 5 % of the
// run: they stand below the regions. Where no marker opened the outermost ones, "(elsewhere)" is
// the name of what they leave out.
std::vector<Row> WholeRows(const ReportJob& job);
// All of them.
std::vector<Row> TableRows(const ReportJob& job);
// Indices of TableRows() in the order of tables: that of time_order.h; the time outside of all
// regions stands among the outermost ones, the program below them all.
std::vector<size_t> TableOrder(const ReportJob& job, const std::vector<Row>& rows);
// The same with only these `paths` of all `regions`.
std::vector<size_t> TableOrder(const std::vector<Row>& rows, size_t regions,
                               std::vector<size_t> paths);
// The program as a job whose regions are the rows of WholeOf() its profile.
ReportJob WholeJob(const ReportJob& job);
inline constexpr char kProgramKey[] = "0";  // of its dot
// Of the dots, in their order: "A" ... "Z", "a" ..., then numbers.
std::string DotKey(size_t index);

// "-" where there is no number.
std::string NumberCell(NumberFormat format, const Value& value);
// "-" of an empty text.
std::string TextCell(std::string_view text);
Column ColumnOf(const TableHead& head, std::string_view doc);
// A derived value as a cell of the table: "-" where there is none.
std::string CellOf(const DerivedInfo& info, const Derivation& of);

// "A triad": key and name.
std::string NameOf(const Row& row);

// It takes at least 1 % of the run, or its share is not known.
bool TakesTime(const PathAnalysis& path);

// True if the path has a place in the chart.
bool HasDot(const PathAnalysis& path);

// Why cells are "-": each reason once, with the columns it concerns.
std::vector<std::string> MissingReasons(const JobProfile& job, const JobAnalysis& analysis);
// What a reader must know of single rows. Warnings are health_words.h's.
std::vector<std::string> Remarks(const JobProfile& job, const JobAnalysis& analysis);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_REPORT_ROWS_H_
