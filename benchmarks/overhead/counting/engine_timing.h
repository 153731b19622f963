/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The median of the wall seconds that repetitions in one region take, after one that is not timed.
 */
#ifndef ROOFMARK_BENCHMARKS_OVERHEAD_COUNTING_ENGINE_TIMING_H_
#define ROOFMARK_BENCHMARKS_OVERHEAD_COUNTING_ENGINE_TIMING_H_

#include <roofmark/roofmark.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { kMaxRepetitions = 1000 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare(const void* left, const void* right) {
  const double a = *(const double*)left, b = *(const double*)right;
  return (a > b) - (a < b);
}

/* `repetitions` as text, of which there may be none: 0, or 2 after an error. */
static int time_repetitions(const char* text, void (*repeat)(void* data), void* data) {
  static double seconds[kMaxRepetitions];
  const long repetitions = text ? atol(text) : 0;
  if (repetitions < 1 || repetitions > kMaxRepetitions) return 2;
  ROOF_REGION_BEGIN("kernel");
  repeat(data);
  for (long r = 0; r < repetitions; ++r) {
    const double start = now();
    repeat(data);
    seconds[r] = now() - start;
  }
  ROOF_REGION_END("kernel");
  qsort(seconds, (size_t)repetitions, sizeof *seconds, compare);
  printf("%.9f\n", seconds[repetitions / 2]);
  return 0;
}

#endif /* ROOFMARK_BENCHMARKS_OVERHEAD_COUNTING_ENGINE_TIMING_H_ */
