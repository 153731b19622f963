// SPDX-License-Identifier: BSD-3-Clause
#include "lib/profile/cell_table.h"

#include <gtest/gtest.h>

#include <array>
#include <utility>

namespace roofmark {
namespace {

constexpr MetricId kOne = metric::kTimeNs, kOther = metric::kVisits;

Cell Of(uint64_t value) { return Cell::Of(value, 3, Status::kMeasured); }

TEST(CellTable, AColumnIsThereFromItsFirstValueOn) {
  CellTable table(3);
  EXPECT_FALSE(table.empty());
  EXPECT_EQ(std::as_const(table).At(2, kOne).ranks, 0u);
  table.Set(2, kOne, Cell());
  EXPECT_FALSE(table.Has(kOne));
  table.Set(1, kOne, Of(7));
  EXPECT_TRUE(table.Has(kOne));
  EXPECT_TRUE(table.HasValue(kOne));
  EXPECT_FALSE(table.Has(kOther));
  EXPECT_EQ(table.Column(kOne).size(), 3u);
  EXPECT_EQ(std::as_const(table).At(1, kOne).min, 7u);
  EXPECT_EQ(std::as_const(table).At(0, kOne).ranks, 0u);
  table.Set(1, kOne, Cell());
  EXPECT_EQ(std::as_const(table).At(1, kOne).ranks, 0u) << "and takes back what was there";
  EXPECT_TRUE(table.Has(kOne));
  EXPECT_FALSE(table.HasValue(kOne));
}

TEST(CellTable, ReferencesStayWhenOtherColumnsCome) {
  CellTable table(2);
  Cell& first = table.At(0, kOne);
  table.At(1, kOther) = Of(1);
  first = Of(5);
  EXPECT_EQ(std::as_const(table).At(0, kOne).min, 5u);
}

TEST(CellTable, ARowComesBetweenOthers) {
  CellTable table(2);
  table.At(0, kOne) = Of(10);
  table.At(1, kOne) = Of(11);
  table.InsertRow(1);
  ASSERT_EQ(table.rows(), 3u);
  EXPECT_EQ(std::as_const(table).At(0, kOne).min, 10u);
  EXPECT_EQ(std::as_const(table).At(1, kOne).ranks, 0u);
  EXPECT_EQ(std::as_const(table).At(2, kOne).min, 11u);
  table.At(2, kOther) = Of(2);
  EXPECT_EQ(table.Column(kOther).size(), 3u) << "a column that comes later has it, too";
}

TEST(CellTable, RowsMove) {
  CellTable table(2);
  table.At(0, kOne) = Of(10);
  table.At(1, kOne) = Of(11);
  table.MoveRows(std::array<size_t, 2>{1, 3}, 5);
  ASSERT_EQ(table.rows(), 5u);
  const CellTable& moved = table;
  EXPECT_EQ(moved.At(1, kOne).min, 10u);
  EXPECT_EQ(moved.At(3, kOne).min, 11u);
  for (const size_t row : {0u, 2u, 4u}) EXPECT_EQ(moved.At(row, kOne).ranks, 0u) << row;
  EXPECT_FALSE(moved.Has(kOther));
  EXPECT_EQ(table.Column(kOther).size(), 5u);
}

TEST(CellTable, ARowIsIndexedByMetric) {
  CellTable table(2);
  const CellRow row{table, 1};
  row[kOne] = Of(4);
  const ConstCellRow same{table, 1}, other{table, 0};
  EXPECT_EQ(same[kOne].min, 4u);
  EXPECT_EQ(other[kOne].ranks, 0u);
}

}  // namespace
}  // namespace roofmark
