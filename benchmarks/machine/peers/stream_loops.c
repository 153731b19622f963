// SPDX-License-Identifier: BSD-3-Clause
//
// The four loops of the STREAM benchmark (J. McCalpin, 1995) over three arrays of
// STREAM_ARRAY_SIZE, each NTIMES over, for where its source is not at hand. Prints its table:
//   name: best MB/s, then mean, least and longest time of a pass without the first one
#include <math.h>
#include <stdio.h>
#include <time.h>

#ifndef STREAM_ARRAY_SIZE
#define STREAM_ARRAY_SIZE 10000000
#endif
#ifndef NTIMES
#define NTIMES 10
#endif

static double a[STREAM_ARRAY_SIZE], b[STREAM_ARRAY_SIZE], c[STREAM_ARRAY_SIZE];

static double Now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void Run(int kernel, double scalar) {
  switch (kernel) {
    case 0:
#pragma omp parallel for
      for (long i = 0; i < STREAM_ARRAY_SIZE; ++i) c[i] = a[i];
      break;
    case 1:
#pragma omp parallel for
      for (long i = 0; i < STREAM_ARRAY_SIZE; ++i) b[i] = scalar * c[i];
      break;
    case 2:
#pragma omp parallel for
      for (long i = 0; i < STREAM_ARRAY_SIZE; ++i) c[i] = a[i] + b[i];
      break;
    default:
#pragma omp parallel for
      for (long i = 0; i < STREAM_ARRAY_SIZE; ++i) a[i] = b[i] + scalar * c[i];
  }
}

// All values of an array are equal, so a computation of one element tells them.
static int IsRight(double scalar) {
  double x = 1, y = 0, z = 0;
  for (int i = 0; i < NTIMES; ++i) {
    z = x;
    y = scalar * z;
    z = x + y;
    x = y + scalar * z;
  }
  for (long i = 0; i < STREAM_ARRAY_SIZE; ++i) {
    if (fabs(a[i] - x) > 1e-9 || fabs(b[i] - y) > 1e-9 || fabs(c[i] - z) > 1e-9) return 0;
  }
  return 1;
}

int main(void) {
  static const char* const names[] = {"Copy", "Scale", "Add", "Triad"};
  static const double arrays[] = {2, 2, 3, 3};
  const double scalar = sqrt(2) - 1;  // one round leaves `a` as it was
  double sum[4] = {0}, least[4] = {1e30, 1e30, 1e30, 1e30}, most[4] = {0};
#pragma omp parallel for
  for (long i = 0; i < STREAM_ARRAY_SIZE; ++i) {
    a[i] = 1;
    b[i] = 0;
    c[i] = 0;
  }
  for (int pass = 0; pass < NTIMES; ++pass) {
    for (int kernel = 0; kernel < 4; ++kernel) {
      const double begin = Now();
      Run(kernel, scalar);
      const double took = Now() - begin;
      if (pass == 0) continue;
      sum[kernel] += took;
      least[kernel] = fmin(least[kernel], took);
      most[kernel] = fmax(most[kernel], took);
    }
  }
  for (int kernel = 0; kernel < 4; ++kernel) {
    const double megabytes = 1e-6 * 8 * arrays[kernel] * STREAM_ARRAY_SIZE;
    printf("%s: %.1f %.9f %.9f %.9f\n", names[kernel], megabytes / least[kernel],
           sum[kernel] / (NTIMES - 1), least[kernel], most[kernel]);
  }
  if (IsRight(scalar)) return 0;
  fprintf(stderr, "stream_loops: wrong result\n");
  return 1;
}
