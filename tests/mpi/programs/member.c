/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One process of a job on several nodes; the first argument says what it does. It is not linked
 * with roofmark: it finds the markers in the process, if they are there. Rank r visits "common"
 * r + 1 times. */
#include <dlfcn.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef void (*Marker)(const char* name);

static int rank, size;
static MPI_Request pending;
static int wanted;

static Marker Find(const char* name) {
  void* found = dlsym(RTLD_DEFAULT, name);
  Marker marker;
  memcpy(&marker, &found, sizeof marker);
  return marker;
}

static void Common(void) {
  const Marker begin = Find("roofmark_begin"), end = Find("roofmark_end");
  for (int i = 0; begin != NULL && i <= rank; ++i) {
    begin("common");
    end("common");
  }
}

/* The same on every rank, but on node n2 it takes five times as long; nobody waits for it. */
static void Work(void) {
  const Marker begin = Find("roofmark_begin"), end = Find("roofmark_end");
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  if (begin != NULL) begin("work");
  usleep(strcmp(host, "n2") == 0 ? 1500000 : 300000);
  if (end != NULL) end("work");
}

/* As soon as it may, with the tag of roofmark's own messages, to a receive that takes all. */
static void Ring(void) {
  const int tag = 24572, next = (rank + 1) % size, before = (rank + size - 1) % size;
  unsigned long sent = 1000ul + (unsigned long)rank, got = 0;
  MPI_Request request;
  MPI_Status status;
  MPI_Irecv(&got, 1, MPI_UNSIGNED_LONG, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
  MPI_Send(&sent, 1, MPI_UNSIGNED_LONG, next, tag, MPI_COMM_WORLD);
  MPI_Wait(&request, &status);
  if (status.MPI_SOURCE != before || got != 1000ul + (unsigned long)before) {
    printf("rank %d received %lu of rank %d\n", rank, got, status.MPI_SOURCE);
    MPI_Abort(MPI_COMM_WORLD, 3);
  }
}

/* Once all ranks have visited "common". */
static void Sleep(unsigned seconds) {
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("asleep\n");
  fflush(stdout);
  sleep(seconds);
}

int main(int argc, char** argv) {
  const char* does = argc > 1 ? argv[1] : "common";
  const char* number = getenv("PMIX_RANK") != NULL ? getenv("PMIX_RANK") : getenv("PMI_RANK");
  if (!strcmp(does, "late") && number != NULL && atoi(number) == 1) sleep(3);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  Ring();
  Common();
  if (!strcmp(does, "works")) Work();
  if (!strcmp(does, "dies") && rank == size - 1) raise(SIGKILL);
  if (!strcmp(does, "last") && rank == size - 1) sleep(3);
  if (!strcmp(does, "sleeps")) Sleep(60);
  if (!strcmp(does, "dies_asleep")) {
    Sleep(5);
    raise(SIGKILL);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("done\n");
  fflush(stdout);
  if (!strcmp(does, "pending"))
    MPI_Irecv(&wanted, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &pending);
  if (!strcmp(does, "dies_at_the_end") && rank == size - 1) raise(SIGKILL);
  MPI_Finalize();
  return 0;
}
