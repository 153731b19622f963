// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/cells.h"

namespace roofmark::mpi {
namespace {

void CombineOneRank(ByteReader& reader, std::vector<Cell>& cells) {
  constexpr auto kHighest = static_cast<uint8_t>(Status::kInvalid) + 1;
  const auto rank = reader.Get<uint32_t>();
  for (Cell& cell : cells) {
    const auto kind = reader.Get<uint8_t>();
    if (kind == 0) continue;
    if (kind > kHighest) return reader.Fail();
    const uint64_t value = reader.GetVarint();
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
