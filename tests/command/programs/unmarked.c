// SPDX-License-Identifier: BSD-3-Clause
//
// A program that has never heard of roofmark: two loops, one of which takes three times as long.
// With a number, so many thousand iterations of the shorter one.
#include <stdlib.h>

static double __attribute__((noinline)) heavy(long n, double x) {
  for (long i = 0; i < n; ++i) x = x * 0.999 + 0.5;
  return x;
}

static double __attribute__((noinline)) light(long n, double x) {
  for (long i = 0; i < n; ++i) x = x * 0.998 + 0.25;
  return x;
}

// These end by jumping to the loops' functions.
static double __attribute__((noinline)) three(long n, double x) { return heavy(3 * n, x); }
static double __attribute__((noinline)) one(long n, double x) { return light(n, x); }

int main(int argc, char** argv) {
  const long n = 1000 * (argc > 1 ? atol(argv[1]) : 10000);
  double x = 1;
  for (int half = 0; half <= argc; ++half) {  // two of them without a number
    x = three(n / 2, x);
    x = one(n / 2, x);
  }
  return x > 0 ? 0 : 1;
}
