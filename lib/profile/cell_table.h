// SPDX-License-Identifier: BSD-3-Clause
//
// The cells of all metrics of some rows (paths, or the parts of the program). Most jobs measure a
// tenth of all metrics: a column takes memory from its first value on, and its cells lie one after
// another.
#ifndef ROOFMARK_LIB_PROFILE_CELL_TABLE_H_
#define ROOFMARK_LIB_PROFILE_CELL_TABLE_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "lib/core/metric.h"
#include "lib/profile/cell.h"

namespace roofmark {

class CellTable {
 public:
  CellTable() = default;
  // Of cells without ranks.
  explicit CellTable(size_t rows) : rows_(rows) {}

  size_t rows() const { return rows_; }
  bool empty() const { return rows_ == 0; }
  // The column was written to. All cells of one that was not have no ranks.
  bool Has(size_t metric) const { return !columns_[metric].empty(); }

  // Some rank of some row has one.
  bool HasValue(size_t metric) const {
    return std::any_of(columns_[metric].begin(), columns_[metric].end(),
                       [](const Cell& cell) { return cell.ranks > 0; });
  }

  const Cell& At(size_t row, size_t metric) const {
    static constexpr Cell kNone;
    return Has(metric) ? columns_[metric][row] : kNone;
  }
  // To write: the column is there afterwards.
  Cell& At(size_t row, size_t metric) { return Column(metric)[row]; }
  // Without a column for a cell without ranks.
  void Set(size_t row, size_t metric, const Cell& cell) {
    if (cell.ranks > 0 || Has(metric)) At(row, metric) = cell;
  }

  std::vector<Cell>& Column(size_t metric) {
    if (columns_[metric].empty()) columns_[metric].resize(rows_);
    return columns_[metric];
  }
  // Empty if it was not written to.
  const std::vector<Cell>& Column(size_t metric) const { return columns_[metric]; }
  // `cells` has as many cells as the table has rows, or none.
  void SetColumn(size_t metric, std::vector<Cell> cells) { columns_[metric] = std::move(cells); }

  // Row i becomes row `to`[i] of so many: each is another one.
  void MoveRows(std::span<const size_t> to, size_t rows) {
    rows_ = rows;
    for (std::vector<Cell>& column : columns_) {
      if (column.empty()) continue;
      std::vector<Cell> moved(rows);
      for (size_t i = 0; i < to.size(); ++i) moved[to[i]] = column[i];
      column = std::move(moved);
    }
  }
  void InsertRow(size_t row) {
    ++rows_;
    for (std::vector<Cell>& column : columns_) {
      if (!column.empty()) column.insert(column.begin() + static_cast<std::ptrdiff_t>(row), Cell());
    }
  }

 private:
  size_t rows_ = 0;
  std::array<std::vector<Cell>, kMetrics> columns_;
};

// One row, indexed by metric. `Table` is const or not.
template <typename Table>
struct CellsOfRow {
  Table& table;
  size_t row;
  auto& operator[](size_t metric) const { return table.At(row, metric); }
};
using CellRow = CellsOfRow<CellTable>;
using ConstCellRow = CellsOfRow<const CellTable>;

}  // namespace roofmark

#endif  // ROOFMARK_LIB_PROFILE_CELL_TABLE_H_
