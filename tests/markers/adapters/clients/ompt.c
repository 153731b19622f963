/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ompt [deep | kernel]: parallel constructs of all kinds, each with a known number of FLOPs; some
 * end their function. The tests know the lines. Built by LLVM's compiler and by GCC. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#ifdef MARKED
#include <roofmark/roofmark.h>
#else
#define ROOF_REGION_BEGIN(name)
#define ROOF_REGION_END(name)
#endif

static void Add(int flops) {
  volatile double sum __attribute__((unused)) = 0;
  for (int i = 0; i < flops; ++i) sum += 1;
}

static void Orphaned(int n) {
#pragma omp for schedule(dynamic)
  for (int i = 0; i < n; ++i) Add(1);
}

__attribute__((noinline)) void Sweep(int n) {
#pragma omp parallel num_threads(2)
  Orphaned(n);
}

__attribute__((noinline)) void Serialised(void) {
#pragma omp parallel num_threads(1)
  Add(30);
#pragma omp parallel if (omp_get_max_threads() == 0)
  Add(40);
}

/* The inner construct is one of each thread, and none of it is of the process. */
__attribute__((noinline)) void Nested(void) {
#pragma omp parallel num_threads(2)
  {
    Add(10);
#pragma omp parallel num_threads(2)
    Add(20);
  }
}

#ifdef TEAMS
__attribute__((noinline)) void Teams(void) {
#pragma omp teams num_teams(2)
  {
    Add(5);
#pragma omp parallel num_threads(1)
    Add(7);
  }
}
#else
static void Teams(void) {}
#endif

static void* OwnThread(void* argument) {
#pragma omp parallel num_threads(2)
  Add(60);
  return argument;
}

static void Deep(int depth) {
  if (depth == 0) return;
#pragma omp parallel num_threads(1)
  Deep(depth - 1);
}

/* As Kokkos executes a kernel with OpenMP. */
static void Kernel(void) {
  void (*begin)(const char*, unsigned, unsigned long*);
  void (*end)(unsigned long);
  *(void**)&begin = dlsym(RTLD_DEFAULT, "kokkosp_begin_parallel_for");
  *(void**)&end = dlsym(RTLD_DEFAULT, "kokkosp_end_parallel_for");
  unsigned long id = 0;
  if (begin != NULL) begin("kernel", 0, &id);
  Sweep(10);
  if (end != NULL) end(id);
  Sweep(10);
}

int main(int argc, char** argv) {
  omp_set_max_active_levels(2);
  if (argc > 1 && strcmp(argv[1], "deep") == 0) {
    Deep(300);
    Sweep(10);
    return 0;
  }
  if (argc > 1 && strcmp(argv[1], "kernel") == 0) {
    Kernel();
    return 0;
  }
  ROOF_REGION_BEGIN("solve");
  for (int i = 0; i < 3; ++i) Sweep(100);
  ROOF_REGION_END("solve");
  Serialised();
  Nested();
  Teams();
  pthread_t thread;
  pthread_create(&thread, NULL, &OwnThread, NULL);
  pthread_join(thread, NULL);
  printf("done\n");
  return 0;
}
