/* SPDX-License-Identifier: BSD-3-Clause
 *
 * slowdown_kernels KERNEL REPETITIONS: prints the processor seconds one repetition takes, the
 * median, after one that is not timed (page faults, translation). Compiled with several flags by
 * the benchmark. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { kTriad = 1000000, kGrid = 64, kMatrix = 192, kFft = 65536, kMaxRepetitions = 1000 };
enum { kRows = 37037, kRow = 27, kEntries = kRows * kRow };

static int columns[kEntries];

static double* filled(long n, double value) {
  double* data = aligned_alloc(64, (size_t)n * sizeof *data);
  for (long i = 0; i < n; ++i) data[i] = value + 1e-3 * (double)(i % 7);
  return data;
}

__attribute__((noinline)) static void triad(double* restrict a, const double* restrict b,
                                            const double* restrict c) {
  for (long i = 0; i < kTriad; ++i) a[i] = b[i] + 3.0 * c[i];
}

__attribute__((noinline)) static void stencil(double* restrict out, const double* restrict in) {
  const long n = kGrid;
  for (long i = 1; i < n - 1; ++i)
    for (long j = 1; j < n - 1; ++j)
      for (long k = 1; k < n - 1; ++k) {
        long p = (i * n + j) * n + k;
        out[p] = 0.4 * in[p] + 0.1 * (in[p - 1] + in[p + 1] + in[p - n] + in[p + n] +
                                      in[p - n * n] + in[p + n * n]);
      }
}

__attribute__((noinline)) static void dgemm(double* restrict c, const double* restrict a,
                                            const double* restrict b) {
  const long n = kMatrix;
  for (long i = 0; i < n; ++i)
    for (long k = 0; k < n; ++k)
      for (long j = 0; j < n; ++j) c[i * n + j] += a[i * n + k] * b[k * n + j];
}

/* Radix 2, decimation in frequency; the output stays in bit-reversed order. */
__attribute__((noinline)) static void fft(double* restrict re, double* restrict im,
                                          const double* restrict cosine,
                                          const double* restrict sine) {
  for (long half = kFft / 2, stride = 1; half >= 1; half /= 2, stride *= 2)
    for (long start = 0; start < kFft; start += 2 * half)
      for (long k = 0; k < half; ++k) {
        long p = start + k, q = p + half;
        double x = re[p] - re[q], y = im[p] - im[q];
        double wr = cosine[k * stride], wi = sine[k * stride];
        re[p] += re[q];
        im[p] += im[q];
        re[q] = x * wr - y * wi;
        im[q] = x * wi + y * wr;
      }
}

/* Rows of kRow entries; consecutive ones read the vector 7919 apart. */
__attribute__((noinline)) static void spmv(double* restrict y, const double* restrict value,
                                           const double* restrict x) {
  for (long row = 0; row < kRows; ++row) {
    double sum = 0;
    for (long k = row * kRow; k < (row + 1) * kRow; ++k) sum += value[k] * x[columns[k]];
    y[row] = sum;
  }
}

/* Processor time: the ratios then hold on a busy machine, too. */
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare(const void* left, const void* right) {
  double a = *(const double*)left, b = *(const double*)right;
  return (a > b) - (a < b);
}

static int run_once(const char* kernel, double* a, double* b, double* c, double* d) {
  if (!strcmp(kernel, "triad")) {
    triad(a, b, c);
  } else if (!strcmp(kernel, "stencil")) {
    stencil(a, b);
  } else if (!strcmp(kernel, "dgemm")) {
    dgemm(a, b, c);
  } else if (!strcmp(kernel, "fft")) {
    fft(a, b, c, d);
  } else if (!strcmp(kernel, "spmv")) {
    spmv(a, b, c);
  } else {
    return 0;
  }
  return 1;
}

int main(int argc, char** argv) {
  static double seconds[kMaxRepetitions];
  long repetitions = argc == 3 ? atol(argv[2]) : 0;
  if (repetitions < 1 || repetitions > kMaxRepetitions) return 2;
  double *a = filled(kTriad, 0), *b = filled(kTriad, 1), *c = filled(kTriad, 2),
         *d = filled(kTriad, 3);
  if (!strcmp(argv[1], "fft"))
    for (long k = 0; k < kFft / 2; ++k) {
      c[k] = cos(2 * M_PI * (double)k / kFft);
      d[k] = -sin(2 * M_PI * (double)k / kFft);
    }
  for (long k = 0; k < kEntries; ++k) columns[k] = (int)(k * 7919 % kRows);
  if (!run_once(argv[1], a, b, c, d)) return 3;
  for (long r = 0; r < repetitions; ++r) {
    double start = now();
    run_once(argv[1], a, b, c, d);
    seconds[r] = now() - start;
  }
  qsort(seconds, (size_t)repetitions, sizeof *seconds, compare);
  printf("%.9f\n", seconds[repetitions / 2]);
  return 0;
}
