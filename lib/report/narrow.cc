// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/narrow.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>

#include "lib/report/display_width.h"
#include "lib/report/format.h"
#include "lib/report/hot_paths.h"
#include "lib/report/marks.h"
#include "lib/report/slowest_rank.h"

namespace roofmark {
namespace {

constexpr int kBalance = 4;  // gives_way of the imbalance

void Drop(std::vector<Column>& columns, std::vector<Row>& rows, size_t column) {
  const auto at = static_cast<std::ptrdiff_t>(column);
  columns.erase(columns.begin() + at);
  for (Row& row : rows) row.cells.erase(row.cells.begin() + at);
}

void DropEqual(NarrowTable& table) {
  std::vector<std::string> equal;
  if (table.rows.size() < 2) return;
  for (size_t c = table.columns.size(); c-- > 0;) {
    const std::string& first = table.rows[0].cells[c];
    const auto same = [&](const Row& row) { return row.cells[c] == first; };
    if (table.columns[c].gives_way == 0 || HasMark(first) ||
        !std::all_of(table.rows.begin(), table.rows.end(), same)) {
      continue;
    }
    equal.push_back(fmt::format("{} {}", table.columns[c].head, first));
    Drop(table.columns, table.rows, c);
  }
  if (!equal.empty()) {
    table.legend.push_back(fmt::format("the same everywhere: {}", fmt::join(equal, ", ")));
  }
}

// As wide as its cells without marks, which have a place of their own.
void FitColumns(NarrowTable& table) {
  for (size_t c = 0; c < table.columns.size(); ++c) {
    Column& column = table.columns[c];
    column.width = DisplayWidth(column.head);
    for (const Row& row : table.rows) {
      const std::string& cell = row.cells[c];
      column.width = std::max(column.width, DisplayWidth(cell) - (HasMark(cell) ? 1 : 0));
    }
  }
}

size_t ColumnsWidth(const NarrowTable& table) {
  size_t key = 1, name = 6, columns = 0;
  for (const Row& row : table.rows) {
    key = std::max(key, row.key.size());
    name = std::max(name, row.depth + DisplayWidth(row.name));
  }
  for (size_t c = 0; c < table.columns.size(); ++c) {
    columns += table.columns[c].width + MarkWidth(table.rows, c) + kBetweenColumns;
  }
  return key + 1 + std::min(name, kLongName) + columns;
}

// The first to give way, if one is left.
size_t NextToGo(const std::vector<Column>& columns) {
  size_t next = columns.size();
  for (size_t c = 0; c < columns.size(); ++c) {
    if (columns[c].gives_way == 0) continue;
    if (next == columns.size() || columns[c].gives_way < columns[next].gives_way) next = c;
  }
  return next;
}

// Whether the work is shared evenly, as far as the column tells.
bool IsEven(const NarrowTable& table, size_t column) {
  constexpr double kEven = 1.1;
  return std::all_of(table.rows.begin(), table.rows.end(), [&](const Row& row) {
    return std::strtod(row.cells[column].c_str(), nullptr) < kEven;
  });
}

// The bar gives way first, then columns: those that say least.
void MakeRoom(NarrowTable& table, size_t width) {
  constexpr size_t kMostRowBar = 10, kLeastRowBar = 4, kWideTable = 100;
  constexpr int kTotals = 3;  // gives_way of visits, FLOPs and bytes
  std::vector<std::string> dropped;
  const auto drop = [&](size_t column) {
    dropped.insert(dropped.begin(), table.columns[column].head);
    Drop(table.columns, table.rows, column);
  };
  for (size_t next; (next = NextToGo(table.columns)) < table.columns.size();) {
    const bool is_total = table.columns[next].gives_way <= kTotals;
    if (ColumnsWidth(table) <= width && !(is_total && width < kWideTable)) break;
    drop(next);
  }
  const size_t taken = ColumnsWidth(table) + 1;
  table.bar = width >= taken + kLeastRowBar ? std::min(kMostRowBar, width - taken) : 0;
  if (!dropped.empty()) {
    table.legend.push_back(
        fmt::format("--all, or a wider terminal, shows {}, too", fmt::join(dropped, ", ")));
  }
}

}  // namespace

void DropEmptyColumns(std::vector<Column>& columns, std::vector<Row>& rows) {
  for (size_t c = columns.size(); c-- > 0;) {
    const auto empty = [c](const Row& row) { return row.cells[c] == "-"; };
    if (std::all_of(rows.begin(), rows.end(), empty)) Drop(columns, rows, c);
  }
}

std::vector<std::string> DropZeroColumns(std::vector<Column>& columns, std::vector<Row>& rows) {
  std::vector<std::string> dropped;
  for (size_t c = columns.size(); c-- > 0;) {
    bool zero = false, more = false;
    for (const Row& row : rows) {
      zero = zero || row.cells[c] == "0";
      more = more || (row.cells[c] != "0" && row.cells[c] != "-");
    }
    if (!zero || more) continue;
    dropped.insert(dropped.begin(), columns[c].head);
    Drop(columns, rows, c);
  }
  return dropped;
}

NarrowTable Narrow(const ReportJob& job, const TextStyle& style) {
  const bool all = style.detail == Detail::kAll;
  const HotPaths hot = HotPathsOf(job, style.detail);
  const std::vector<Row> rows = TableRows(job);
  const size_t regions = job.profile.paths.size();
  NarrowTable table = {ReportColumns(), {}, {}};
  for (const size_t row : TableOrder(rows, regions, hot.order)) table.rows.push_back(rows[row]);
  const auto width = static_cast<size_t>(std::max(style.width, kMinWidth));
  if (!all) {
    DropEmptyColumns(table.columns, table.rows);
    for (size_t c = table.columns.size(); c-- > 0;) {
      const bool is_balance = table.columns[c].gives_way == kBalance;
      if (is_balance && IsEven(table, c)) Drop(table.columns, table.rows, c);
    }
    DropEqual(table);
  }
  FitColumns(table);
  if (!all) MakeRoom(table, width);
  if (hot.left_out > 0) {
    table.legend.insert(table.legend.begin(),
                        fmt::format("{} of {} regions are not shown, {} of the regions' time: "
                                    "--all shows them",
                                    hot.left_out, regions, Percent(hot.left_share)));
  }
  if (std::string line = SlowestRankLine(job); !line.empty()) {
    table.legend.push_back(std::move(line));
  }
  for (std::string& line : MarkLines(table.columns, table.rows)) {
    table.legend.push_back(std::move(line));
  }
  return table;
}

}  // namespace roofmark
