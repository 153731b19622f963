// SPDX-License-Identifier: BSD-3-Clause
//
// The spreads of all rows in a message: as with cells, what one rank alone measured is a value and
// its status.
#ifndef ROOFMARK_MPI_SPREADS_H_
#define ROOFMARK_MPI_SPREADS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "lib/core/bytes.h"
#include "lib/profile/spread.h"

namespace roofmark::mpi {

// `at(row, spread)` gives each of the kSpreads of so many rows. `rank` is the sender's.
void PutSpreads(ByteWriter& writer, size_t rows, uint32_t rank,
                const std::function<const Spread&(size_t, size_t)>& at);

// Combines them into `spreads`, row i into row `rows`[i]. The reader fails where the message makes
// no sense.
void CombineFrom(ByteReader& reader, std::span<const size_t> rows, std::vector<Spread>& spreads);

}  // namespace roofmark::mpi

#endif  // ROOFMARK_MPI_SPREADS_H_
