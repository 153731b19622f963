// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/reduce.h"

#include <utility>

#include "mpi/agree.h"
#include "mpi/part.h"

namespace roofmark::mpi {

Result<std::optional<JobProfile>> ReduceProfiles(Comm& comm, const JobProfile& local,
                                                 const ReduceOptions& options) {
  const Error failed{"MPI failed while the ranks' profiles were merged"};
  const std::optional<Agreement> agreement = Agree(comm, local, options.one_node);
  if (!agreement) return failed;
  Part part(local, *agreement, comm.Rank(), options.finalize_ns);
  if (!agreement->levels.MergeUp(part)) return failed;
  if (comm.Rank() != 0) return std::optional<JobProfile>();
  return std::optional<JobProfile>(std::move(part).Finish(local));
}

}  // namespace roofmark::mpi
