/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One life of an MPI program: how it begins, which regions each rank enters, how it ends. The
 * arguments say: BEGIN REGIONS END. */
#include <mpi.h>
#include <pthread.h>
#include <roofmark/roofmark.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char* end_;
static int rank, size;

static int Is(const char* what, const char* name) { return strcmp(what, name) == 0; }

static void Visit(const char* name, int times) {
  for (int i = 0; i < times; ++i) {
    roofmark_begin(name);
    roofmark_end(name);
  }
}

static void Begin(const char* how, int* argc, char*** argv) {
  const char* levels[] = {"single", "funneled", "serialized", "multiple"};
  const int values[] = {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED,
                        MPI_THREAD_MULTIPLE};
  if (Is(how, "init")) MPI_Init(argc, argv);
  for (int i = 0; i < 4; ++i) {
    int provided;
    if (Is(how, levels[i])) MPI_Init_thread(argc, argv, values[i], &provided);
  }
}

/* All of a rank's visits together are rank + 1, or 0 where it enters none. */
static void Regions(const char* which) {
  if (Is(which, "same")) Visit("same", rank + 1);
  if (Is(which, "some") && rank % 2 == 1) Visit("some", rank + 1);
  if (Is(which, "different")) Visit(rank % 2 ? "odd" : "even", rank + 1);
  if (Is(which, "sub")) {
    MPI_Comm half;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    Visit("sub", rank + 1);
    MPI_Barrier(half);
    MPI_Comm_free(&half);
  } else {
    /* The program beside this one takes part in the same. */
    MPI_Comm all;
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &all);
    MPI_Barrier(all);
    MPI_Comm_free(&all);
  }
}

static void* Finalize(void* unused) {
  MPI_Finalize();
  return unused;
}
static void FinalizeAtExit(void) { MPI_Finalize(); }
static void __attribute__((destructor)) FinalizeLast(void) {
  if (end_ != NULL && Is(end_, "destructor")) MPI_Finalize();
}

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  Begin(argv[1], &argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  Regions(argv[2]);
  MPI_Barrier(MPI_COMM_WORLD);
  end_ = argv[3];
  if (Is(end_, "finalize")) MPI_Finalize();
  if (Is(end_, "thread")) {
    pthread_t thread;
    pthread_create(&thread, NULL, Finalize, NULL);
    pthread_join(thread, NULL);
  }
  if (Is(end_, "atexit")) atexit(FinalizeAtExit);
  if (Is(end_, "missing") || Is(end_, "_exit")) usleep(200000); /* no rank dies for another's end */
  if (Is(end_, "_exit")) _exit(0);
  return 0;
}
