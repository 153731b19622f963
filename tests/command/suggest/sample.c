// SPDX-License-Identifier: BSD-3-Clause
//
// Loops that command_test.cc has marked: the comments `loop NAME` say where.
#include <stdio.h>

enum { kRows = 64, kSweeps = 5 };
static double grid[kRows][kRows];

static double sweep(double factor) {
  double sum = 0;
#pragma GCC ivdep
  for (int i = 0; i < kRows; ++i) /* loop sweep */
    for (int j = 0; j < kRows; ++j) {
      grid[i][j] = grid[i][j] * factor + 1;
      sum += grid[i][j];
    }
  return sum;
}

static int find(double least) {
  for (int i = 0; i < kRows; ++i) { /* loop find */
    if (grid[i][i] > least) return i;
  }
  return -1;
}

static void relax(int n) {
  if (n > 0)
    while (n-- > 0) grid[n][0] *= 0.5; /* loop relax */
  else
    grid[0][0] = 1;
}

int main(void) {
  double sum = 0;
  for (int i = 0; i < kSweeps; ++i) { /* loop main */
    sum += sweep(0.5);
    relax(i);
  }
  printf("%.3f %d\n", sum, find(1));
  return 0;
}
