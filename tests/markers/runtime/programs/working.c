/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Marked work of known FLOPs; the first argument chooses. Built without optimisation of Add(), so
 * that one call is one addition an iteration. */
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <roofmark/roofmark.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <unistd.h>

static volatile double g_one = 1.0;
static volatile double g_sink;

/* n scalar double additions. */
static __attribute__((noinline)) void Add(int n) {
  double sum = 0;
  const double one = g_one;
  for (int i = 0; i < n; ++i) {
    sum += one;
    __asm__ volatile("" : "+x"(sum));
  }
  g_sink = sum;
}

/* Each addition waits for the one before it. */
static void Chain(void) {
  ROOF_REGION_BEGIN("chain");
  Add(1000000);
  ROOF_REGION_END("chain");
}

static void Nested(void) {
  Add(12345); /* in no region */
  for (int i = 0; i < 3; ++i) {
    ROOF_REGION_BEGIN("outer");
    Add(1000);
    for (int k = 0; k < 4; ++k) {
      ROOF_REGION_BEGIN("inner");
      Add(2000);
      ROOF_REGION_END("inner");
    }
    ROOF_REGION_END("outer");
  }
}

/* 0 threads: as many as the runtime takes. */
static void Team(int threads) {
  if (threads > 0) omp_set_num_threads(threads);
  ROOF_REGION_BEGIN("team");
#pragma omp parallel
  {
    const int mine = 1000 * (omp_get_thread_num() + 1);
    Add(mine);
    ROOF_REGION_BEGIN("own");
    Add(mine);
    ROOF_REGION_END("own");
  }
  ROOF_REGION_END("team");
}

/* The threads of a team have regions inside each other; those of the next team have none. */
static void TwoTeams(void) {
  omp_set_num_threads(2);
  ROOF_REGION_BEGIN("first");
#pragma omp parallel
  {
    ROOF_REGION_BEGIN("outer");
    Add(100);
    ROOF_REGION_BEGIN("own");
    Add(1000);
    ROOF_REGION_END("own");
    ROOF_REGION_END("outer");
  }
  ROOF_REGION_END("first");
  ROOF_REGION_BEGIN("second");
#pragma omp parallel
  Add(2000);
  ROOF_REGION_END("second");
}

/* Others than the one that pauses work too, in a region of their own and in the team's. */
static void Pauses(void) {
  omp_set_num_threads(2);
  ROOF_REGION_BEGIN("team");
  Add(1000);
  roofmark_pause();
  Add(50000);
#pragma omp parallel
  {
    Add(50000);
    ROOF_REGION_BEGIN("unseen");
    Add(50000);
    ROOF_REGION_END("unseen");
  }
  roofmark_resume();
#pragma omp parallel
  {
    ROOF_REGION_BEGIN("own");
    Add(3000);
#pragma omp barrier
#pragma omp master
    roofmark_pause();
#pragma omp barrier
    Add(50000);
#pragma omp barrier
#pragma omp master
    roofmark_resume();
#pragma omp barrier
    Add(400);
    ROOF_REGION_END("own");
  }
  ROOF_REGION_END("team");
}

/* A function that other threads work for, without any marker. */
static __attribute__((noinline)) void Led(void) {
  omp_set_num_threads(3);
  Add(100);
#pragma omp parallel
  Add(1000);
  __asm__ volatile(""); /* it does not end by a jump */
}

static void* Posix(void* unused) {
  Add(1000);
  return unused;
}

static int Standard(void* unused) {
  (void)unused;
  Add(1000);
  return 0;
}

static void Created(void) {
  ROOF_REGION_BEGIN("team");
  Add(1000);
  pthread_t threads[5];
  for (int i = 0; i < 5; ++i) pthread_create(&threads[i], NULL, Posix, NULL);
  for (int i = 0; i < 5; ++i) pthread_join(threads[i], NULL);
  thrd_t standard;
  thrd_create(&standard, Standard, NULL);
  thrd_join(standard, NULL);
  ROOF_REGION_END("team");
}

static volatile int g_made;

static void* MakeForever(void* unused) {
  for (;; ++g_made) {
    pthread_t one;
    if (pthread_create(&one, NULL, Posix, NULL) == 0) pthread_join(one, NULL);
  }
  return unused;
}

/* The process ends while another thread still makes threads, after it made many. */
static void Maker(void) {
  pthread_t maker;
  pthread_create(&maker, NULL, MakeForever, NULL);
  while (g_made < 3000) usleep(1000);
  ROOF_REGION_BEGIN("main");
  ROOF_REGION_BEGIN("own");
  Add(1000);
  ROOF_REGION_END("own");
  ROOF_REGION_END("main");
}

static __attribute__((noinline)) void Stack(void) {
  double large[60 * 1000 * 1000 / 8];
  volatile double* touch = large;
  ROOF_REGION_BEGIN("stack");
  for (size_t i = 0; i < sizeof large / sizeof large[0]; i += 512) touch[i] = (double)i;
  Add((int)touch[512]);
  ROOF_REGION_END("stack");
}

static void Many(void) {
  for (int i = 0; i < 200; ++i) {
    ROOF_REGION_BEGIN("many");
    Add(10000);
    ROOF_REGION_END("many");
  }
  ROOF_REGION_BEGIN("late");
  Add(1000);
  ROOF_REGION_END("late");
}

/* As in a multigrid cycle: each visit does another amount of work, the first ones most. */
static void Unequal(void) {
  for (int i = 0; i < 200; ++i) {
    ROOF_REGION_BEGIN("unequal");
    Add(10000 >> (i % 4) * 2);
    ROOF_REGION_END("unequal");
  }
}

/* Each of two threads visits its own region ten times. */
static void Visits(void) {
  omp_set_num_threads(2);
  ROOF_REGION_BEGIN("team");
#pragma omp parallel
  for (int i = 0; i < 10; ++i) {
    ROOF_REGION_BEGIN("own");
    Add(1000);
    ROOF_REGION_END("own");
  }
  ROOF_REGION_END("team");
}

static int Echo(int argc, char** argv) {
  char directory[4096];
  for (int i = 2; i < argc; ++i) printf("[%s]", argv[i]);
  printf("%s\n", getcwd(directory, sizeof directory));
  return 7;
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "";
  if (!strcmp(mode, "nested")) Nested();
  if (!strcmp(mode, "chain")) Chain();
  if (!strcmp(mode, "tmpdir")) {
    Nested();
    printf("%s ", getenv("TMPDIR"));
  }
  if (!strcmp(mode, "exec_self")) execl("/proc/self/exe", argv[0], "nested", (char*)NULL);
  if (!strcmp(mode, "team")) Team(atoi(argv[2]));
  if (!strcmp(mode, "two teams")) TwoTeams();
  if (!strcmp(mode, "pauses")) Pauses();
  if (!strcmp(mode, "led")) {
    Led();
    Led();
    Add(10);
  }
  if (!strcmp(mode, "created")) Created();
  if (!strcmp(mode, "maker")) Maker();
  if (!strcmp(mode, "stack")) Stack();
  if (!strcmp(mode, "many")) Many();
  if (!strcmp(mode, "unequal")) Unequal();
  if (!strcmp(mode, "visits")) Visits();
  if (!strcmp(mode, "echo")) return Echo(argc, argv);
  printf("done\n");
  return 0;
}
