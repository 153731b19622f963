/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Regions of known FLOPs with messages inside them. Rank r does r + 1 times as much as rank 0. */
#include <mpi.h>
#include <roofmark/roofmark.h>
#include <stdio.h>

enum { kSteps = 60, kAdds = 20000, kHalo = 100, kOwn = 10, kSeldom = 3 };

static volatile double g_one = 1.0;

/* n scalar double additions. */
static __attribute__((noinline)) double Add(int n) {
  double sum = 0;
  const double one = g_one;
  for (int i = 0; i < n; ++i) {
    sum += one;
    __asm__ volatile("" : "+x"(sum));
  }
  return sum;
}

static double Halo(double mine, int rank, int ranks) {
  double other = 0;
  ROOF_REGION_BEGIN("halo");
  const double sent = mine + Add(kHalo);
  MPI_Sendrecv(&sent, 1, MPI_DOUBLE, (rank + 1) % ranks, 0, &other, 1, MPI_DOUBLE,
               (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  ROOF_REGION_END("halo");
  return other;
}

/* All ranks together, two collectives inside each visit. */
static double Steps(int rank, int ranks) {
  double all = 0, worst = 0;
  for (int step = 0; step < kSteps; ++step) {
    ROOF_REGION_BEGIN("step");
    const double mine = Add(kAdds * (rank + 1));
    const double other = Halo(mine, rank, ranks);
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&other, &worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    ROOF_REGION_END("step");
  }
  return all + worst;
}

/* What few visits wait for says little. */
static void Seldom(void) {
  for (int i = 0; i < kSeldom; ++i) {
    ROOF_REGION_BEGIN("seldom");
    Add(kHalo);
    MPI_Barrier(MPI_COMM_WORLD);
    ROOF_REGION_END("seldom");
  }
}

/* Each rank by itself, more often on a higher one. */
static void Own(int rank) {
  for (int i = 0; i < kOwn * (rank + 1); ++i) {
    ROOF_REGION_BEGIN("own");
    Add(500);
    ROOF_REGION_END("own");
  }
}

int main(int argc, char** argv) {
  int rank = 0, ranks = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  ROOF_REGION_BEGIN("solve");
  const double result = Steps(rank, ranks);
  Own(rank);
  Seldom();
  ROOF_REGION_BEGIN("check");
  double checked = 0;
  MPI_Allreduce(&result, &checked, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  ROOF_REGION_END("check");
  ROOF_REGION_END("solve");
  if (rank == 0) printf("result %.17g\n", checked);
  MPI_Finalize();
  return 0;
}
