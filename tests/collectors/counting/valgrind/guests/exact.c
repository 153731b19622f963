/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exact KERNEL SIZE: runs one kernel in path 1 and reports. */
#include <string.h>

#include "tests/collectors/counting/valgrind/guests/guest.h"
#include "tests/collectors/counting/valgrind/guests/kernels.h"

static REAL* filled(long n, REAL value) {
  REAL* data = aligned_alloc(64, (size_t)(n * (long)sizeof(REAL) + 63) / 64 * 64);
  for (long i = 0; i < n; ++i) data[i] = value;
  return data;
}

static int run(const char* kernel, long n) {
  long elements = !strcmp(kernel, "stencil") ? n * n * n : !strcmp(kernel, "gemm") ? n * n : n;
  REAL* a = filled(elements, (REAL)0.5);
  REAL* b = filled(elements, (REAL)1.25);
  REAL* c = filled(elements, (REAL)2.5);
  volatile REAL sink = 0;
  int known = 1;
  guest_own(1);
  if (!strcmp(kernel, "triad")) {
    triad(n, a, b, c, (REAL)3);
  } else if (!strcmp(kernel, "dot")) {
    sink = dot(n, b, c);
  } else if (!strcmp(kernel, "gemm")) {
    gemm(n, a, b, c);
  } else if (!strcmp(kernel, "stencil")) {
    stencil(n, a, b, (REAL)0.1, (REAL)0.2);
  } else if (!strcmp(kernel, "divide")) {
    divide(n, a, b, c);
  } else if (!strcmp(kernel, "roots")) {
    roots(n, a, b);
  } else {
    known = 0;
  }
  guest_own(0);
  (void)sink;
  return known ? guest_report() : 4;
}

int main(int argc, char** argv) { return argc == 3 ? run(argv[1], atol(argv[2])) : 5; }
