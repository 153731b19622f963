/* SPDX-License-Identifier: BSD-3-Clause
 *
 * engine_blas blas REPETITIONS: a product of matrices by the BLAS library, with its own threads;
 * prints seconds as engine_kernels does. */
#include <string.h>

#include "benchmarks/overhead/counting/engine_timing.h"

enum { kSize = 768, kElements = kSize * kSize };

void dgemm_(const char*, const char*, const int*, const int*, const int*, const double*,
            const double*, const int*, const double*, const int*, const double*, double*,
            const int*);

static void multiply(void* data) {
  double *a = data, *b = a + kElements, *c = b + kElements;
  const int n = kSize;
  const double one = 1, none = 0;
  dgemm_("N", "N", &n, &n, &n, &one, a, &n, b, &n, &none, c, &n);
}

int main(int argc, char** argv) {
  static double data[3 * kElements];
  if (argc != 3 || strcmp(argv[1], "blas") != 0) return 2;
  for (int i = 0; i < 2 * kElements; ++i) data[i] = 1e-3 * (double)(i % 997);
  return time_repetitions(argv[2], multiply, data);
}
