// SPDX-License-Identifier: BSD-3-Clause
//
// Code whose functions and lines binary_test.cc asks for. A mark `at NAME` names its line.
#include <stdlib.h>

static inline __attribute__((always_inline)) double Scale(double value) {
  return value * 3 + 1; /* at scale */
}

static inline __attribute__((always_inline)) double Twice(double value) {
  return Scale(value) + Scale(value + 2); /* at twice */
}

__attribute__((noinline)) void sample_sweep(double* values, int count) {
  for (int i = 0; i < count; ++i) { /* at loop */
    values[i] = Twice(values[i]);   /* at call */
  }
}

static __attribute__((noinline)) void sample_hidden(double* values, int count) {
  for (int i = 1; i < count; ++i) values[i] += values[i - 1];
}

extern void sample_alias(double* values, int count) __attribute__((alias("sample_sweep"), weak));

int main(int argc, char** argv) {
  double values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  const int count = argc > 1 ? atoi(argv[1]) : 8;
  sample_sweep(values, count);
  sample_hidden(values, count);
  return values[7] == 0;
}
