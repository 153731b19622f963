/* SPDX-License-Identifier: BSD-3-Clause
 *
 * engine_kernels KERNEL REPETITIONS: prints the wall seconds that one repetition takes, the median,
 * after one that is not timed. Every kernel is one region, and its loop is shared by the threads of
 * OpenMP. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "benchmarks/overhead/counting/engine_timing.h"

enum { kTriad = 1000000, kGrid = 64, kMatrix = 192, kFft = 65536 };
enum { kRows = 37037, kRow = 27, kEntries = kRows * kRow, kAtoms = 16000, kNeighbours = 60 };

static int columns[kEntries];
static int neighbours[kAtoms * kNeighbours];

static double* filled(long n, double value) {
  double* data = aligned_alloc(64, (size_t)n * sizeof *data);
  for (long i = 0; i < n; ++i) data[i] = value + 1e-3 * (double)(i % 7);
  return data;
}

static void triad(double* restrict a, const double* restrict b, const double* restrict c,
                  const double* restrict d) {
  (void)d;
#pragma omp parallel for schedule(static)
  for (long i = 0; i < kTriad; ++i) a[i] = b[i] + 3.0 * c[i];
}

static void stencil(double* restrict out, const double* restrict in, const double* restrict c,
                    const double* restrict d) {
  const long n = kGrid;
  (void)c, (void)d;
#pragma omp parallel for schedule(static)
  for (long i = 1; i < n - 1; ++i)
    for (long j = 1; j < n - 1; ++j)
      for (long k = 1; k < n - 1; ++k) {
        const long p = (i * n + j) * n + k;
        out[p] = 0.4 * in[p] + 0.1 * (in[p - 1] + in[p + 1] + in[p - n] + in[p + n] +
                                      in[p - n * n] + in[p + n * n]);
      }
}

static void dgemm(double* restrict c, const double* restrict a, const double* restrict b,
                  const double* restrict d) {
  const long n = kMatrix;
  (void)d;
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; ++i)
    for (long k = 0; k < n; ++k)
      for (long j = 0; j < n; ++j) c[i * n + j] += a[i * n + k] * b[k * n + j];
}

/* Radix 2, decimation in frequency, real and imaginary parts in two arrays of one. */
static void fft(double* restrict re, const double* restrict unused, const double* restrict cosine,
                const double* restrict sine) {
  double* im = re + kFft;
  (void)unused;
  for (long half = kFft / 2, stride = 1; half >= 1; half /= 2, stride *= 2) {
#pragma omp parallel for schedule(static)
    for (long pair = 0; pair < kFft / 2; ++pair) {
      const long k = pair % half, p = pair / half * 2 * half + k, q = p + half;
      const double x = re[p] - re[q], y = im[p] - im[q];
      const double wr = cosine[k * stride], wi = sine[k * stride];
      re[p] += re[q];
      im[p] += im[q];
      re[q] = x * wr - y * wi;
      im[q] = x * wi + y * wr;
    }
  }
}

static void spmv(double* restrict y, const double* restrict value, const double* restrict x,
                 const double* restrict d) {
  (void)d;
#pragma omp parallel for schedule(static)
  for (long row = 0; row < kRows; ++row) {
    double sum = 0;
    for (long k = row * kRow; k < (row + 1) * kRow; ++k) sum += value[k] * x[columns[k]];
    y[row] = sum;
  }
}

/* Pairs of atoms, of which those that are near have a force; as in molecular dynamics. */
static void force(double* restrict f, const double* restrict r, const double* restrict c,
                  const double* restrict d) {
  (void)c, (void)d;
#pragma omp parallel for schedule(static)
  for (long i = 0; i < kAtoms; ++i) {
    double sum[3] = {0, 0, 0};
    for (long k = 0; k < kNeighbours; ++k) {
      const double* other = r + 3L * neighbours[i * kNeighbours + k];
      double away[3], square = 0;
      for (int m = 0; m < 3; ++m) {
        away[m] = r[3 * i + m] - other[m];
        square += away[m] * away[m];
      }
      if (square > 6e-6 || square == 0) continue;
      const double by = 1 / square, six = by * by * by, size = six * (six - 0.5) * by;
      for (int m = 0; m < 3; ++m) sum[m] += size * away[m];
    }
    for (int m = 0; m < 3; ++m) f[3 * i + m] = sum[m];
  }
}

typedef void (*kernel)(double* restrict, const double* restrict, const double* restrict,
                       const double* restrict);
static kernel find(const char* name) {
  static const struct {
    const char* name;
    kernel call;
  } kKernels[] = {{"triad", triad}, {"stencil", stencil}, {"dgemm", dgemm},
                  {"fft", fft},     {"spmv", spmv},       {"force", force}};
  for (size_t k = 0; k < sizeof kKernels / sizeof *kKernels; ++k)
    if (!strcmp(kKernels[k].name, name)) return kKernels[k].call;
  return NULL;
}

struct call {
  kernel kernel;
  double *a, *b, *c, *d;
};
static void repeat(void* data) {
  const struct call* call = data;
  call->kernel(call->a, call->b, call->c, call->d);
}

int main(int argc, char** argv) {
  struct call call = {argc == 3 ? find(argv[1]) : NULL, filled(kTriad, 0), filled(kTriad, 1),
                      filled(kTriad, 2), filled(kTriad, 3)};
  if (!call.kernel) return 2;
  for (long k = 0; k < kFft / 2 && call.kernel == fft; ++k) {
    call.c[k] = cos(2 * M_PI * (double)k / kFft);
    call.d[k] = -sin(2 * M_PI * (double)k / kFft);
  }
  for (long k = 0; k < kEntries; ++k) columns[k] = (int)(k * 7919 % kRows);
  for (long k = 0; k < (long)kAtoms * kNeighbours; ++k)
    neighbours[k] = (int)((k / kNeighbours + k * 31 % 997) % kAtoms);
  return time_repetitions(argv[2], repeat, &call);
}
