/* SPDX-License-Identifier: BSD-3-Clause
 *
 * layers_openmp MODE: teams whose threads wait for each other. Team path 1 is open while they work.
 * Prints "worker SERIAL ADDITIONS" for each thread that did additions. */
#include <omp.h>
#include <string.h>

#include "tests/collectors/counting/valgrind/guests/guest.h"

/* The engine changes threads after 100,000 blocks: others wait only if one works for longer. */
enum { kUnit = 20000, kTeam = 3, kDeep = 100 };

static struct {
  unsigned long serial;
  long additions;
} workers[kTeam];

__attribute__((noinline)) static void add(long n) {
  __attribute__((unused)) volatile double sum = 0;
  for (long i = 0; i < n; ++i) sum += 1.0;
}

static void work(long n) {
  const int k = omp_get_thread_num();
  workers[k].serial = ROOF_REQUEST(ROOF_REQ_THREAD, 0);
  workers[k].additions += n;
  add(n);
}

/* The first thread has a thousand times the work of the last one. */
static void run_unbalanced(void) {
#pragma omp parallel num_threads(kTeam)
  work(omp_get_thread_num() == 0 ? 100 * kUnit : kUnit / 10 * omp_get_thread_num());
}

/* Waits inside a region: at barriers, for a lock, for one thread alone. */
static void run_waits(void) {
#pragma omp parallel num_threads(kTeam)
  {
    const int k = omp_get_thread_num();
    work(k == 0 ? 20 * kUnit : kUnit);
#pragma omp barrier
    work(k == 1 ? 20 * kUnit : kUnit);
#pragma omp barrier
#pragma omp critical
    work(2 * kUnit);
#pragma omp barrier
    if (k == 2) work(20 * kUnit);
#pragma omp barrier
  }
}

/* Threads take one iteration at a time, so which thread does which is open. */
static void run_dynamic(void) {
#pragma omp parallel for num_threads(kTeam) schedule(dynamic, 1)
  for (int i = 0; i < 60; ++i) work(i % 20 == 0 ? 10 * kUnit : kUnit);
}

/* Each task waits for the next one: calls of the runtime and of the program in turns. */
static void deeper(int depth) {
  if (depth == 0) return;
#pragma omp task
  deeper(depth - 1);
#pragma omp taskwait
  add(kUnit);
}

static void run_tasks(void) {
#pragma omp parallel num_threads(kTeam)
#pragma omp single
  deeper(kDeep);
}

static void run_nested(void) {
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
  {
    add(kUnit);
#pragma omp parallel num_threads(2)
    add(10 * kUnit);
    add(kUnit);
  }
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "";
#pragma omp parallel num_threads(kTeam)
  add(omp_get_thread_num() + 1); /* the team is there, and the functions were found */
  guest_team(1);
  if (!strcmp(mode, "unbalanced")) run_unbalanced();
  if (!strcmp(mode, "waits")) run_waits();
  if (!strcmp(mode, "dynamic")) run_dynamic();
  if (!strcmp(mode, "tasks")) run_tasks();
  if (!strcmp(mode, "nested")) run_nested();
  guest_team(0);
  for (int k = 0; k < kTeam; ++k)
    if (workers[k].additions) printf("worker %lu %ld\n", workers[k].serial, workers[k].additions);
  return guest_report();
}
