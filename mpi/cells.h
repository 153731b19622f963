// SPDX-License-Identifier: BSD-3-Clause
//
// A table of cells in a message. What one rank alone measured, as most messages of a merge bring,
// is a value and a byte instead of a distribution.
#ifndef ROOFMARK_MPI_CELLS_H_
#define ROOFMARK_MPI_CELLS_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "lib/core/bytes.h"
#include "lib/profile/cell.h"

namespace roofmark::mpi {

enum class CellForm : uint8_t { kTable, kOneRank };

// True of what Cell::Of() made for `rank`, and of a cell without ranks.
inline bool IsOfRank(const Cell& cell, uint32_t rank) {
  const uint32_t status = cell.status_bits;
  return cell.ranks == 0 ||
         (cell.ranks == 1 && status != 0 && (status & (status - 1)) == 0 && cell.min == cell.max &&
          cell.min_rank == rank && cell.max_rank == rank && cell.sum_low == cell.min &&
          cell.sum_high == 0 && cell.mean == static_cast<double>(cell.min) && cell.m2 == 0);
}

// A byte: in its lower half one more than the status, in its upper half how many bytes of the value
// follow, the lowest first. Of a cell without ranks a 0. There are many, and they have no pattern:
// so no loop over bytes, and no branch but this one.
inline constexpr size_t kLongestValue = 1 + sizeof(uint64_t);

// A number whose bytes in memory are those of `value`, the lowest first; and the other way round.
inline uint64_t LowestFirst(uint64_t value) {
  return std::endian::native == std::endian::little ? value : __builtin_bswap64(value);
}

// Returns how many of the kLongestValue bytes that it writes count.
inline size_t EncodeValue(const Cell& cell, char* bytes) {
  const uint64_t value = cell.min;
  const unsigned size =
      cell.ranks == 0 ? 0 : (static_cast<unsigned>(std::bit_width(value)) + 7) / 8;
  const unsigned kind =
      cell.ranks == 0 ? 0 : static_cast<unsigned>(std::bit_width(cell.status_bits));
  bytes[0] = static_cast<char>(kind | size << 4);
  const uint64_t lowest_first = LowestFirst(value);
  std::memcpy(bytes + 1, &lowest_first, sizeof lowest_first);
  return 1 + size;
}

// The cells of a rank lie far apart: the next row's are fetched while this one is encoded.
inline void Fetch(const Cell& cell) {
  const char* bytes = reinterpret_cast<const char*>(&cell);
  __builtin_prefetch(bytes);
  __builtin_prefetch(bytes + sizeof cell - 1);
}

// A table of rows x columns, of which `at(row, column)` gives the cells. `rank` is the sender's.
template <typename CellAt>
void PutCells(ByteWriter& writer, size_t rows, size_t columns, uint32_t rank, CellAt at) {
  const size_t begin = writer.size();
  writer.Put(CellForm::kOneRank);
  writer.Put(rank);
  // Most senders have nothing but their own: one walk.
  bool own = true;
  std::vector<char> encoded(columns * kLongestValue);
  for (size_t row = 0; own && row < rows; ++row) {
    size_t size = 0;
    for (size_t column = 0; own && column < columns; ++column) {
      if (row + 1 < rows) Fetch(at(row + 1, column));
      const Cell& cell = at(row, column);
      own = IsOfRank(cell, rank);
      size += EncodeValue(cell, encoded.data() + size);
    }
    writer.PutBytes(encoded.data(), size);
  }
  if (own) return;
  writer.Truncate(begin);
  writer.Put(CellForm::kTable);
  for (size_t row = 0; row < rows; ++row) {
    for (size_t column = 0; column < columns; ++column) {
      writer.PutBytes(&at(row, column), sizeof(Cell));
    }
  }
}

// Combines a table of the same size into `cells`; the reader fails where the message makes no
// sense.
void CombineFrom(ByteReader& reader, std::vector<Cell>& cells);

}  // namespace roofmark::mpi

#endif  // ROOFMARK_MPI_CELLS_H_
