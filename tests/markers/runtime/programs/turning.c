/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Regions that are visited often, of known FLOPs; the first argument chooses. Built without
 * optimisation of Add(), so that one call is one addition an iteration. */
#include <roofmark/roofmark.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <x86intrin.h>

enum { kVisits = 60, kPages = 1024, kPageBytes = 4096 };

/* As MPI's wrappers report the time inside it. */
void roofmark_mpi_time(uint64_t ticks, const void* frame, const void* caller);

static uint64_t Now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* The library's ticks: of the counter by which Linux goes, if it does. */
static uint64_t Ticks(void) {
  static int counter = -1;
  if (counter < 0) {
    char name[16] = "";
    FILE* file = fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "r");
    counter = file == NULL || fscanf(file, "%15s", name) != 1 || strcmp(name, "tsc") == 0;
    if (file != NULL) fclose(file);
  }
  if (counter) return __rdtsc();
  return Now();
}

static volatile double g_one = 1.0, g_two = 2.0;
static volatile double g_sink;

/* n scalar double additions, each of which waits for the one before it. */
static __attribute__((noinline)) void Add(int n) {
  double sum = 0;
  const double one = g_one;
  for (int i = 0; i < n; ++i) {
    sum += one;
    __asm__ volatile("" : "+x"(sum));
  }
  g_sink = sum;
}

static double AddOne(double sum) { return sum + g_one; }
static double AddTwo(double sum) { return sum + g_two; }
static double (*volatile g_calls[2])(double) = {AddOne, AddTwo};

/* A call through a pointer for each addition: counting it costs much. */
static __attribute__((noinline)) void Call(int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum = g_calls[i & 1](sum);
  g_sink = sum;
}

/* Inside a region that is visited once; `scale`: visits are so many times as long. Prints by its
 * own clock how long that region took, and how long the visits inside it. */
static void Even(int scale) {
  const uint64_t begin = Now();
  uint64_t inside = 0, since;
  ROOF_REGION_BEGIN("once");
  Add(1000);
  for (int i = 0; i < kVisits; ++i) {
    ROOF_REGION_BEGIN("cheap");
    since = Now();
    Add(scale * 200000);
    inside += Now() - since;
    ROOF_REGION_END("cheap");
    ROOF_REGION_BEGIN("costly");
    since = Now();
    Call(scale * 50000);
    ROOF_REGION_BEGIN("inner");
    Add(1000);
    ROOF_REGION_END("inner");
    inside += Now() - since;
    ROOF_REGION_END("costly");
  }
  ROOF_REGION_END("once");
  printf("own times: %llu %llu\n", (unsigned long long)(Now() - begin), (unsigned long long)inside);
}

/* Every visit has another number of additions; their mean is 20000. */
static void Uneven(void) {
  for (int i = 0; i < 2 * kVisits; ++i) {
    ROOF_REGION_BEGIN("uneven");
    Call(15000 + 10000 * (i * 7 % 16) / 15);
    ROOF_REGION_END("uneven");
  }
}

/* One region is visited twice, one inside it once. */
static void Seldom(void) {
  for (int i = 0; i < 2; ++i) {
    ROOF_REGION_BEGIN("twice");
    Add(1000);
    if (i == 0) {
      ROOF_REGION_BEGIN("once");
      Add(500);
      ROOF_REGION_END("once");
    }
    ROOF_REGION_END("twice");
  }
}

/* The first visit does most of the work. */
static void Grids(void) {
  for (int i = 0; i < 12; ++i) {
    ROOF_REGION_BEGIN("grid");
    Call(i == 0 ? 4000000 : 20000);
    ROOF_REGION_END("grid");
  }
}

/* Visited twice, the first time much longer than all else, also than what markers take where gs is
 * set by system calls; inside, a region that has one visit and then many, and one that comes late.
 */
static void Cold(void) {
  for (int i = 0; i < 2; ++i) {
    ROOF_REGION_BEGIN("cold");
    Call(i == 0 ? 40000000 : 20000);
    for (int j = 0; j < (i == 0 ? 1 : 8); ++j) {
      ROOF_REGION_BEGIN("inner");
      Add(1000);
      ROOF_REGION_END("inner");
    }
    if (i == 1) {
      ROOF_REGION_BEGIN("late");
      Add(100000);
      ROOF_REGION_END("late");
    }
    ROOF_REGION_END("cold");
  }
}

/* As Grids, but all time of the others is inside MPI. */
static void Waits(void) {
  roofmark_mpi_time(0, NULL, NULL);
  Ticks();
  for (int i = 0; i < 12; ++i) {
    ROOF_REGION_BEGIN("waits");
    const uint64_t begin = Ticks();
    Call(i == 0 ? 4000000 : 200000);
    if (i > 0) roofmark_mpi_time(Ticks() - begin, NULL, NULL);
    ROOF_REGION_END("waits");
  }
}

static void Touch(char* pages) {
  for (int i = 0; i < kPages; ++i) ((volatile char*)pages)[i * kPageBytes] = 1;
}

static char* NewPages(void) {
  const size_t bytes = (size_t)kPages * kPageBytes;
  char* pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) exit(1);
  madvise(pages, bytes, MADV_NOHUGEPAGE);
  return pages;
}

/* One region touches the same memory in each visit, one other memory. */
static void Touches(void) {
  char* same = NewPages();
  for (int i = 0; i < 20; ++i) {
    ROOF_REGION_BEGIN("same");
    Touch(same);
    Call(20000);
    ROOF_REGION_END("same");
    char* other = NewPages();
    ROOF_REGION_BEGIN("other");
    Touch(other);
    Call(20000);
    ROOF_REGION_END("other");
    munmap(other, (size_t)kPages * kPageBytes);
  }
}

/* Threads of a team, and a region of the main thread alone. */
static void Team(void) {
  for (int i = 0; i < kVisits; ++i) {
    ROOF_REGION_BEGIN("team");
#pragma omp parallel num_threads(2)
    {
      Add(10000);
      ROOF_REGION_BEGIN("own");
      Add(1000);
      ROOF_REGION_END("own");
    }
    ROOF_REGION_END("team");
    ROOF_REGION_BEGIN("alone");
    Call(10000);
    ROOF_REGION_END("alone");
  }
}

/* Each visit inside another of its own. */
static void Nest(int depth) {
  ROOF_REGION_BEGIN("nest");
  Add(1000);
  if (depth > 1) Nest(depth - 1);
  ROOF_REGION_END("nest");
}

static void Recursive(void) {
  for (int i = 0; i < 9; ++i) Nest(3);
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "even";
  if (!strcmp(mode, "even")) Even(1);
  if (!strcmp(mode, "long")) Even(10);
  if (!strcmp(mode, "uneven")) Uneven();
  if (!strcmp(mode, "seldom")) Seldom();
  if (!strcmp(mode, "grids")) Grids();
  if (!strcmp(mode, "cold")) Cold();
  if (!strcmp(mode, "waits")) Waits();
  if (!strcmp(mode, "touches")) Touches();
  if (!strcmp(mode, "team")) Team();
  if (!strcmp(mode, "recursive")) Recursive();
  puts("done");
  return 0;
}
