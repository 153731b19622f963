// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/spreads.h"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/mpi/random_job.h"

namespace roofmark::mpi {
namespace {

constexpr uint32_t kRank = 7;
using Row = std::vector<Spread>;  // of kSpreads

std::vector<char> Packed(const Row& row, uint32_t rank = kRank) {
  ByteWriter writer;
  PutSpreads(writer, row.size() / kSpreads, rank,
             [&](size_t at, size_t m) -> const Spread& { return row[at * kSpreads + m]; });
  return writer.Take();
}

bool Read(const std::vector<char>& bytes, Row& row) {
  std::vector<size_t> rows(row.size() / kSpreads);
  std::iota(rows.begin(), rows.end(), size_t{0});
  ByteReader reader(bytes);
  CombineFrom(reader, rows, row);
  return reader.IsAtEnd();
}

Spread Own(uint64_t value, Status status = Status::kMeasured) {
  return Spread::Of(value, kRank, Bit(status));
}

void ExpectSame(const Row& got, const Row& want) {
  ASSERT_EQ(got.size(), want.size());
  for (size_t i = 0; i < got.size(); ++i) EXPECT_TRUE(random_job::Same(got[i], want[i])) << i;
}

TEST(Spreads, OfOneRankComeBackAsTheyWereInAFewBytes) {
  const Row row = {Own(5), Spread(), Own(UINT64_MAX, Status::kScaled), Own(0), Own(1), Own(2)};
  EXPECT_LT(Packed(row).size(), 50u);
  Row back(row.size());
  ASSERT_TRUE(Read(Packed(row), back));
  ExpectSame(back, row);
}

TEST(Spreads, AnyOtherIsSentWhole) {
  Spread several = Own(3);
  Combine(several, Spread::Of(4, 9, Bit(Status::kMeasured)));
  Spread doubtful = Own(3);
  doubtful.status_bits |= Bit(Status::kInvalid);
  Spread many;
  for (uint32_t rank = 0; rank < 30; ++rank) Combine(many, Spread::Of(rank * rank, rank, 1));
  for (const Spread& any : {several, doubtful, many, Spread::Of(1, kRank + 1, 1)}) {
    const Row row = {Own(5), Own(6), any};
    Row back(kSpreads);
    ASSERT_TRUE(Read(Packed(row), back));
    ExpectSame(back, row);
  }
}

TEST(Spreads, AddIsCombineWithOneRank) {
  random_job::Random random(1);
  for (int round = 0; round < 50; ++round) {
    Row combined(kSpreads), added(kSpreads);
    for (uint32_t rank = 0; rank < 2 * kOutliers + 5; ++rank) {
      const uint64_t value = random_job::Below(random, 6);  // the same one often
      const uint32_t who = rank * 5 % 13;
      const Spread own = Spread::Of(value, who, Bit(Status::kMeasured));
      for (Spread& spread : combined) Combine(spread, own);
      ASSERT_TRUE(Read(Packed({own, own, own}, who), added));
      ExpectSame(added, combined);
    }
  }
}

TEST(Spreads, MessagesThatMakeNoSenseAreRefused) {
  for (const std::vector<char>& bytes :
       {Packed({Own(5), Own(6), Own(7)}), Packed({Own(5), Own(6), Own(7)}, 3)}) {
    for (size_t size = 0; size < bytes.size(); ++size) {
      Row row(kSpreads);
      EXPECT_FALSE(Read({bytes.begin(), bytes.begin() + static_cast<long>(size)}, row)) << size;
    }
    std::vector<char> other = bytes;
    other[0] = 2;  // no form
    Row row(kSpreads);
    EXPECT_FALSE(Read(other, row));
  }
}

}  // namespace
}  // namespace roofmark::mpi
