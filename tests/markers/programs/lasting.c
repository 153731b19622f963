/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A hundred visits with a held clock: each lasts 10 us longer than the one before, the first 1 ms.
 */
#include <roofmark/roofmark.h>
#include <stdio.h>

#include "tests/support/held_clock.h"

int main(void) {
  held_clock_reading_ns = 0;
  for (uint64_t i = 0; i < 100; ++i) {
    ROOF_REGION_BEGIN("lasting");
    held_clock_pass(1000000 + i * 10000);
    ROOF_REGION_END("lasting");
  }
  held_clock_reading_ns = 1;
  puts("done");
  return 0;
}
