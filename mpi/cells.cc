// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/cells.h"

#include <cstring>

namespace roofmark::mpi {
namespace {

// The first `size` bytes of eight.
uint64_t ValueOf(const char* bytes, unsigned size) {
  uint64_t value = 0;
  std::memcpy(&value, bytes, sizeof value);
  return size == 0 ? 0 : LowestFirst(value) & (~uint64_t{0} >> (64 - 8 * size));
}

void CombineOneRank(ByteReader& reader, std::vector<Cell>& cells) {
  constexpr unsigned kHighest = static_cast<unsigned>(Status::kInvalid) + 1;
  const auto rank = reader.Get<uint32_t>();
  for (Cell& cell : cells) {
    const auto header = reader.Get<uint8_t>();
    if (header == 0) continue;
    const unsigned kind = header & 15u, size = header >> 4;
    if (kind == 0 || kind > kHighest || size > sizeof(uint64_t)) return reader.Fail();
    char few[sizeof(uint64_t)] = {};  // at the end of the message
    const std::string_view ahead = reader.Ahead();
    const bool last = ahead.size() < sizeof few;
    if (last) std::memcpy(few, ahead.data(), ahead.size());
    const uint64_t value = ValueOf(last ? few : ahead.data(), size);
    reader.GetBytes(size);
    if (!reader.ok()) return;
    cell = Combine(cell, Cell::Of(value, rank, static_cast<Status>(kind - 1)));
  }
}

}  // namespace

void CombineFrom(ByteReader& reader, std::vector<Cell>& cells) {
  const auto form = reader.Get<CellForm>();
  if (form == CellForm::kOneRank) return CombineOneRank(reader, cells);
  const std::string_view table = reader.GetBytes(cells.size() * sizeof(Cell));
  if (form != CellForm::kTable || !reader.ok()) return reader.Fail();
  CombineCells(table.data(), cells.data(), cells.size());
}

}  // namespace roofmark::mpi
