// SPDX-License-Identifier: BSD-3-Clause
//
// A program that does as many steps as it can in 0.6 seconds, after a loop that it always does. It
// appends the number of its steps to a file.
#include <stdio.h>
#include <time.h>

enum { kIterations = 200000 };

static double __attribute__((noinline)) prepare(long n, double x) {
  for (long i = 0; i < n; ++i) x = x * 0.998 + 0.25;
  return x;
}

static double __attribute__((noinline)) step(long n, double x) {
  for (long i = 0; i < n; ++i) x = x * 0.999 + 0.5;
  return x;
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argc, char** argv) {
  double x = prepare(100L * kIterations, 1);
  const double end = seconds() + 0.6;
  long steps = 0;
  while (seconds() < end) {
    x = step(kIterations, x);
    ++steps;
  }
  FILE* file = argc > 1 ? fopen(argv[1], "a") : NULL;
  if (file == NULL) return 2;
  fprintf(file, "%ld\n", steps);
  return fclose(file) == 0 && x > 0 ? 0 : 1;
}
