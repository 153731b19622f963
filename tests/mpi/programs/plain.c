/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program without roofmark, for one side of an MPMD launch: it communicates as the other does. */
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Comm some;
  MPI_Init(&argc, &argv);
  if (argc > 1) { /* beside lives.c */
    MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &some);
    MPI_Barrier(some);
    MPI_Comm_free(&some);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
