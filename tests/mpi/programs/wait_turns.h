/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How two ranks come to a region, so that rank 1 waits for rank 0 in it on a busy machine, too:
 * each step follows a message, and none a guess of how long another takes. */
#ifndef ROOFMARK_TESTS_MPI_PROGRAMS_WAIT_TURNS_H_
#define ROOFMARK_TESTS_MPI_PROGRAMS_WAIT_TURNS_H_

#include <mpi.h>
#include <roofmark/roofmark.h>
#include <unistd.h>

/* Rank 0 is in the region first. Rank 1 works there for 100 ms, and says so when it goes on to MPI;
 * rank 0 works for 200 ms from then on. The wrappers see nothing of it. */
static void BeginAndWork(int rank, const char* region) {
  char turn = 0;
  MPI_Status status;
  if (rank == 0) {
    roofmark_begin(region);
    PMPI_Send(&turn, 1, MPI_CHAR, 1, 91, MPI_COMM_WORLD);
    PMPI_Recv(&turn, 1, MPI_CHAR, 1, 92, MPI_COMM_WORLD, &status);
    usleep(200000);
  } else {
    PMPI_Recv(&turn, 1, MPI_CHAR, 0, 91, MPI_COMM_WORLD, &status);
    roofmark_begin(region);
    usleep(100000);
    PMPI_Send(&turn, 1, MPI_CHAR, 0, 92, MPI_COMM_WORLD);
  }
}

#endif /* ROOFMARK_TESTS_MPI_PROGRAMS_WAIT_TURNS_H_ */
