/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Constructs of OpenMP in functions that are inlined into main(): of these nothing is left but the
 * bodies of the constructs, whose names LLVM's compiler makes of nothing in the source. */
#include <stdio.h>

enum { kElements = 2000, kRounds = 10 };

static void scale(double* x, int n, double by) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) x[i] = x[i] * by + 1.0;
}

/* The reduction is a function of its own to LLVM's compiler. */
static double sum(const double* x, int n) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; ++i) s += x[i] * x[i];
  return s;
}

static void lower(double* x, int n) {
#pragma omp parallel
#pragma omp single
  for (int b = 0; b < 4; ++b) {
#pragma omp task firstprivate(b)
    for (int i = b * (n / 4); i < (b + 1) * (n / 4); ++i) x[i] = x[i] - 0.25;
  }
}

int main(int argc, char** argv) {
  (void)argv;
  double x[kElements], s = 0;
  for (int i = 0; i < kElements; ++i) x[i] = i * argc;
  for (int round = 0; round < kRounds * argc; ++round) {
    scale(x, kElements, 0.5);
    s += sum(x, kElements);
    lower(x, kElements);
  }
  puts("done");
  return s > 0 ? 0 : 1;
}
