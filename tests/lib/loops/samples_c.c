// SPDX-License-Identifier: BSD-3-Clause
//
// Loops that samples_test.cc looks for. A loop is the line with the mark `loop NAME`, in a function
// whose name begins with `kernel_`; those of other functions are not asked about. `twice` says that
// its function is inlined at two places, a number how often control went back to its begin.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/lib/loops/samples.h"

#define KERNEL __attribute__((noinline)) void

KERNEL kernel_axpy(int n, double a, const double* x, double* y) {
  for (int i = 0; i < n; ++i) { /* loop axpy */
    y[i] += a * x[i];
  }
}

KERNEL kernel_restrict(int n, float a, const float* restrict x, float* restrict y) {
  for (int i = 0; i < n; i++) /* loop restrict */
    y[i] = a * x[i] + 1;
}

KERNEL kernel_dot(int n, const double* x, const double* y, double* out) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i] * y[i]; /* loop dot */
  *out = sum;
}

KERNEL kernel_simd_sum(int n, const double* x, double* out) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int i = 0; i < n; ++i) { /* loop simd_sum */
    sum += x[i];
  }
  *out = sum;
}

KERNEL kernel_matvec(int n, const double* a, const double* x, double* y) {
  for (int i = 0; i < n; ++i) { /* loop matvec_rows */
    double sum = 0;
    for (int j = 0; j < n; ++j) { /* loop matvec_columns */
      sum += a[i * n + j] * x[j];
    }
    y[i] = sum;
  }
}

KERNEL kernel_matmul(int n, const double* a, const double* b, double* c) {
  for (int i = 0; i < n; ++i) {   /* loop matmul_i */
    for (int k = 0; k < n; ++k) { /* loop matmul_k */
      const double value = a[i * n + k];
      for (int j = 0; j < n; ++j) { /* loop matmul_j */
        c[i * n + j] += value * b[k * n + j];
      }
    }
  }
}

struct node {
  struct node* next;
  double value;
};

KERNEL kernel_list(const struct node* node, double* out) {
  double sum = 0;
  while (node != NULL) { /* loop list 36 */
    sum += node->value;
    node = node->next;
  }
  *out = sum;
}

KERNEL kernel_do_while(int n, double* out) {
  double value = *out;
  int steps = 0;
  do {
    value = value * 0.5 + 1;
    ++steps;
  } while (steps < n && value > 1e-9); /* loop do_while */
  *out = value;
}

static __attribute__((noinline)) double callee(double value) { return value * value + 1; }

KERNEL kernel_call(int n, double* x) {
  for (int i = 0; i < n; ++i) { /* loop call 36 */
    x[i] = callee(x[i]);
  }
}

KERNEL kernel_search(int n, const int* keys, int key, int* found) {
  *found = -1;
  for (int i = 0; i < n; ++i) { /* loop search */
    if (keys[i] == key) {
      *found = i;
      break;
    }
  }
}

KERNEL kernel_continue(int n, const int* keys, double* x) {
  for (int i = 0; i < n; ++i) { /* loop continue 36 */
    if (keys[i] % 3 == 0) continue;
    if (keys[i] % 5 == 0) {
      x[keys[i] % n] += 2;
      continue;
    }
    x[keys[i] % n] = x[i] / 3;
  }
}

static inline __attribute__((always_inline)) double inlined_sum(int n, const double* x) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i] * x[i]; /* loop inlined twice */
  return sum;
}

KERNEL kernel_inlined(int n, const double* x, const double* y, double* out) {
  out[0] = inlined_sum(n, x);
  out[1] = inlined_sum(n, y);
}

static inline __attribute__((always_inline)) double inlined_body(double value) {
  if (value > 4) value = value / 2;
  return value * 3;
}

KERNEL kernel_inlined_body(int n, double* x) {
  for (int i = 0; i < n; ++i) { /* loop inlined_body */
    x[i] = inlined_body(x[i]);
  }
}

KERNEL kernel_unrolled(int n, double* x) {
#pragma GCC unroll 4
  for (int i = 1; i < n; ++i) { /* loop unrolled */
    x[i] += x[i - 1] * 0.5;
  }
}

KERNEL kernel_versioned(int n, int stride, double* x, const double* y) {
  for (int i = 0; i < n; ++i) { /* loop versioned */
    x[i * stride] = y[i * stride] * 2 + x[i * stride];
  }
}

KERNEL kernel_goto(int n, double* x) {
  int i = 0;
again:
  x[i] = x[i] * 2 + 1;
  if (++i < n) goto again; /* loop goto */
}

KERNEL kernel_stencil(int n, const double* a, double* b) {
  for (int i = 1; i < n - 1; ++i)   /* loop stencil_rows */
    for (int j = 1; j < n - 1; ++j) /* loop stencil_columns */
      b[i * n + j] =
          0.25 * (a[(i - 1) * n + j] + a[(i + 1) * n + j] + a[i * n + j - 1] + a[i * n + j + 1]);
}

