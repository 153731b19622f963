/* SPDX-License-Identifier: BSD-3-Clause
 *
 * threads MODE: threads with unequal work; a worker's serial and its additions are printed as
 * "worker SERIAL ADDITIONS". Team path 1 is open while they run; with own paths, worker k is in
 * 10+k. */
#include <omp.h>
#include <pthread.h>
#include <string.h>
#include <threads.h>

#include "tests/collectors/counting/valgrind/guests/guest.h"

enum { kUnit = 1000, kMaxWorkers = 64 };

static struct {
  unsigned long serial;
  long additions;
} workers[kMaxWorkers];

__attribute__((noinline)) static void add(long n) {
  __attribute__((unused)) volatile double sum = 0;
  for (long i = 0; i < n; ++i) sum += 1.0;
}

static void work(long k, int own_path) {
  workers[k].serial = ROOF_REQUEST(ROOF_REQ_THREAD, 0);
  workers[k].additions = (k + 1) * kUnit;
  if (own_path) guest_own(10 + (unsigned long)k);
  add(workers[k].additions);
  if (own_path) guest_own(0);
}

static void* pthread_main(void* k) {
  work((long)k, 0);
  return NULL;
}

static int c11_main(void* k) {
  work((long)k, 0);
  return 0;
}

static void run_openmp(int own_path) {
#pragma omp parallel num_threads(4)
  work(omp_get_thread_num(), own_path);
}

static void run_pthreads(long n) {
  pthread_t threads[kMaxWorkers];
  for (long k = 0; k < n; ++k) pthread_create(&threads[k], NULL, pthread_main, (void*)k);
  for (long k = 0; k < n; ++k) pthread_join(threads[k], NULL);
}

static void run_c11(long n) {
  thrd_t threads[kMaxWorkers];
  for (long k = 0; k < n; ++k) thrd_create(&threads[k], c11_main, (void*)k);
  for (long k = 0; k < n; ++k) thrd_join(threads[k], NULL);
}

/* Each thread goes on with the number and the contexts of the one before it. */
static void run_generations(void) {
  for (long k = 0; k < 8; ++k) {
    pthread_t thread;
    pthread_create(&thread, NULL, pthread_main, (void*)k);
    pthread_join(thread, NULL);
  }
}

/* A thread that is there before the region opens, and one more that is asked to leave it. */
static void run_team_change(void) {
  guest_team(0);
#pragma omp parallel num_threads(2)
  add(1); /* creates the team outside */
  guest_team(1);
#pragma omp parallel num_threads(2)
  add((omp_get_thread_num() + 1) * kUnit);
  guest_team(2);
#pragma omp parallel num_threads(2)
  add((omp_get_thread_num() + 1) * 10 * kUnit);
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "";
  guest_team(1);
  if (!strcmp(mode, "openmp")) run_openmp(0);
  if (!strcmp(mode, "own")) run_openmp(1);
  if (!strcmp(mode, "pthreads")) run_pthreads(4);
  if (!strcmp(mode, "c11")) run_c11(4);
  if (!strcmp(mode, "many")) run_pthreads(64);
  if (!strcmp(mode, "generations")) run_generations();
  if (!strcmp(mode, "team")) run_team_change();
  guest_team(0);
  for (int k = 0; k < kMaxWorkers; ++k)
    if (workers[k].additions) printf("worker %lu %ld\n", workers[k].serial, workers[k].additions);
  return guest_report();
}
