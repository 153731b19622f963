// SPDX-License-Identifier: BSD-3-Clause
//
// nested ROWS COLUMNS: a loop in a loop.
#include <stdlib.h>

static double __attribute__((noinline)) sweep(long rows, long columns, double x) {
  for (long row = 0; row < rows; ++row) {
    for (long column = 0; column < columns; ++column) x = x * 0.999 + 0.5;
    x += 1;
  }
  return x;
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  return sweep(atol(argv[1]), atol(argv[2]), 1) > 0 ? 0 : 1;
}