KERNEL kernel_gather(int n, const int* index, const double* x, double* y) {
  for (int i = 0; i < n; ++i) { /* loop gather */
    y[i] = x[index[i]];
  }
}

KERNEL kernel_histogram(int n, const int* keys, uint32_t* counts) {
  for (int i = 0; i < n; ++i) { /* loop histogram */
    counts[keys[i] & 15]++;
  }
}

KERNEL kernel_cold(int n, const int* keys, double* x) {
  for (int i = 0; i < n; ++i) { /* loop cold */
    if (__builtin_expect(keys[i] > 1000000, 0)) {
      fprintf(stderr, "a key is too large: %d\n", keys[i]);
      x[i] = callee(x[i]);
      abort();
    }
    x[i] += keys[i];
  }
}

KERNEL kernel_triangular(int n, double* a) {
  for (int i = 0; i < n; ++i) {   /* loop triangular_rows */
    for (int j = 0; j < i; ++j) { /* loop triangular_columns */
      a[i * n + j] /= a[j * n + j] + 3;
    }
  }
}

KERNEL kernel_switch(int n, const int* keys, double* x) {
  for (int i = 0; i < n; ++i) { /* loop switch */
    switch (keys[i] % 7) {
      case 0:
        x[i] = callee(x[i]);
        break;
      case 1:
        x[i] /= 3;
        break;
      case 2:
        x[i] = -x[i];
        break;
      case 3:
        x[i] += callee(x[i] + 1);
        break;
      default:
        x[i] *= 2;
    }
  }
}

KERNEL kernel_omp_for(int n, double* x) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) { /* loop omp_for */
    x[i] = x[i] * 2 + 1;
  }
}

KERNEL kernel_omp_nested(int n, const double* a, const double* x, double* y) {
#pragma omp parallel for schedule(dynamic, 4)
  for (int i = 0; i < n; ++i) { /* loop omp_rows */
    double sum = 0;
    for (int j = 0; j < n; ++j) sum += a[i * n + j] / x[j]; /* loop omp_columns */
    y[i] = sum;
  }
}

KERNEL kernel_omp_sections(int n, double* x, double* y) {
#pragma omp parallel sections /* loop omp_sections */
  {
#pragma omp section
    for (int i = 0; i < n; ++i) x[i] = x[i] / 3; /* loop omp_section_1 */
#pragma omp section
    for (int i = 0; i < n; ++i) y[i] = y[i] * 5; /* loop omp_section_2 */
  }
}

KERNEL kernel_omp_task(int n, double* x) {
#pragma omp parallel
#pragma omp single
  for (int part = 0; part < 2; ++part) { /* loop omp_parts */
#pragma omp task
    for (int i = 1; i < n; ++i) x[i] += x[i - 1] / 7; /* loop omp_task */
  }
}

int main(void) {
  enum { kCount = TRACED(37, 201), kSide = TRACED(19, 67) };
  const int count = Unknown(kCount), side = Unknown(kSide);
  static double a[kSide * kSide], b[kSide * kSide], c[kSide * kSide], x[kSide * kSide],
      y[kSide * kSide];
  static float f[kCount], g[kCount];
  static int keys[kCount];
  static struct node nodes[kCount];
  uint32_t counts[16] = {0};
  for (int i = 0; i < kSide * kSide; ++i) a[i] = b[i] = x[i] = y[i] = 1 + i % 5;
  for (int i = 0; i < kCount; ++i) {
    keys[i] = (i * 11) % kCount;
    nodes[i].next = i + 1 < kCount ? &nodes[i + 1] : NULL;
  }
  double out[2] = {1, 1};
  int found = 0;
  BEGIN_TRACE();
  kernel_axpy(count, 2, x, y);
  kernel_restrict(count, 2, f, g);
  kernel_dot(count, x, y, out);
  kernel_simd_sum(count, x, out);
  kernel_matvec(side, a, x, y);
  kernel_matmul(side, a, b, c);
  kernel_list(nodes, out);
  kernel_do_while(count, out);
  kernel_call(count, x);
  kernel_search(count, keys, 8, &found);
  kernel_continue(count, keys, x);
  kernel_inlined(count, x, y, out);
  kernel_inlined_body(count, x);
  kernel_unrolled(count, x);
  kernel_versioned(count, 1, x, y);
  kernel_versioned(count, 2, x, y);
  kernel_goto(count, x);
  kernel_stencil(side, a, b);
  kernel_gather(count, keys, x, y);
  kernel_histogram(count, keys, counts);
  kernel_cold(count, keys, x);
  kernel_triangular(side, a);
  kernel_switch(count, keys, x);
  kernel_omp_for(count, x);
  kernel_omp_nested(side, a, x, y);
  kernel_omp_sections(count, x, y);
  kernel_omp_task(count, x);
  END_TRACE();
  return found + (int)counts[0] == 0 && c[3] + out[0] + y[0] + b[5] + g[0] == 0;
}
