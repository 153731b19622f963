// SPDX-License-Identifier: BSD-3-Clause
//
// The binomial tree towards rank 0 for messages of different length. Before each step a rank holds
// the result of a contiguous range of ranks that begins with itself, and what it receives belongs
// to the range behind: "the first wins" in a merge means "the lowest rank wins".
#ifndef ROOFMARK_MPI_TREE_H_
#define ROOFMARK_MPI_TREE_H_

#include <cstdint>
#include <vector>

#include "mpi/comm.h"

namespace roofmark::mpi {

// A message of a length that only the sender knows.
[[nodiscard]] bool SendBytes(Comm& comm, uint32_t to, const std::vector<char>& bytes);
[[nodiscard]] bool RecvBytes(Comm& comm, uint32_t from, std::vector<char>& bytes);
[[nodiscard]] bool BcastBytes(Comm& comm, std::vector<char>& bytes);

// `merge(bytes)` takes in what a higher range sent and says whether it made sense; `pack()` gives
// what to send on. One send per rank, ceil(log2 P) steps.
template <typename Merge, typename Pack>
[[nodiscard]] bool MergeUpTree(Comm& comm, Merge merge, Pack pack) {
  for (uint64_t step = 1; step < comm.Size(); step *= 2) {
    if (comm.Rank() & step)
      return SendBytes(comm, static_cast<uint32_t>(comm.Rank() - step), pack());
    if (comm.Rank() + step >= comm.Size()) continue;
    std::vector<char> bytes;
    if (!RecvBytes(comm, static_cast<uint32_t>(comm.Rank() + step), bytes)) return false;
    if (!merge(bytes)) return false;
  }
  return true;
}

}  // namespace roofmark::mpi

#endif  // ROOFMARK_MPI_TREE_H_
