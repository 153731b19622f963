/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program without roofmark, for one side of an MPMD launch: it communicates as the other does. */
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
