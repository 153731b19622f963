// SPDX-License-Identifier: BSD-3-Clause
//
// Agreement of all ranks on the rows (paths) and columns (metrics) of the table of cells that is
// merged. In the common case, the same everywhere, it costs one small allreduce.
#ifndef ROOFMARK_MPI_AGREE_H_
#define ROOFMARK_MPI_AGREE_H_

#include <optional>
#include <vector>

#include "lib/profile/profile.h"
#include "mpi/comm.h"

namespace roofmark::mpi {

struct Agreement {
  // The union of all ranks' paths, sorted; the same names in the same order on every rank. What
  // else stands in a PathInfo is that of the lowest rank that has the path (its operation: of the
  // lowest rank that has one) on rank 0, and undefined elsewhere.
  std::vector<PathInfo> paths;
  // That any path of any rank has, in ascending order; the same on every rank.
  std::vector<MetricId> metrics;
  // False where a rank sent nonsense, as far as this rank knows: paths are of no use then, and
  // others wait for what this rank sends up the tree.
  bool whole = false;
};

// Collective.
// Nothing if the communicator failed.
std::optional<Agreement> Agree(Comm& comm, const JobProfile& local);

}  // namespace roofmark::mpi

#endif  // ROOFMARK_MPI_AGREE_H_
