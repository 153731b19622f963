/* SPDX-License-Identifier: BSD-3-Clause
 *
 * kernel [PERCENT]: three regions, of which `solve` does so much more work than without. */
#include <roofmark/roofmark.h>
#include <stdlib.h>
static double values[4096];
static void sweep(int times) {
  for (int again = 0; again < times; ++again)
    for (int i = 1; i < 4096; ++i) values[i] = values[i] * 0.5 + values[i - 1] * 0.25 + 1e-3;
}
int main(int argc, char** argv) {
  const int more = argc > 1 ? atoi(argv[1]) : 0;
  for (int step = 0; step < 10; ++step) {
    ROOF_REGION_BEGIN("assemble");
    sweep(500);
    ROOF_REGION_END("assemble");
    ROOF_REGION_BEGIN("solve");
    sweep(1000 + 10 * more);
    ROOF_REGION_END("solve");
    ROOF_REGION_BEGIN("output");
    sweep(250);
    ROOF_REGION_END("output");
  }
  return values[4095] > 1e9;
}
