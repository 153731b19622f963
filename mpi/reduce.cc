// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/reduce.h"

#include <utility>

#include "mpi/part.h"

namespace roofmark::mpi {

Result<std::optional<JobProfile>> ReduceProfiles(Comm& comm, const JobProfile& local,
                                                 const ReduceOptions& options) {
  Part part(local, comm.Rank(), options.finalize_ns);
  if (!MergeUp(comm, part)) {
    return Error{
        "the ranks' profiles could not be merged: MPI failed, or a rank sent what "
        "the others did not understand"};
  }
  if (comm.Rank() != 0) return std::optional<JobProfile>();
  return std::optional<JobProfile>(std::move(part).Finish(local));
}

}  // namespace roofmark::mpi
