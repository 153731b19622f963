// SPDX-License-Identifier: BSD-3-Clause
//
// A table of cells in a message. What one rank alone measured, as most messages of a merge bring,
// is a value and a byte instead of a distribution.
#ifndef ROOFMARK_MPI_CELLS_H_
#define ROOFMARK_MPI_CELLS_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lib/core/bytes.h"
#include "lib/profile/cell.h"

namespace roofmark::mpi {

enum class CellForm : uint8_t { kTable, kOneRank };

// True of what Cell::Of() made for `rank`, and of a cell without ranks.
inline bool IsOfRank(const Cell& cell, uint32_t rank) {
  return cell.ranks == 0 ||
         (cell.ranks == 1 && std::has_single_bit(cell.status_bits) && cell.min == cell.max &&
          cell.min_rank == rank && cell.max_rank == rank && cell.sum_low == cell.min &&
          cell.sum_high == 0 && cell.mean == static_cast<double>(cell.min) && cell.m2 == 0);
}

// Of a cell without ranks a 0. Else one more than the status, and the value: both in one piece,
// for there are many.
inline void PutValue(ByteWriter& writer, const Cell& cell) {
  char bytes[1 + kLongestVarint] = {
      static_cast<char>(cell.ranks == 0 ? 0 : std::bit_width(cell.status_bits))};
  writer.PutBytes(bytes, 1 + (cell.ranks == 0 ? 0 : EncodeVarint(cell.min, bytes + 1)));
}

// A table of rows x columns, of which `at(row, column)` gives the cells. `rank` is the sender's.
template <typename CellAt>
void PutCells(ByteWriter& writer, size_t rows, size_t columns, uint32_t rank, CellAt at) {
  // True if `visit` was for all cells.
  const auto for_each = [&](auto visit) {
    for (size_t row = 0; row < rows; ++row) {
      for (size_t column = 0; column < columns; ++column) {
        if (!visit(at(row, column))) return false;
      }
    }
    return true;
  };
  const size_t begin = writer.size();
  writer.Put(CellForm::kOneRank);
  writer.Put(rank);
  // Most senders have nothing but their own: one walk.
  if (for_each([&](const Cell& cell) {
        const bool own = IsOfRank(cell, rank);
        if (own) PutValue(writer, cell);
        return own;
      })) {
    return;
  }
  writer.Truncate(begin);
  writer.Put(CellForm::kTable);
  for_each([&](const Cell& cell) {
    writer.PutBytes(&cell, sizeof cell);
    return true;
  });
}

// Combines a table of the same size into `cells`; the reader fails where the message makes no
// sense.
void CombineFrom(ByteReader& reader, std::vector<Cell>& cells);

}  // namespace roofmark::mpi

#endif  // ROOFMARK_MPI_CELLS_H_
