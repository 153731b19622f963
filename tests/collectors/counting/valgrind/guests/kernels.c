/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/collectors/counting/valgrind/guests/kernels.h"

#include <tgmath.h>

void triad(long n, REAL* restrict a, const REAL* restrict b, const REAL* restrict c, REAL s) {
  for (long i = 0; i < n; ++i) a[i] = b[i] + s * c[i];
}

REAL dot(long n, const REAL* restrict a, const REAL* restrict b) {
  REAL sum = 0;
  for (long i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

void gemm(long n, REAL* restrict c, const REAL* restrict a, const REAL* restrict b) {
  for (long i = 0; i < n; ++i)
    for (long k = 0; k < n; ++k) {
      REAL factor = a[i * n + k];
      for (long j = 0; j < n; ++j) c[i * n + j] += factor * b[k * n + j];
    }
}

void stencil(long n, REAL* restrict out, const REAL* restrict in, REAL alpha, REAL beta) {
  for (long i = 1; i < n - 1; ++i)
    for (long j = 1; j < n - 1; ++j)
      for (long k = 1; k < n - 1; ++k) {
        long p = (i * n + j) * n + k;
        out[p] = alpha * in[p] + beta * (in[p - 1] + in[p + 1] + in[p - n] + in[p + n] +
                                         in[p - n * n] + in[p + n * n]);
      }
}

void divide(long n, REAL* restrict a, const REAL* restrict b, const REAL* restrict c) {
  for (long i = 0; i < n; ++i) a[i] = b[i] / c[i];
}

void roots(long n, REAL* restrict a, const REAL* restrict b) {
  for (long i = 0; i < n; ++i) a[i] = sqrt(b[i]);
}
