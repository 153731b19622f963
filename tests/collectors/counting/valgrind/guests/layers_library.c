/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A library of the user that calls MPI for the program. */
#include "tests/collectors/counting/valgrind/guests/layers_library.h"

#include <mpi.h>

void library_sum(double* value, int count) {
  double sum[16];
  MPI_Allreduce(value, sum, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < count; ++i) value[i] = sum[i];
}

/* Its last instruction is a jump to MPI's function. */
int library_wait(void) { return MPI_Barrier(MPI_COMM_WORLD); }
