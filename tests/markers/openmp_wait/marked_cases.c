/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Regions with parallel regions whose times are known, and one without. */
#include <roofmark/roofmark.h>

#include "tests/markers/openmp_wait/cases.h"

int main(void) {
  roofmark_begin("all");
  roofmark_begin("end");
  int threads = WaitAtTheEnd(4);
  roofmark_end("end");
  roofmark_begin("barrier");
  threads += WaitAtABarrier();
  roofmark_end("barrier");
  roofmark_begin("alone");
  roofmark_end("alone");
  roofmark_end("all");
  return threads == 10 ? 0 : 1;
}
