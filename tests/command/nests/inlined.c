/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Functions that are inlined into others, with a known number of additions in each. They stand in
 * assembler, so that the compiler neither merges nor moves them. A construct of OpenMP is written
 * in one of them, which is inlined twice, once into a function that is inlined itself. */
#include <stdio.h>

#define INLINE static inline __attribute__((always_inline))
#define NOINLINE static __attribute__((noinline))

INLINE void add(int n) {
  for (int i = 0; i < n; ++i) __asm__ volatile("addsd %%xmm1, %%xmm1" ::: "xmm1");
}

/* 20, and whoever calls it is charged with them. */
NOINLINE void called(void) { add(20); }

/* 1 000 in the construct, 100 beside it, then 20. */
INLINE void helper(int threads) {
  add(100);
#pragma omp parallel num_threads(threads)
  add(1000);
  called();
}

/* 3 000 itself, and helper twice. */
INLINE void middle(int threads) {
  add(1500);
  helper(threads);
  add(1500);
  helper(threads);
}

/* 4 x 401; the compiler may inline it into itself. */
NOINLINE void recur(int again) {
  add(400);
  if (again > 0) recur(again - 1);
  add(1);
}

int main(int argc, char** argv) {
  (void)argv;
  for (int i = 0; i < 3 * argc; ++i) {
    middle(argc);
    add(500);
    helper(argc);
    recur(3);
  }
  puts("done");
  return 0;
}
