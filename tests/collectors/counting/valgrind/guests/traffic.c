/* SPDX-License-Identifier: BSD-3-Clause
 *
 * traffic KERNEL SIZE: memory traffic with a closed form; path 1 is measured, path 2 warms up. */
#include <emmintrin.h>
#include <string.h>

#include "tests/collectors/counting/valgrind/guests/guest.h"
#include "tests/collectors/counting/valgrind/guests/kernels.h"

static double* filled(long n) {
  double* data = aligned_alloc(4096, ((size_t)n * sizeof *data + 4095) / 4096 * 4096);
  for (long i = 0; i < n; ++i) data[i] = 1;
  return data;
}

__attribute__((noinline)) static void triad_nt(long n, double* a, const double* b,
                                               const double* c) {
  const __m128d three = _mm_set1_pd(3);
  for (long i = 0; i < n; i += 2)
    _mm_stream_pd(a + i, _mm_add_pd(_mm_load_pd(b + i), _mm_mul_pd(three, _mm_load_pd(c + i))));
}

/* 64 lines, `stride` bytes apart, walked ten times. */
__attribute__((noinline)) static void walk(const char* base, long stride) {
  for (int repeat = 0; repeat < 10; ++repeat)
    for (long i = 0; i < 64; ++i) (void)*(volatile const char*)(base + i * stride);
}

/* Path 3 dirties n doubles and leaves them, path 4 reads other data until they are gone. */
static void leave_dirty(long n, double* a, const double* b, long others) {
  __attribute__((unused)) volatile double sum = 0;
  guest_own(3);
  for (long i = 0; i < n; ++i) a[i] = 2;
  guest_own(4);
  for (long i = 0; i < others; i += 8) sum += b[i];
  guest_own(0);
}

static void sweep_twice(const char* kernel, long n, double* a, double* b, double* c) {
  for (unsigned long path = 2; path >= 1; --path) {
    guest_own(path);
    if (!strcmp(kernel, "triad")) triad(n, a, b, c, 3);
    if (!strcmp(kernel, "triad_nt")) triad_nt(n, a, b, c);
    if (!strcmp(kernel, "stencil")) stencil(n, a, b, 0.4, 0.1);
    if (!strcmp(kernel, "walk")) walk((const char*)a, n);
    guest_own(0);
  }
}

int main(int argc, char** argv) {
  if (argc != 3) return 5;
  long n = atol(argv[2]);
  long elements = !strcmp(argv[1], "stencil") ? n * n * n : !strcmp(argv[1], "walk") ? 8 * n : n;
  double *a = filled(elements), *b = filled(elements), *c = filled(elements);
  if (!strcmp(argv[1], "dirty")) {
    leave_dirty(n / 64, a, b, n / 64);
    leave_dirty(n / 64, a, b, n);
  } else {
    sweep_twice(argv[1], n, a, b, c);
  }
  return guest_report();
}
