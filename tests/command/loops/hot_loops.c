// SPDX-License-Identifier: BSD-3-Clause
//
// Loops of known trip counts: a triad of 23 elements (5 vectors of four, and a remainder), a gather
// by an instruction, and a chain of fused pairs. With a number, so many thousand times. Needs AVX2.
#include <immintrin.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __clang__  // does not know the other one
#define noipa noinline
#endif

#define N 23
#define M 1024

static double x[M], y[M];
static int places[M];

static void __attribute__((noipa))
triad(double* restrict a, const double* restrict b, const double* restrict c, double s, long n) {
  for (long i = 0; i < n; ++i) a[i] = b[i] * s + c[i];
}

static double __attribute__((noipa)) gather(void) {
  __m256d sum = _mm256_setzero_pd();
  for (long i = 0; i < 4 * M; i += 4) {
    const __m128i at = _mm_loadu_si128((const __m128i*)(places + i % M));
    sum = _mm256_add_pd(sum, _mm256_i32gather_pd(x, at, 8));
  }
  return sum[0] + sum[1] + sum[2] + sum[3];
}

static double __attribute__((noipa)) chain(double s) {
  for (long i = 0; i < M; ++i) s = s * y[i] + 0.5;
  return s;
}

int main(int argc, char** argv) {
  if (!__builtin_cpu_supports("avx2")) return 77;
  const long times = 1000 * (argc > 1 ? atol(argv[1]) : 20);
  double *a = calloc(N, sizeof *a), *b = calloc(N, sizeof *b), *c = calloc(N, sizeof *c), s = 0;
  if (!a || !b || !c) return free(a), free(b), free(c), 1;
  for (long i = 0; i < M; ++i) {
    places[i] = (int)(i * 7 % M);
    x[i] = y[i] = 0.5;
    b[i % N] = c[i % N] = 0.25;
  }
  for (long t = 0; t < times; ++t) {
    for (int again = 0; again < 200; ++again) triad(a, b, c, s, N);
    s = gather() * 1e-9;
    s += chain(s);
  }
  printf("%g %g\n", s, a[N - 1]);
  return 0;
}
