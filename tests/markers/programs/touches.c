// SPDX-License-Identifier: BSD-3-Clause
//
// Regions that touch memory for the first time, and some that do not. The argument says which.
// Built a second time with a held clock, which only Spin() moves.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "roofmark/roofmark.h"
#ifdef HELD_CLOCK
#include "tests/support/held_clock.h"
#endif

enum { kPages = 8192, kPageBytes = 4096 };

static void Touch(int threads) {
  const size_t bytes = (size_t)kPages * kPageBytes;
  char* memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  madvise(memory, bytes, MADV_NOHUGEPAGE);
#pragma omp parallel for num_threads(threads)
  for (size_t page = 0; page < kPages; ++page) memory[page * kPageBytes] = 1;
  munmap(memory, bytes);
}

#ifdef HELD_CLOCK
static void Spin(long us) { held_clock_pass((uint64_t)us * 1000); }
#else
// Without a system call.
static void Spin(long us) {
  struct timespec begin, now;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  do {
    clock_gettime(CLOCK_MONOTONIC, &now);
  } while ((now.tv_sec - begin.tv_sec) * 1000000 + (now.tv_nsec - begin.tv_nsec) / 1000 < us);
}
#endif

static void Nested(void) {
  for (int visit = 0; visit < 4; ++visit) {
    ROOF_REGION_BEGIN("outer");
    ROOF_REGION_BEGIN("touches");
    Touch(1);
    ROOF_REGION_END("touches");
    ROOF_REGION_BEGIN("spins");
    Spin(5000);
    ROOF_REGION_END("spins");
    Touch(1);
    ROOF_REGION_END("outer");
  }
}

static void* Worker(void* unused) {
  ROOF_REGION_BEGIN("worker");
  Touch(1);
  ROOF_REGION_BEGIN("inside");
  Touch(1);
  ROOF_REGION_END("inside");
  ROOF_REGION_END("worker");
  return unused;
}

static void Threads(void) {
  ROOF_REGION_BEGIN("main");
  pthread_t thread;
  if (pthread_create(&thread, NULL, Worker, NULL) == 0) pthread_join(thread, NULL);
  ROOF_REGION_END("main");
}

static void Team(void) {
  ROOF_REGION_BEGIN("team");
  Touch(2);
  ROOF_REGION_END("team");
}

// A region whose visits are long only now and then.
static void Changes(void) {
  for (int visit = 0; visit < 30; ++visit) {
    const int is_long = visit % 10 >= 7;
    ROOF_REGION_BEGIN("changes");
    if (is_long) {
      Touch(1);
      Spin(1000);
    }
    ROOF_REGION_END("changes");
  }
}

static void Lengths(void) {
  for (int visit = 0; visit < 4; ++visit) {
    ROOF_REGION_BEGIN("spins");
    Spin(visit == 2 ? 20000 : 5000);
    ROOF_REGION_END("spins");
  }
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "nested") == 0) Nested();
  if (strcmp(what, "threads") == 0) Threads();
  if (strcmp(what, "team") == 0) Team();
  if (strcmp(what, "changes") == 0) Changes();
  if (strcmp(what, "outside") == 0) Touch(1);
  if (strcmp(what, "lengths") == 0) Lengths();
  puts("done");
  return 0;
}
