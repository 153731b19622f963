/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two ranks. In each region rank 1 works for 100 ms, then waits inside MPI for rank 0, which works
 * for 200 ms more; data must come through unharmed. */
#include <mpi.h>
#include <pthread.h>
#include <roofmark/roofmark.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "wait_turns.h"

static int rank;

static void Begin(const char* name) { BeginAndWork(rank, name); }

static void Check(int value, int expected) {
  if (value != expected) {
    fprintf(stderr, "rank %d: %d instead of %d\n", rank, value, expected);
    MPI_Abort(MPI_COMM_WORLD, 3);
  }
}

static void Messages(void) {
  const int other = 1 - rank;
  int in = -1, out = 10 + rank;
  MPI_Request requests[2];
  MPI_Status statuses[2];
  Begin("recv");
  if (rank == 0) {
    MPI_Send(&out, 1, MPI_INT, other, 1, MPI_COMM_WORLD);
  } else {
    MPI_Recv(&in, 1, MPI_INT, other, 1, MPI_COMM_WORLD, &statuses[0]);
    Check(in, 10);
    Check(statuses[0].MPI_TAG, 1);
  }
  roofmark_end("recv");

  Begin("sendrecv");
  MPI_Sendrecv(&out, 1, MPI_INT, other, 2, &in, 1, MPI_INT, other, 2, MPI_COMM_WORLD, &statuses[0]);
  Check(in, 10 + other);
  roofmark_end("sendrecv");

  Begin("waitall");
  in = -1;
  MPI_Irecv(&in, 1, MPI_INT, other, 3, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(&out, 1, MPI_INT, other, 3, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, statuses);
  Check(in, 10 + other);
  roofmark_end("waitall");
}

static void Collectives(void) {
  int in[2] = {-1, -1}, out = 10 + rank;
  const int ones[2] = {1, 1}, places[2] = {0, 1};
  Begin("allreduce");
  MPI_Allreduce(&out, in, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  Check(in[0], 21);
  roofmark_end("allreduce");

  Begin("alltoallv");
  const int both[2] = {100 * rank, 100 * rank + 1};
  MPI_Alltoallv(both, ones, places, MPI_INT, in, ones, places, MPI_INT, MPI_COMM_WORLD);
  Check(in[1], 100 + rank);
  roofmark_end("alltoallv");
}

/* In a region that belongs to another thread than main's. */
static void* OnThread(void* unused) {
  Begin("on a thread");
  MPI_Barrier(MPI_COMM_WORLD);
  roofmark_end("on a thread");
  return unused;
}

int main(int argc, char** argv) {
  int level;
  pthread_t thread;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  roofmark_begin("all");
  Messages();
  Collectives();
  roofmark_end("all");
  pthread_create(&thread, NULL, OnThread, NULL);
  pthread_join(thread, NULL);
  MPI_Finalize();
  return 0;
}
