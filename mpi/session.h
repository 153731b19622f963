// SPDX-License-Identifier: BSD-3-Clause
//
// From MPI_Init to MPI_Finalize. All functions may be called more than once, by whichever hooks
// fire; the first call counts.
#ifndef ROOFMARK_MPI_SESSION_H_
#define ROOFMARK_MPI_SESSION_H_

#include "mpi/store/pmix_store.h"

namespace roofmark::mpi {

// Before MPI is initialised: makes this process known to those of its node. No process leaves
// MPI_Init before all have entered it, so all are known to every process that has left it.
void OnInitialising() noexcept;

// While MPI is initialised: it calls PMIx_Commit, of which these are the functions. Calls it.
int OnCommitting(const PmixCalls& calls) noexcept;

// After MPI was initialised. Ranks that record exchange messages with those neighbours that they
// find in the launcher's store, on MPI_COMM_WORLD: no receive of the application can match them,
// for each has arrived before either side leaves MPI_Init's wrapper.
void OnInitialised() noexcept;
// After MPI_Init has failed.
void OnNotInitialised() noexcept;

// While MPI still works: merges all ranks' profiles, or writes this rank's part where some process
// of the world would not join.
void OnFinalizing() noexcept;

// How an explicit merge ended. The numbers are those of roofmark/mpi.h.
enum class Reduced {
  kDone = 0,    // on every member
  kOff = 1,     // this process does not record
  kParts = 2,   // not merged: this process wrote its part
  kFailed = 3,  // and nothing was written
};

// Merges what was measured until now over the processes of `comm` (a Fortran handle). Collective
// over it, among those that record; between MPI_Init and MPI_Finalize.
Reduced ReduceOver(int comm) noexcept;

}  // namespace roofmark::mpi

#endif  // ROOFMARK_MPI_SESSION_H_
