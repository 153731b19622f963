// SPDX-License-Identifier: BSD-3-Clause
//
// All ranks' profiles to one, in O(log P) steps and O(paths x metrics) memory per rank. The result
// is that of MergeProfiles() over all ranks in order: integers exactly, m2 within rounding.
#ifndef ROOFMARK_MPI_REDUCE_H_
#define ROOFMARK_MPI_REDUCE_H_

#include <optional>

#include "lib/core/result.h"
#include "lib/profile/profile.h"
#include "mpi/comm.h"

namespace roofmark::mpi {

// More different warnings than this are left out of the merged profile, with a sentence that says
// so.
inline constexpr size_t kMaxWarnings = 50;

// Collective. `local` is this rank's profile as a job of one rank; a rank that measured nothing
// brings one without paths. Rank 0 gets the merged profile, the others nothing; an error where the
// communicator failed.
Result<std::optional<JobProfile>> ReduceProfiles(Comm& comm, const JobProfile& local);

}  // namespace roofmark::mpi

#endif  // ROOFMARK_MPI_REDUCE_H_
