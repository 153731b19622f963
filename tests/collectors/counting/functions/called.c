/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A library whose function has two names. */
#include "tests/collectors/counting/functions/called.h"

static volatile double g_one = 1.0;
static volatile double g_sink;

void called_add(int n) {
  double sum = 0;
  const double one = g_one;
  for (int i = 0; i < n; ++i) {
    sum += one;
    __asm__ volatile("" : "+x"(sum));
  }
  g_sink = sum;
}

void called_also_(int n) __attribute__((alias("called_add")));
