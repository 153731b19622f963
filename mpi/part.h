// SPDX-License-Identifier: BSD-3-Clause
//
// All that a rank has, and has taken in of others, in one message: the table of cells, the spreads,
// the description of the run.
#ifndef ROOFMARK_MPI_PART_H_
#define ROOFMARK_MPI_PART_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "mpi/agree.h"
#include "mpi/description.h"
#include "mpi/tree.h"

namespace roofmark::mpi {

class Part final : public Merging {
 public:
  // `finalize_ns` says when asked how long this rank has been finalizing; may be empty.
  Part(const JobProfile& local, const Agreement& agreement, uint32_t rank,
       const std::function<uint64_t()>& finalize_ns);

  bool Take(const std::vector<char>& bytes) override;
  std::vector<char> Pack() override;

  // On rank 0, when all was taken in. `local` is its own profile, whose passes are kept.
  JobProfile Finish(const JobProfile& local) &&;

 private:
  const Cell& CellAt(size_t row, size_t column) const;
  const Spread& SpreadAt(size_t row, size_t spread) const;
  // Copies what is still the local profile's, to take in others'.
  void Unfold();
  void PutSpreads(ByteWriter& writer) const;
  void GetSpreads(ByteReader& reader);
  void AddFinalizeTime();

  const Agreement& agreement_;
  const JobProfile* local_;   // nullptr: unfolded
  std::vector<size_t> rows_;  // local path by row of the agreement; kNone
  const uint32_t rank_;
  const std::function<uint64_t()>& finalize_ns_;
  std::vector<Cell> cells_;  // the rows and columns all agreed on, once unfolded
  Description description_;
  JobProfile spreads_;  // likewise: spreads and rank_hosts alone
};

}  // namespace roofmark::mpi

#endif  // ROOFMARK_MPI_PART_H_
