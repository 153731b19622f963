/* SPDX-License-Identifier: BSD-3-Clause
 *
 * scattered N: N times 100 divisions in each of 2000 functions. None of them takes 1 % of the time,
 * and neither does what calls them, one after the other: there is no loop. */
#include <stdio.h>
#include <stdlib.h>

#ifdef __clang__ /* does not know the other one */
#define noipa noinline
#endif

/* clang-format takes these calls of macros for declarations, and moves them each time. */
// clang-format off
#define TEN(make, n) make(n##0) make(n##1) make(n##2) make(n##3) make(n##4) \
  make(n##5) make(n##6) make(n##7) make(n##8) make(n##9)
#define HUNDRED(make, n) TEN(make, n##0) TEN(make, n##1) TEN(make, n##2) TEN(make, n##3) TEN(make, n##4) \
  TEN(make, n##5) TEN(make, n##6) TEN(make, n##7) TEN(make, n##8) TEN(make, n##9)
#define THOUSAND(make, n) HUNDRED(make, n##0) HUNDRED(make, n##1) HUNDRED(make, n##2) HUNDRED(make, n##3) \
  HUNDRED(make, n##4) HUNDRED(make, n##5) HUNDRED(make, n##6) HUNDRED(make, n##7) HUNDRED(make, n##8) \
  HUNDRED(make, n##9)
// clang-format on

#define DEFINE(n)                                                             \
  static __attribute__((noipa)) double divide##n(double x, double by) {       \
    __asm__ volatile(".rept 100\n divsd %1, %0\n .endr" : "+x"(x) : "x"(by)); \
    return x;                                                                 \
  }
THOUSAND(DEFINE, 1)
THOUSAND(DEFINE, 2)

#define CALL(n) x = divide##n(x, by);
static __attribute__((noipa)) double each(double x, double by) {
  THOUSAND(CALL, 1)
  THOUSAND(CALL, 2)
  return x;
}

static __attribute__((noipa)) double repeat(int times, double x) {
  if (times == 0) return x;
  x = repeat(times - 1, each(x, 1.0000001));
  __asm__ volatile("" : "+x"(x)); /* no jump in place of the call */
  return x;
}

int main(int argc, char** argv) {
  printf("%g\n", repeat(argc > 1 ? atoi(argv[1]) : 1, 1));
  return 0;
}
