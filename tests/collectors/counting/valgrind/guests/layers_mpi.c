/* SPDX-License-Identifier: BSD-3-Clause
 *
 * layers_mpi MODE: ranks that wait for each other. What rank 0 does between the MPI calls is the
 * same with any number of ranks; the others come late. Rank 0 alone reports. */
#include <mpi.h>
#include <setjmp.h>
#include <string.h>
#include <unistd.h>

#include "tests/collectors/counting/valgrind/guests/guest.h"
#include "tests/collectors/counting/valgrind/guests/layers_library.h"

enum { kUnit = 1000, kLate = 200000 /* microseconds */ };

static int rank, ranks;

__attribute__((noinline)) static void add(long n) {
  __attribute__((unused)) volatile double sum = 0;
  for (long i = 0; i < n; ++i) sum += 1.0;
}

static double allreduce(double value) {
  double sum = 0;
  MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

static void come_late(void) {
  if (rank != 0) usleep(kLate);
}

static void run_late(void) {
  allreduce(1); /* every function was found */
  MPI_Barrier(MPI_COMM_WORLD);
  guest_team(1);
  add(kUnit);
  come_late();
  allreduce(2);
  add(kUnit);
  guest_team(0);
}

static void run_library(void) {
  double values[4] = {1, 2, 3, 4};
  library_sum(values, 4);
  library_wait();
  guest_team(1);
  come_late();
  library_sum(values, 4);
  come_late();
  library_wait();
  add(kUnit);
  guest_team(0);
}

/* Nothing waits for it with MPI_Test. */
static void run_polling(void) {
  MPI_Request request;
  int value = 0, done = 0;
  const int partner = rank ^ 1;
  allreduce(1);
  guest_team(1);
  if (partner < ranks) {
    if (rank == 0) {
      MPI_Irecv(&value, 1, MPI_INT, partner, 0, MPI_COMM_WORLD, &request);
      while (!done) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    } else {
      usleep(kLate);
      MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
  }
  add(kUnit);
  guest_team(0);
}

/* The program's own reduction: still inside MPI, in the path that it chose. */
static void reduce(void* in, void* out, int* count, MPI_Datatype* type) {
  (void)in, (void)out, (void)count, (void)type;
  guest_own(2);
  add(300);
  guest_own(0);
  add(40);
#pragma omp parallel num_threads(2)
  add(5);
}

static void run_reduction(void) {
  double value = rank, sum = 0;
  MPI_Op op;
  MPI_Op_create(reduce, 1, &op);
  guest_team(1);
  add(kUnit);
  MPI_Reduce_local(&value, &sum, 1, MPI_DOUBLE, op);
  add(kUnit);
  guest_team(0);
  MPI_Op_free(&op);
}

static jmp_buf escape;
static void leave(void* in, void* out, int* count, MPI_Datatype* type) {
  (void)in, (void)out, (void)count, (void)type;
  add(20);
  longjmp(escape, 1);
}

static void run_longjmp(void) {
  double value = rank, sum = 0;
  MPI_Op op;
  MPI_Op_create(leave, 1, &op);
  guest_team(1);
  if (!setjmp(escape)) MPI_Reduce_local(&value, &sum, 1, MPI_DOUBLE, op);
  add(kUnit);
  guest_team(0);
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "";
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (!strcmp(mode, "late")) run_late();
  if (!strcmp(mode, "library")) run_library();
  if (!strcmp(mode, "polling")) run_polling();
  if (!strcmp(mode, "reduction")) run_reduction();
  if (!strcmp(mode, "longjmp")) run_longjmp();
  const int result = rank == 0 ? guest_report() : 0;
  MPI_Finalize();
  return result;
}
