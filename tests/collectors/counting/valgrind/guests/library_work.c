/* SPDX-License-Identifier: BSD-3-Clause
 *
 * library_work dgemm N | fft N | fft_scalar N | exp N | log N: library code in path 1. For fft the
 * planner's own count is printed as "fftw add mul fma": in instructions of its codelets, so that
 * vector code does several operations for each. */
#include <math.h>
#include <string.h>

#include "tests/collectors/counting/valgrind/guests/guest.h"
#ifdef WITH_BLAS
#include <cblas.h>
#endif
#ifdef WITH_FFTW
#include <fftw3.h>
#endif

static double* filled(long n) {
  double* data = malloc((size_t)n * sizeof *data);
  for (long i = 0; i < n; ++i) data[i] = 0.5 + 1e-3 * (double)(i % 100);
  return data;
}

#ifdef WITH_BLAS
static void run_dgemm(int n) {
  double *a = filled((long)n * n), *b = filled((long)n * n), *c = filled((long)n * n);
  guest_own(1);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1.0, a, n, b, n, 0.0, c, n);
  guest_own(0);
}
#endif

#ifdef WITH_FFTW
enum { kNoSimd = 1 << 17 }; /* FFTW_NO_SIMD of its internal flags */

static void run_fft(int n, unsigned flags) {
  double add, mul, fma;
  fftw_complex* data = fftw_malloc(sizeof *data * (size_t)n);
  fftw_plan plan = fftw_plan_dft_1d(n, data, data, FFTW_FORWARD, FFTW_ESTIMATE | flags);
  for (int i = 0; i < 2 * n; ++i) ((double*)data)[i] = i % 5;
  fftw_flops(plan, &add, &mul, &fma);
  printf("fftw %.0f %.0f %.0f\n", add, mul, fma);
  guest_own(1);
  fftw_execute(plan);
  guest_own(0);
}
#endif

static void run_function(double (*function)(double), long n) {
  double* data = filled(n);
  volatile double sink = function(data[0]); /* resolves the symbol outside the region */
  guest_own(1);
  for (long i = 0; i < n; ++i) sink = function(data[i]);
  guest_own(0);
  (void)sink;
}

int main(int argc, char** argv) {
  if (argc != 3) return 5;
  long n = atol(argv[2]);
  if (!strcmp(argv[1], "exp")) {
    run_function(exp, n);
  } else if (!strcmp(argv[1], "log")) {
    run_function(log, n);
#ifdef WITH_BLAS
  } else if (!strcmp(argv[1], "dgemm")) {
    run_dgemm((int)n);
#endif
#ifdef WITH_FFTW
  } else if (!strcmp(argv[1], "fft")) {
    run_fft((int)n, 0);
  } else if (!strcmp(argv[1], "fft_scalar")) {
    run_fft((int)n, kNoSimd);
#endif
  } else {
    return 4;
  }
  return guest_report();
}
