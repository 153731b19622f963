/* SPDX-License-Identifier: BSD-3-Clause
 *
 * roofmark: a merge of your own, beside the one at MPI_Finalize. For libraries, for codes that work
 * on a part of MPI_COMM_WORLD, and for codes that do not end where their measurement ends.
 *
 *     #include <roofmark/mpi.h>
 *     roofmark_reduce(MPI_COMM_WORLD);
 *
 * Writes what the processes of `comm` have measured since they started to a roofline file beside
 * ROOFMARK_OUTPUT: the n-th merge of a process to "run.reduce<n>.json", one over a part of
 * MPI_COMM_WORLD to "run.reduce<n>.rank<r>.json", r being the rank in MPI_COMM_WORLD of comm's rank
 * 0. Measurement goes on: the file of MPI_Finalize holds everything. Regions open on the calling
 * thread count as if they ended now; the time that the merge takes belongs to no region. An
 * existing file is kept, as always.
 *
 * Collective over `comm`, an intracommunicator, between MPI_Init and MPI_Finalize, on any thread
 * that may call MPI. Where a member is not known to record (it is another program, its ROOFMARK
 * variables are not set, or it stands on another node and ROOFMARK_MERGE=always is not set), nobody
 * waits for it: every process writes its part, for `roofmark merge`. No other effect: nothing is
 * sent on `comm` itself but the making of a communicator of our own.
 *
 * Unlike the other functions it tells how it ended; ignoring that is fine, for a reason is printed
 * once. With recording off, or after MPI_Finalize, it returns at once. */
#ifndef ROOFMARK_MPI_H_
#define ROOFMARK_MPI_H_

#include <mpi.h>
#include <roofmark/roofmark.h>

#define ROOFMARK_REDUCED 0       /* the file is written, or this process's share is in it */
#define ROOFMARK_REDUCE_OFF 1    /* this process does not record */
#define ROOFMARK_REDUCE_PARTS 2  /* not merged: this process wrote its part */
#define ROOFMARK_REDUCE_FAILED 3 /* nothing was written */

#ifdef __cplusplus
extern "C" {
#endif

#ifdef ROOFMARK_DISABLE
static inline int roofmark_reduce_f(int comm) {
  (void)comm;
  return ROOFMARK_REDUCE_OFF;
}
static inline int roofmark_reduce(MPI_Comm comm) {
  (void)comm;
  return ROOFMARK_REDUCE_OFF;
}
#else
/* The same for a Fortran handle. The library knows no mpi.h: a Fortran handle is an integer in
 * every MPI. */
int roofmark_reduce_f(int comm);

static inline int roofmark_reduce(MPI_Comm comm) {
  int begun = 1, ended = 0;
#if MPI_VERSION < 4
  MPI_Initialized(&begun); /* with sessions it tells nothing */
#endif
  MPI_Finalized(&ended);
  if (!begun || ended) return ROOFMARK_REDUCE_OFF;
  return roofmark_reduce_f((int)MPI_Comm_c2f(comm));
}
#endif

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_MPI_H_ */
