// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/spreads.h"

#include <bit>

#include "mpi/cells.h"
#include "mpi/values.h"

namespace roofmark::mpi {
namespace {

using SpreadAt = std::function<const Spread&(size_t, size_t)>;

void PutNamed(ByteWriter& writer, const std::array<Ranked, kOutliers>& named, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    writer.PutVarint(named[i].value);
    writer.PutVarint(named[i].rank);
  }
}

void GetNamed(ByteReader& reader, std::array<Ranked, kOutliers>& named, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    named[i].value = reader.GetVarint();
    named[i].rank = static_cast<uint32_t>(reader.GetVarint());
  }
}

void PutSpread(ByteWriter& writer, const Spread& spread) {
  writer.PutVarint(spread.ranks);
  if (spread.ranks == 0) return;
  writer.PutVarint(spread.status_bits);
  PutNamed(writer, spread.lowest, spread.Named());
  PutNamed(writer, spread.highest, spread.Named());
  if (spread.NamesAll()) return;
  uint32_t used = 0;
  spread.sketch.ForEach([&used](uint16_t, uint32_t) { ++used; });
  writer.PutVarint(used);
  uint16_t last = 0;
  spread.sketch.ForEach([&](uint16_t bucket, uint32_t count) {
    writer.PutVarint(static_cast<uint64_t>(bucket - last));
    writer.PutVarint(count);
    last = bucket;
  });
}

bool GetSpread(ByteReader& reader, Spread& spread) {
  spread.ranks = static_cast<uint32_t>(reader.GetVarint());
  if (spread.ranks == 0) return true;
  spread.status_bits = static_cast<uint32_t>(reader.GetVarint());
  GetNamed(reader, spread.lowest, spread.Named());
  GetNamed(reader, spread.highest, spread.Named());
  if (spread.NamesAll()) return true;
  uint64_t bucket = 0;
  for (uint64_t used = reader.GetVarint(); used > 0 && reader.ok(); --used) {
    bucket += reader.GetVarint();
    if (bucket >= kBuckets) return false;
    spread.sketch.Add(static_cast<uint16_t>(bucket), static_cast<uint32_t>(reader.GetVarint()));
  }
  return true;
}

bool IsOfRank(const Spread& spread, uint32_t rank) {
  return spread.ranks == 0 || (spread.ranks == 1 && spread.lowest[0].rank == rank &&
                               std::has_single_bit(spread.status_bits));
}

bool PutOwn(ByteWriter& writer, size_t rows, uint32_t rank, const SpreadAt& at) {
  writer.Put(Form::kOneRank);
  writer.Put(rank);
  std::vector<Value> values(rows);
  for (size_t m = 0; m < kSpreads; ++m) {
    for (size_t row = 0; row < rows; ++row) {
      const Spread& spread = at(row, m);
      if (!IsOfRank(spread, rank)) return false;
      values[row] =
          spread.ranks == 0 ? Value() : Value::Of(spread.lowest[0].value, spread.status_bits);
    }
    PutValues(writer, values);
  }
  return true;
}

void CombineOwn(ByteReader& reader, std::span<const size_t> rows, std::vector<Spread>& spreads) {
  const auto rank = reader.Get<uint32_t>();
  for (size_t m = 0; m < kSpreads && reader.ok(); ++m) {
    Values(reader, rows.size()).ForEach([&](size_t i, unsigned kind, uint64_t value) {
      Add(spreads[rows[i] * kSpreads + m], {value, rank}, Bit(StatusOf(kind)));
    });
  }
}

}  // namespace

void PutSpreads(ByteWriter& writer, size_t rows, uint32_t rank, const SpreadAt& at) {
  const size_t begin = writer.size();
  if (PutOwn(writer, rows, rank, at)) return;
  writer.Truncate(begin);
  writer.Put(Form::kMerged);
  for (size_t row = 0; row < rows; ++row) {
    for (size_t m = 0; m < kSpreads; ++m) PutSpread(writer, at(row, m));
  }
}

void CombineFrom(ByteReader& reader, std::span<const size_t> rows, std::vector<Spread>& spreads) {
  if (reader.GetOneOf(Form::kOneRank) == Form::kOneRank) return CombineOwn(reader, rows, spreads);
  for (const size_t row : rows) {
    for (size_t m = 0; m < kSpreads; ++m) {
      Spread other;
      if (!GetSpread(reader, other)) return reader.Fail();
      Combine(spreads[row * kSpreads + m], other);
    }
  }
}

}  // namespace roofmark::mpi
