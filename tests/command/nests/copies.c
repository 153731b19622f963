/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Functions that are inlined into each other, and of which compilers make copies: the loop over
 * regions is divided where `times` changes, its first part has no loop over `times`, and the loops
 * in pressure() and energy() have no code before them that would say where these begin. */
#include <stdio.h>

enum { kRegions = 11, kElements = 60, kSteps = 20 };

struct limits {
  double low, high;
  int cost;
};

static double low(const struct limits* of) { return of->low; }
static double high(const struct limits* of) { return of->high; }

static void pressure(double* p, double* c, const double* e, const double* v, double from, double to,
                     int n, const int* list) {
  for (int i = 0; i < n; ++i) c[i] = 2.0 / 3.0 * (e[i] + 1.0);
  for (int i = 0; i < n; ++i) {
    p[i] = c[i] * e[i];
    if (p[i] < from) p[i] = 0.0;
    if (v[list[i]] >= to) p[i] = 0.0;
  }
}

static void energy(double* p, double* c, double* e, const double* v, const double* work,
                   double from, double to, int n, const int* list) {
  for (int i = 0; i < n; ++i) e[i] = e[i] - 0.5 * p[i] + 0.5 * work[i];
  pressure(p, c, e, v, from, to, n, list);
  for (int i = 0; i < n; ++i) {
    e[i] = e[i] + 0.5 * work[i] - (p[i] + c[i]) / 6.0;
    if (e[i] < from) e[i] = from;
  }
  pressure(p, c, e, v, from, to, n, list);
  for (int i = 0; i < n; ++i) e[i] += p[i] * 1e-3 * work[i];
  pressure(p, c, e, v, from, to, n, list);
}

static double region(const struct limits* of, const double* v, int n, const int* list, int times) {
  const double from = low(of), to = high(of);
  double p[kElements], c[kElements], e[kElements], work[kElements];
  double sum = 0;
  for (int j = 0; j < times; ++j) {
    for (int i = 0; i < n; ++i) {
      e[i] = v[list[i]];
      p[i] = 0.5 * v[list[i]];
      work[i] = 0.0;
    }
    energy(p, c, e, v, work, from, to, n, list);
  }
  for (int i = 0; i < n; ++i) sum += e[i] + p[i];
  return sum;
}

/* `argc` is 1: the compiler does not know. */
int main(int argc, char** argv) {
  (void)argv;
  const struct limits of = {0.01 * argc, 1.5 * argc, argc};
  double v[kElements], sum = 0;
  int list[kElements];
  const int regions = kRegions * argc;
  for (int i = 0; i < kElements; ++i) {
    v[i] = 1.0 + 0.01 * i * argc;
    list[i] = kElements - 1 - i;
  }
  for (int step = 0; step < kSteps * argc; ++step) {
    for (int r = 0; r < regions; ++r) {
      int times = 10 * (1 + of.cost);
      if (r < regions / 2) {
        times = 1;
      } else if (r < regions - (regions + 15) / 20) {
        times = 1 + of.cost;
      }
      sum += region(&of, v, kElements - r, list, times);
    }
  }
  puts("done");
  return sum > 0 ? 0 : 1;
}
