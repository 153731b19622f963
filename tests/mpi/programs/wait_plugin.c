/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A library that uses MPI, for a program that does not: see wait_opened.c. */
#include <mpi.h>
#include <roofmark/roofmark.h>
#include <unistd.h>

#include "wait_turns.h"

int Job(void);

/* Rank 1 waits for rank 0 in the region. */
int Job(void) {
  int rank;
  if (MPI_Init(NULL, NULL) != MPI_SUCCESS) return 3;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  BeginAndWork(rank, "barrier");
  const int result = MPI_Barrier(MPI_COMM_WORLD);
  roofmark_end("barrier");
  MPI_Finalize();
  return result == MPI_SUCCESS ? 0 : 4;
}
