// SPDX-License-Identifier: BSD-3-Clause
//
// ROOFMARK_DETAIL: what each rank, or each thread, measured, in one file that all ranks write
// together. The layout is docs/file-formats.md's.
#ifndef ROOFMARK_MPI_RANKS_FILE_RANKS_FILE_H_
#define ROOFMARK_MPI_RANKS_FILE_RANKS_FILE_H_

#include <string>

#include "lib/profile/profile.h"
#include "mpi/comm.h"
#include "mpi/plugin.h"

namespace roofmark::mpi {

// Collective over `comm`; one small allreduce where no rank asked for it. `local` as for
// ReduceProfiles, `merged` what that gave on rank 0: its paths and metrics are those of the file.
// Memory: one row, O(paths x metrics), and the threads' own records. Returns the file's name on
// rank 0 where it was written; says why not where it was not.
std::string WriteDetail(Comm& comm, const Plugin& plugin, const std::string& mpi_version,
                        const JobProfile& local, const JobProfile* merged);

}  // namespace roofmark::mpi

#endif  // ROOFMARK_MPI_RANKS_FILE_RANKS_FILE_H_
