/* SPDX-License-Identifier: BSD-3-Clause
 *
 * work: an MPI job with OpenMP threads that does known FLOPs, for what each tool counts of them.
 *   solve  kVisits times on each rank; thread t of a construct sweeps t + 1 times as often
 *   extra  once on rank 1 alone, on one thread
 * A sweep is one multiplication and one addition for each of kLength values. Rank 0 prints the
 * FLOPs of all ranks in solve and in extra, as they follow from this. */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>

#include "markers.h"

enum { kLength = 2048, kSweeps = 1000, kVisits = 10, kThreads = 2 };

static double values[kThreads][kLength];

__attribute__((noinline)) void sweep(double* x, int times) {
  for (int time = 0; time < times; ++time) {
    for (int i = 0; i < kLength; ++i) x[i] = 0.5 * x[i] + 1.0;
    __asm__ volatile("" : : "r"(x) : "memory");
  }
}

static void solve(void) {
  PEER_BEGIN("solve");
#pragma omp parallel num_threads(kThreads)
  sweep(values[omp_get_thread_num()], kSweeps * (omp_get_thread_num() + 1));
  PEER_END("solve");
}

static void extra(void) {
  PEER_BEGIN("extra");
  sweep(values[0], kSweeps);
  PEER_END("extra");
}

int main(int argc, char** argv) {
  int rank = 0, ranks = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  PEER_START();
#pragma omp parallel num_threads(kThreads)
  if (omp_get_thread_num() > 0) PEER_THREAD();
  for (int visit = 0; visit < kVisits; ++visit) solve();
  if (rank == 1) extra();
  PEER_STOP();
  const long long sweep_flops = 2LL * kLength * kSweeps;
  if (rank == 0)
    printf("flops %lld %lld\n", sweep_flops * kVisits * ranks * (kThreads * (kThreads + 1) / 2),
           sweep_flops * (ranks > 1));
  MPI_Finalize();
  return 0;
}
