// SPDX-License-Identifier: BSD-3-Clause
//
// Agreement of all ranks on the rows (paths) and columns (metrics) of the table of cells that is
// reduced. In the common case, the same paths everywhere, it costs two small allreduces.
#ifndef ROOFMARK_MPI_AGREE_H_
#define ROOFMARK_MPI_AGREE_H_

#include <optional>
#include <vector>

#include "lib/profile/profile.h"
#include "mpi/comm.h"

namespace roofmark::mpi {

// The union of all ranks' paths, sorted; the same names in the same order on every rank. What else
// stands in a PathInfo is that of the lowest rank that has the path, on rank 0, and undefined
// elsewhere. Empty if the communicator failed.
std::optional<std::vector<PathInfo>> AgreeOnPaths(Comm& comm, const std::vector<PathInfo>& mine);

// The metrics that any path of any rank has, in ascending order; the same on every rank.
std::optional<std::vector<MetricId>> AgreeOnMetrics(Comm& comm, const JobProfile& local);

}  // namespace roofmark::mpi

#endif  // ROOFMARK_MPI_AGREE_H_
