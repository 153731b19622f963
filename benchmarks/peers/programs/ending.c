/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ending REGIONS: an MPI job which enters so many regions on each rank, and whose tool merges them
 * in MPI_Finalize. Rank 0 prints the ms that MPI_Finalize took after a barrier. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "markers.h"

static double NowMs(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  PEER_START();
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int regions = argc == 2 ? atoi(argv[1]) : 0;
  volatile double value = 1;
  for (int region = 0; region < regions; ++region) {
    char name[32];
    snprintf(name, sizeof name, "region %04d", region);
    PEER_NAMED_BEGIN(name);
    for (int i = 0; i < 100 * (rank + 1); ++i) value = 0.5 * value + 1;
    PEER_NAMED_END(name);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = NowMs();
  PEER_STOP();
  MPI_Finalize();
  if (rank == 0) printf("ms %.4f\n", NowMs() - begin);
  return 0;
}
