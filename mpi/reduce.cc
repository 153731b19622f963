// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/reduce.h"

#include <utility>

#include "lib/core/messages/mpi.h"
#include "mpi/part.h"

namespace roofmark::mpi {

Result<std::optional<JobProfile>> ReduceProfiles(Comm& comm, const JobProfile& local,
                                                 const ReduceOptions& options) {
  Part part(local, comm.Rank(), options.finalize_ns);
  if (!MergeUp(comm, part)) return Error{InWords(message::kMergeFailed)};
  if (comm.Rank() != 0) return std::optional<JobProfile>();
  return std::optional<JobProfile>(std::move(part).Finish(local));
}

}  // namespace roofmark::mpi
