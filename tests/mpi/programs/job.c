/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A marked MPI program; the first argument chooses its life. */
#include <mpi.h>
#include <roofmark/roofmark.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void Visit(const char* name, int times) {
  for (int i = 0; i < times; ++i) {
    roofmark_begin(name);
    roofmark_end(name);
  }
}

/* Rank r visits "common" r + 1 times. */
static void Common(int rank) {
  for (int i = 0; i <= rank; ++i) {
    ROOF_REGION_BEGIN("common");
    ROOF_REGION_WORK(1000 * (rank + 1), 0);
    ROOF_REGION_END("common");
  }
}

static void Tree(int rank) {
  ROOF_REGION_BEGIN("root");
  char name[16];
  for (int depth = 0; depth < rank; ++depth) {
    snprintf(name, sizeof name, "d%d", depth);
    roofmark_begin(name);
  }
  for (int depth = rank - 1; depth >= 0; --depth) {
    snprintf(name, sizeof name, "d%d", depth);
    roofmark_end(name);
  }
  ROOF_REGION_END("root");
}

int main(int argc, char** argv) {
  const char* life = argc > 1 ? argv[1] : "common";
  int rank = 0, size = 0, level = 0;
  if (!strcmp(life, "around")) ROOF_REGION_BEGIN("around");
  if (!strcmp(life, "thread")) {
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  } else {
    MPI_Init(&argc, &argv);
  }
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (!strcmp(life, "common") || !strcmp(life, "thread") || !strcmp(life, "unfinished"))
    Common(rank);
  if (!strcmp(life, "one") && rank == size - 1) Visit("only the last", 3);
  if (!strcmp(life, "different")) Visit(rank % 2 ? "odd" : "even", rank + 1);
  if (!strcmp(life, "tree")) Tree(rank);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("done\n");
  fflush(stdout);
  if (!strcmp(life, "around")) ROOF_REGION_END("around");
  if (!strcmp(life, "unfinished")) {
    usleep(200000); /* so that no rank is killed for another's early end */
    if (getenv("JOB_QUICK_EXIT")) _exit(0);
    exit(0);
  }
  if (!strcmp(life, "over")) ROOF_REGION_BEGIN("over");
  MPI_Finalize();
  if (!strcmp(life, "over")) ROOF_REGION_END("over");
  if (!strcmp(life, "common")) Visit("after", 2);
  for (int i = 0; !strcmp(life, "late") && rank == size - 1 && i < 3; ++i) {
    ROOF_REGION_BEGIN("behind");
    ROOF_REGION_END("behind");
  }
  return 0;
}
