// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/cells.h"

#include <gtest/gtest.h>

#include <array>
#include <numeric>

namespace roofmark::mpi {
namespace {

constexpr uint32_t kRank = 7;

constexpr std::array<MetricId, 1> kMetric = {metric::kTimeNs};

CellTable TableOf(const std::vector<Cell>& cells) {
  CellTable table(cells.size());
  table.SetColumn(kMetric[0], cells);
  return table;
}

std::vector<char> Packed(const std::vector<Cell>& cells, uint32_t rank = kRank) {
  ByteWriter writer;
  PutCells(writer, TableOf(cells), kMetric, rank);
  return writer.Take();
}

// Row i of the message into row `rows`[i].
bool Read(const std::vector<char>& bytes, std::vector<size_t> rows, std::vector<Cell>& cells) {
  CellTable table = TableOf(cells);
  ByteReader reader(bytes);
  CombineFrom(reader, rows, kMetric, table);
  cells = table.Column(kMetric[0]);
  return reader.ok();
}

bool Read(const std::vector<char>& bytes, std::vector<Cell>& cells) {
  std::vector<size_t> rows(cells.size());
  std::iota(rows.begin(), rows.end(), size_t{0});
  return Read(bytes, rows, cells);
}

std::vector<Cell> OfOneRank() {
  return {Cell::Of(0, kRank, Status::kMeasured), Cell(), Cell::Of(127, kRank, Status::kInvalid),
          Cell::Of(128, kRank, Status::kScaled), Cell::Of(UINT64_MAX, kRank, Status::kModelled)};
}

TEST(Cells, OfOneRankComeBackAsTheyWereInAFewBytes) {
  const std::vector<Cell> cells = OfOneRank();
  const std::vector<char> bytes = Packed(cells);
  EXPECT_EQ(bytes.size(), 1 + sizeof kRank + 2 + cells.size() * (1 + 8))
      << "a status and a value each";
  std::vector<Cell> back(cells.size());
  ASSERT_TRUE(Read(bytes, back));
  for (size_t i = 0; i < cells.size(); ++i) EXPECT_TRUE(back[i] == cells[i]) << i;
}

TEST(Cells, AnyOtherTableIsSentWhole) {
  const Cell two = Combine(Cell::Of(3, 1, Status::kMeasured), Cell::Of(5, 2, Status::kScaled));
  Cell several = Cell::Of(1, kRank, Status::kMeasured);
  several.status_bits |= Bit(Status::kScaled);
  Cell spread = Cell::Of(1, kRank, Status::kMeasured);
  spread.m2 = 1;
  for (const Cell& last : {two, several, spread, Cell::Of(1, kRank + 1, Status::kMeasured)}) {
    std::vector<Cell> cells = OfOneRank();
    cells.push_back(last);
    std::vector<Cell> back(cells.size());
    ASSERT_TRUE(Read(Packed(cells), back));
    for (size_t i = 0; i < cells.size(); ++i) EXPECT_TRUE(back[i] == cells[i]) << i;
  }
}

TEST(Cells, AreCombined) {
  std::vector<Cell> sum = {Cell::Of(3, 1, Status::kMeasured)};
  ASSERT_TRUE(Read(Packed({Cell::Of(5, kRank, Status::kMeasured)}), sum));
  EXPECT_EQ(sum[0].ranks, 2u);
  EXPECT_EQ(sum[0].SumAsDouble(), 8);
  EXPECT_EQ(sum[0].max_rank, kRank);
}

TEST(Cells, RowsOfTheMessageMayBeOtherRows) {
  const Cell one = Cell::Of(5, kRank, Status::kMeasured);
  const Cell two = Combine(one, Cell::Of(6, 1, Status::kMeasured));
  for (const Cell& cell : {one, two}) {
    std::vector<Cell> cells(4);
    ASSERT_TRUE(Read(Packed({cell, Cell(), cell}), {0, 2, 3}, cells));
    EXPECT_TRUE(cells[0] == cell);
    EXPECT_EQ(cells[1].ranks, 0u);
    EXPECT_EQ(cells[2].ranks, 0u);
    EXPECT_TRUE(cells[3] == cell);
  }
}

TEST(Cells, MessagesThatMakeNoSenseAreRefused) {
  const std::vector<char> bytes = Packed(OfOneRank());
  std::vector<Cell> cells(OfOneRank().size());
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(Read({bytes.begin(), bytes.begin() + static_cast<long>(size)}, cells)) << size;
  }
  std::vector<char> other = bytes;
  other[0] = 2;  // no form
  EXPECT_FALSE(Read(other, cells));
  EXPECT_FALSE(Read(Packed({Cell(), Combine(Cell::Of(1, 1, Status::kMeasured),
                                            Cell::Of(1, 2, Status::kMeasured))}),
                    cells));
}

}  // namespace
}  // namespace roofmark::mpi
