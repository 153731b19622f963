/* SPDX-License-Identifier: BSD-3-Clause
 *
 * avx512 MODE: reaches AVX-512 code (zmm, mask), or only holds it (dormant). */
#include "tests/collectors/counting/valgrind/guests/avx512.h"

#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
  double data[8] = {1};
  const char* mode = argc > 1 ? argv[1] : "";
  printf("before\n");
  fflush(stdout);
  if (!strcmp(mode, "zmm")) printf("%f\n", add_with_avx512(data));
  if (!strcmp(mode, "mask")) printf("%ld\n", mask_with_avx512(5));
  if (!strcmp(mode, "invalid")) __asm__ volatile(".byte 0x0f, 0x3f, 0x07, 0x0b");
  printf("after\n");
  return 0;
}
