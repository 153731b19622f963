/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * STREAM triad, a = b + s c: 2 FLOPs and 24 useful bytes per element; a store that allocates its
 * line reads it first, so DRAM moves 32 (24 with non-temporal stores). The values are small
 * integers, so the result is exact with and without FMA.
 */
#include <math.h>
#include <roofmark/roofmark.h>
#include <stdio.h>
#include <stdlib.h>

#include "benchmarks/kernels/kernel.h"
#include "benchmarks/kernels/streaming.h"

enum { kPlain, kNt };

static double B(long i) { return (double)(i % 1021); }
static double C(long i) { return (double)(i % 509 - 254); }

static void TriadPlain(double* restrict a, const double* restrict b, const double* restrict c,
                       double s, long n) {
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; ++i) a[i] = b[i] + s * c[i];
}

static void TriadNt(double* restrict a, const double* restrict b, const double* restrict c,
                    double s, long n) {
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (long line = 0; line < n / 8; ++line) {
      double sum[8];
      for (int k = 0; k < 8; ++k) sum[k] = b[8 * line + k] + s * c[8 * line + k];
      StreamFour(a + 8 * line, sum);
      StreamFour(a + 8 * line + 4, sum + 4);
    }
    StreamEnd();
  }
}

/* Touched by the threads that will use it. */
static double* NewArray(long n) {
  double* array = aligned_alloc(64, (size_t)n * sizeof *array);
  if (array == NULL) {
    fprintf(stderr, "triad: no memory for %ld elements\n", n);
    exit(1);
  }
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; ++i) array[i] = 0;
  return array;
}

int main(int argc, char** argv) {
  static const char* const kVariants[] = {"plain", "nt", NULL};
  const KernelDoc doc = {.name = "triad",
                         .size_doc = "elements per array and rank, a multiple of 8",
                         .n = 1L << 24,
                         .n_multiple = 8,
                         .iterations = 40,
                         .variants = kVariants};
  const Kernel kernel = KernelBegin(&argc, &argv, &doc);
  const long n = kernel.n, offset = n * kernel.rank;
  double *a = NewArray(n), *b = NewArray(n), *c = NewArray(n);
#pragma omp parallel for schedule(static)
  for (long i = 0; i < n; ++i) {
    b[i] = B(offset + i);
    c[i] = C(offset + i);
  }
  const double bytes = (kernel.variant == kNt && ROOFMARK_HAS_STREAMING ? 24.0 : 32.0) * (double)n;
  const double start = KernelStartClock();
  for (long iteration = 1; iteration <= kernel.iterations; ++iteration) {
    ROOF_REGION_BEGIN("triad");
    if (kernel.variant == kNt) {
      TriadNt(a, b, c, (double)iteration, n);
    } else {
      TriadPlain(a, b, c, (double)iteration, n);
    }
    ROOF_REGION_WORK(2.0 * (double)n, bytes);
    ROOF_REGION_END("triad");
  }
  const double seconds = KernelStopClock(start);
  if (kernel.spoil && kernel.rank == kernel.ranks - 1) a[n - 1] += 1;
  double error = 0;
  for (long i = 0; i < n; ++i) {
    const double now = fabs(a[i] - (B(offset + i) + (double)kernel.iterations * C(offset + i)));
    if (!(now <= error)) error = now; /* keeps a NaN */
  }
  const double visits = (double)kernel.iterations;
  free(a);
  free(b);
  free(c);
  return KernelEnd(&kernel, seconds, 2.0 * (double)n * visits, bytes * visits, error, 0);
}
