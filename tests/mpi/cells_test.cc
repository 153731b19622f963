// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/cells.h"

#include <gtest/gtest.h>

namespace roofmark::mpi {
namespace {

constexpr uint32_t kRank = 7;

std::vector<char> Packed(const std::vector<Cell>& cells, uint32_t rank = kRank) {
  ByteWriter writer;
  PutCells(writer, 1, cells.size(), rank,
           [&](size_t, size_t i) -> const Cell& { return cells[i]; });
  return writer.Take();
}

bool Read(const std::vector<char>& bytes, std::vector<Cell>& cells) {
  ByteReader reader(bytes);
  CombineFrom(reader, cells);
  return reader.ok();
}

std::vector<Cell> OfOneRank() {
  return {Cell::Of(0, kRank, Status::kMeasured), Cell(), Cell::Of(127, kRank, Status::kInvalid),
          Cell::Of(128, kRank, Status::kScaled), Cell::Of(UINT64_MAX, kRank, Status::kModelled)};
}

TEST(Cells, OfOneRankComeBackAsTheyWereInAFewBytes) {
  const std::vector<Cell> cells = OfOneRank();
  const std::vector<char> bytes = Packed(cells);
  EXPECT_LT(bytes.size(), 5u + 4 + 1 + 1 + 2 + 10 + cells.size());
  std::vector<Cell> back(cells.size());
  ASSERT_TRUE(Read(bytes, back));
  for (size_t i = 0; i < cells.size(); ++i) EXPECT_TRUE(back[i] == cells[i]) << i;
}

TEST(Cells, ValuesTakeTheBytesThatTheyNeed) {
  for (unsigned bits = 0; bits <= 64; ++bits) {
    const uint64_t value = bits == 0 ? 0 : ~uint64_t{0} >> (64 - bits);
    const Cell cell = Cell::Of(value, kRank, Status::kMeasured);
    const std::vector<char> bytes = Packed({cell});
    EXPECT_EQ(bytes.size(), 5u + 1 + (bits + 7) / 8) << bits;
    std::vector<Cell> back(1);
    ASSERT_TRUE(Read(bytes, back)) << bits;
    EXPECT_TRUE(back[0] == cell) << bits;
  }
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

TEST(Cells, MessagesThatMakeNoSenseAreRefused) {
  const std::vector<char> bytes = Packed(OfOneRank());
  std::vector<Cell> cells(OfOneRank().size());
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(Read({bytes.begin(), bytes.begin() + static_cast<long>(size)}, cells)) << size;
  }
  std::vector<char> other = bytes;
  other[0] = 2;  // no form
  EXPECT_FALSE(Read(other, cells));
  other = bytes;
  other[5] = 9;  // no status
  EXPECT_FALSE(Read(other, cells));
  // A value without a status, and one of nine bytes, which are there.
  std::vector<Cell> one(1);
  other = Packed({Cell::Of(UINT64_MAX, kRank, Status::kMeasured)});
  other.push_back(0);
  for (const int header : {0x80, 0x91}) {
    other[5] = static_cast<char>(header);
    EXPECT_FALSE(Read(other, one)) << header;
  }
  EXPECT_FALSE(Read(Packed({Cell(), Combine(Cell::Of(1, 1, Status::kMeasured),
                                            Cell::Of(1, 2, Status::kMeasured))}),
                    cells));
}

}  // namespace
}  // namespace roofmark::mpi
