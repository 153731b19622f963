// SPDX-License-Identifier: BSD-3-Clause
//
// 30 steps of five tasks each, which any thread of the team may execute.
#include <stdio.h>

static double total;

static void __attribute__((noinline)) step(int iterations) {
  for (int task = 0; task < 5; ++task) {
#pragma omp task
    {
      double x = task;
      for (int i = 0; i < iterations; ++i) x = x * 0.999 + 1e-3;
#pragma omp atomic
      total += x;
    }
  }
#pragma omp taskwait
}

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 30; ++i) step(20000);
  puts("done");
  return total > 0 ? 0 : 1;
}
