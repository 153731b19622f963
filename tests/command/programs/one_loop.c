/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>

int main(int argc, char** argv) {
  double sum = 0;
  for (int i = 0; i < 1000; ++i) sum += argc * (double)i;
  return printf("%s %g\n", argv[0], sum) < 0;
}
