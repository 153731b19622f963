// SPDX-License-Identifier: BSD-3-Clause
//
// All that a rank has, and has taken in of others, in one message that says itself what it holds:
// paths, metrics, the table of cells, the spreads, the description of the run.
#ifndef ROOFMARK_MPI_PART_H_
#define ROOFMARK_MPI_PART_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "lib/profile/profile.h"
#include "mpi/description.h"
#include "mpi/tree.h"

namespace roofmark::mpi {

class Part final : public Merging {
 public:
  // `finalize_ns` says when asked how long this rank has been finalizing; may be empty.
  Part(const JobProfile& local, uint32_t rank, const std::function<uint64_t()>& finalize_ns);

  bool Take(const std::vector<char>& bytes) override;
  std::vector<char> Pack() override;

  // On rank 0, when all was taken in. `local` is its own profile, whose passes are kept.
  JobProfile Finish(const JobProfile& local) &&;

 private:
  // Paths, cells, spreads and hosts of ranks: the local profile's until something is taken in.
  const JobProfile& tables() const { return local_ == nullptr ? tables_ : *local_; }
  // Copies what is still the local profile's, to take in others'.
  void Unfold();
  // The row here of each row of the message; those that are new are made.
  std::vector<size_t> TakePaths(ByteReader& reader);
  // For paths that have come: `own` says where the rows that there were stand now.
  void MakeRows(const std::vector<size_t>& own);
  void TakeHosts(ByteReader& reader);
  void AddFinalizeTime();

  const JobProfile* local_;  // nullptr: unfolded
  uint64_t hash_;            // of the paths
  const uint32_t rank_;
  const std::function<uint64_t()>& finalize_ns_;
  Description description_;
  JobProfile tables_;  // nothing else of it, once unfolded
};

}  // namespace roofmark::mpi

#endif  // ROOFMARK_MPI_PART_H_
