/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program without markers in which rank 0 works four times as long as the others, who wait for it
 * in each step.
 * Divisions take time and few instructions: many samples, and little to count. */
#include <mpi.h>

enum { kSteps = 20 };

static double __attribute__((noinline)) chain(long n, double x) {
  for (long i = 0; i < n; ++i) x = 1.5 / (2 / x) + 0.25;
  return x;
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double x = 1;
  for (int step = 0; step < kSteps; ++step) {
    x = chain((rank == 0 ? 40000000 : 10000000) / kSteps, x);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return x > 0 ? 0 : 1;
}
