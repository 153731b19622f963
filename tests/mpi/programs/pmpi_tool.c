/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Another tool that wraps MPI_Init and MPI_Finalize, as a library to preload. */
#include <mpi.h>
#include <stdio.h>

int MPI_Init(int* argc, char*** argv) {
  const int result = PMPI_Init(argc, argv);
  int rank;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) fprintf(stderr, "tool: init\n");
  return result;
}

int MPI_Finalize(void) {
  int rank;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) fprintf(stderr, "tool: finalize\n");
  return PMPI_Finalize();
}

int MPI_Recv(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
             MPI_Status* status) {
  fprintf(stderr, "tool: recv\n");
  return PMPI_Recv(buffer, count, type, source, tag, comm, status);
}
