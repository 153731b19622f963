/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program that merges by itself; the first argument chooses how. Every rank prints
 * "<rank> <what roofmark_reduce said>". */
#include <mpi.h>
#include <pthread.h>
#include <roofmark/mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, size;

static void Common(void) {
  for (int i = 0; i <= rank; ++i) {
    ROOF_REGION_BEGIN("common");
    ROOF_REGION_END("common");
  }
}

static int Is(const char* life, const char* name) { return strcmp(life, name) == 0; }

static void Reduce(MPI_Comm comm) {
  char line[32];
  const int length = snprintf(line, sizeof line, "%d %d\n", rank, roofmark_reduce(comm));
  if (write(STDOUT_FILENO, line, (size_t)length) != length) abort();
}

/* Regions around the merge, and some time in them. */
static void Open(void) {
  ROOF_REGION_BEGIN("outer");
  ROOF_REGION_BEGIN("inner");
  usleep(50000);
  Reduce(MPI_COMM_WORLD);
  ROOF_REGION_END("inner");
  ROOF_REGION_END("outer");
}

/* 1000 additions before the merge and 1000 after it. */
static void Work(void) {
  __attribute__((unused)) volatile double sum = 0;
  ROOF_REGION_BEGIN("work");
  for (int i = 0; i < 1000; ++i) sum += 1;
  Reduce(MPI_COMM_WORLD);
  for (int i = 0; i < 1000; ++i) sum += 1;
  ROOF_REGION_END("work");
}

static void Halves(void) {
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  Common();
  Reduce(half);
  MPI_Comm_free(&half);
}

/* The first `count` processes of the world; the others know nothing of it. */
static void First(int count) {
  MPI_Group world, first;
  MPI_Comm comm;
  int range[1][3] = {{0, count - 1, 1}};
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_range_incl(world, 1, range, &first);
  if (rank < count) {
    MPI_Comm_create_group(MPI_COMM_WORLD, first, 1, &comm);
    Common();
    Reduce(comm);
    MPI_Comm_free(&comm);
  }
  MPI_Group_free(&first);
  MPI_Group_free(&world);
}

static void TwoGroups(void) {
  MPI_Comm half, both;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 7, &both);
  Common();
  Reduce(both);
  MPI_Comm_free(&both);
  MPI_Comm_free(&half);
}

static void* OnThread(void* unused) {
  Common();
  Reduce(MPI_COMM_WORLD);
  return unused;
}

int main(int argc, char** argv) {
  const char* life = argc > 1 ? argv[1] : "world";
  int level;
  if (Is(life, "before")) Reduce(MPI_COMM_WORLD);
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (Is(life, "before")) Common();
  if (Is(life, "world") || Is(life, "unfinished")) {
    for (int i = 0; i < 2; ++i) {
      Common();
      Reduce(MPI_COMM_WORLD);
    }
  }
  if (Is(life, "open")) Open();
  if (Is(life, "work")) Work();
  if (Is(life, "halves")) Halves();
  if (Is(life, "first")) First(atoi(argv[2]));
  if (Is(life, "two groups")) TwoGroups();
  if (Is(life, "null")) Reduce(MPI_COMM_NULL);
  if (Is(life, "thread")) {
    pthread_t thread;
    pthread_create(&thread, NULL, OnThread, NULL);
    pthread_join(thread, NULL);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (Is(life, "unfinished")) {
    usleep(200000); /* so that no rank is killed for another's early end */
    exit(0);
  }
  MPI_Finalize();
  if (Is(life, "after")) Reduce(MPI_COMM_WORLD);
  return 0;
}
