// SPDX-License-Identifier: BSD-3-Clause
//
// A table of cells in a message. What one rank alone measured, as most messages of a merge bring,
// is a value and its status instead of a distribution.
#ifndef ROOFMARK_MPI_CELLS_H_
#define ROOFMARK_MPI_CELLS_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "lib/core/bytes.h"
#include "lib/profile/cell_table.h"

namespace roofmark::mpi {

enum class Form : uint8_t { kMerged, kOneRank };

// The columns `metrics` of a table. `rank` is the sender's.
void PutCells(ByteWriter& writer, const CellTable& cells, std::span<const MetricId> metrics,
              uint32_t rank);

// Combines the columns `metrics` of a message into those of `cells`, row i into row `rows`[i]. The
// reader fails where the message makes no sense.
void CombineFrom(ByteReader& reader, std::span<const size_t> rows,
                 std::span<const MetricId> metrics, CellTable& cells);

}  // namespace roofmark::mpi

#endif  // ROOFMARK_MPI_CELLS_H_
