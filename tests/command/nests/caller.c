// SPDX-License-Identifier: BSD-3-Clause
//
// 20 rounds in a loop that has next to no code of its own: all is done by a library
// (caller_work.c).
#include <stdio.h>

double work(int iterations);

int main(void) {
  double total = 0;
  for (int round = 0; round < 20; ++round) total += work(10000);
  puts("done");
  return total > 0 ? 0 : 1;
}
