/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Code that only a processor with AVX-512 executes. */
#include "tests/collectors/counting/valgrind/guests/avx512.h"

double add_with_avx512(const double* data) {
  double sum;
  __asm__ volatile("vmovupd (%1), %%zmm1\n\tvaddpd %%zmm1, %%zmm1, %%zmm2\n\tvmovsd %%xmm2, %0"
                   : "=m"(sum)
                   : "r"(data)
                   : "xmm1", "xmm2", "memory");
  return sum;
}

long mask_with_avx512(long bits) {
  long out;
  __asm__ volatile("kmovw %k1, %%k1\n\tkmovw %%k1, %k0" : "=r"(out) : "r"(bits));
  return out;
}
