// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/narrow.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "lib/report/display_width.h"

namespace roofmark {
namespace {

void Drop(std::vector<Column>& columns, std::vector<Row>& rows, size_t column) {
  const auto at = static_cast<std::ptrdiff_t>(column);
  columns.erase(columns.begin() + at);
  for (Row& row : rows) row.cells.erase(row.cells.begin() + at);
}

// Of many regions those that take little time; returns how many.
size_t DropSmall(NarrowTable& table, const JobAnalysis& analysis) {
  constexpr size_t kManyRows = 20;
  const size_t all = table.rows.size();
  if (all <= kManyRows) return 0;
  std::vector<Row> kept;
  for (size_t p = 0; p < all; ++p) {
    if (TakesTime(analysis.paths[p])) kept.push_back(std::move(table.rows[p]));
  }
  table.rows = std::move(kept);
  return all - table.rows.size();
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
    equal.push_back(fmt::format("{} {}", HeadOf(table.columns[c]), first));
    Drop(table.columns, table.rows, c);
  }
  if (!equal.empty()) {
    table.legend.push_back(fmt::format("the same everywhere: {}", fmt::join(equal, ", ")));
  }
}

size_t WidthOf(const NarrowTable& table) {
  size_t key = 1, name = 6, columns = 0;
  for (const Row& row : table.rows) {
    key = std::max(key, row.key.size());
    name = std::max(name, row.depth + DisplayWidth(row.name));
  }
  for (const Column& column : table.columns) columns += column.width + 1;
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

void MakeRoom(NarrowTable& table, size_t width) {
  std::vector<std::string> dropped;
  while (WidthOf(table) > width) {
    const size_t next = NextToGo(table.columns);
    if (next == table.columns.size()) break;
    dropped.push_back(HeadOf(table.columns[next]));
    Drop(table.columns, table.rows, next);
  }
  if (!dropped.empty()) {
    table.legend.push_back(
        fmt::format("left out for want of room: {} (--all, or a wider terminal, shows them)",
                    fmt::join(dropped, ", ")));
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
    dropped.insert(dropped.begin(), HeadOf(columns[c]));
    Drop(columns, rows, c);
  }
  return dropped;
}

NarrowTable Narrow(const ReportJob& job, const TextStyle& style) {
  NarrowTable table = {ReportColumns(), ReportRows(job.profile, job.analysis), {}};
  const bool all = style.detail == Detail::kAll;
  const size_t left_out = all ? 0 : DropSmall(table, job.analysis);
  for (Row& row : WholeRows(job)) table.rows.push_back(std::move(row));
  if (all) return table;
  DropEmptyColumns(table.columns, table.rows);
  DropEqual(table);
  MakeRoom(table, static_cast<size_t>(std::max(style.width, kMinWidth)));
  if (left_out > 0) {
    table.legend.push_back(fmt::format("{} region{} below 1 % of the run {} left out (--all)",
                                       left_out, left_out == 1 ? "" : "s",
                                       left_out == 1 ? "is" : "are"));
  }
  return table;
}

}  // namespace roofmark
