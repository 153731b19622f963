/* SPDX-License-Identifier: BSD-3-Clause
 *
 * engine_memory THREADS PATHS: each thread visits so many regions of its own, and executes the same
 * functions in all of them, which are many. Prints the largest resident memory, in KiB, and the
 * bytes of code of these functions. */
#include <pthread.h>
#include <roofmark/roofmark.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each differs from all others in what it computes. */
#define ONE(n)                                                      \
  static __attribute__((noinline)) double f##n(double x, int k) {   \
    for (int i = 0; i < (k & 3) + 2; ++i) x = x * 0.5 + (n)*1e-3;   \
    if (k % ((n) % 7 + 2) == 0) x -= (n) + (double)k / (x * x + 1); \
    return k & 1 ? x + 1 : -x;                                      \
  }
#define TEN(n) \
  ONE(n##0)    \
  ONE(n##1) ONE(n##2) ONE(n##3) ONE(n##4) ONE(n##5) ONE(n##6) ONE(n##7) ONE(n##8) ONE(n##9)
#define HUNDRED(n) \
  TEN(n##0)        \
  TEN(n##1) TEN(n##2) TEN(n##3) TEN(n##4) TEN(n##5) TEN(n##6) TEN(n##7) TEN(n##8) TEN(n##9)
HUNDRED(1)
HUNDRED(2)
HUNDRED(3)
HUNDRED(4)
HUNDRED(5)
HUNDRED(6)
HUNDRED(7)
HUNDRED(8)
HUNDRED(9)

#define NAME(n) f##n,
#define TEN_NAMES(n) \
  NAME(n##0)         \
  NAME(n##1) NAME(n##2) NAME(n##3) NAME(n##4) NAME(n##5) NAME(n##6) NAME(n##7) NAME(n##8) NAME(n##9)
#define NAMES(n)  \
  TEN_NAMES(n##0) \
  TEN_NAMES(n##1) \
  TEN_NAMES(n##2) \
  TEN_NAMES(n##3) \
  TEN_NAMES(n##4) TEN_NAMES(n##5) TEN_NAMES(n##6) TEN_NAMES(n##7) TEN_NAMES(n##8) TEN_NAMES(n##9)
static double (*const kFunctions[])(double, int) = {NAMES(1) NAMES(2) NAMES(3) NAMES(4) NAMES(5)
                                                        NAMES(6) NAMES(7) NAMES(8) NAMES(9)};
enum { kCount = sizeof kFunctions / sizeof *kFunctions };

static int paths;
static pthread_barrier_t all;

static void* work(void* given) {
  double* sum = given;
  for (int path = 0; path < paths; ++path) {
    char name[32];
    snprintf(name, sizeof name, "path %d", path);
    roofmark_begin(name);
    for (int i = 0; i < 4 * kCount; ++i) *sum = kFunctions[i % kCount](*sum, i / kCount + path);
    roofmark_end(name);
  }
  pthread_barrier_wait(&all); /* all have what they need at once */
  return NULL;
}

static long resident_kib(void) {
  char line[256];
  long kib = 0;
  FILE* status = fopen("/proc/self/status", "r");
  while (status && fgets(line, sizeof line, status))
    if (!strncmp(line, "VmHWM:", 6)) kib = atol(line + 6);
  if (status) fclose(status);
  return kib;
}

int main(int argc, char** argv) {
  const int threads = argc == 3 ? atoi(argv[1]) : 0;
  paths = argc == 3 ? atoi(argv[2]) : 0;
  if (threads < 1 || threads > 256 || paths < 1) return 2;
  pthread_t thread[256];
  static double sums[256];
  pthread_barrier_init(&all, NULL, (unsigned)threads);
  for (int i = 0; i < threads; ++i) pthread_create(&thread[i], NULL, work, &sums[i]);
  for (int i = 0; i < threads; ++i) pthread_join(thread[i], NULL);
  const intptr_t first = (intptr_t)kFunctions[0], last = (intptr_t)kFunctions[kCount - 1];
  printf("%ld %ld\n", resident_kib(), labs((long)(last - first)));
  return 0;
}
