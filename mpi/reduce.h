// SPDX-License-Identifier: BSD-3-Clause
//
// All ranks' profiles to one, in O(log P) steps and O(paths x metrics) memory per rank: one small
// allreduce where all ranks have the same paths, then one message per rank up the tree (tree.h).
// The result is that of MergeProfiles() over all ranks in order, whatever the tree: integers
// exactly, m2 within rounding.
#ifndef ROOFMARK_MPI_REDUCE_H_
#define ROOFMARK_MPI_REDUCE_H_

#include <cstdint>
#include <functional>
#include <optional>

#include "lib/core/result.h"
#include "lib/profile/profile.h"
#include "mpi/comm.h"

namespace roofmark::mpi {

// More different warnings than this are left out of the merged profile, with a sentence that says
// so.
inline constexpr size_t kMaxWarnings = 50;

struct ReduceOptions {
  // How long this rank has been finalizing when it is asked, for RunInfo::cost; may be empty.
  std::function<uint64_t()> finalize_ns = {};
};

// Collective. `local` is this rank's profile as a job of one rank; a rank that measured nothing
// brings one without paths. A metric has cells only if its source has a value. Rank 0 gets the
// merged profile, the others nothing; an error on rank 0 if the communicator failed, or a rank's
// message was above limits::kMessageBytes or not understood. Other ranks may not know of that. None
// waits for another one that gave up.
Result<std::optional<JobProfile>> ReduceProfiles(Comm& comm, const JobProfile& local,
                                                 const ReduceOptions& options = {});

}  // namespace roofmark::mpi

#endif  // ROOFMARK_MPI_REDUCE_H_
