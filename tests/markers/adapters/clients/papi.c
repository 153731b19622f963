/* SPDX-License-Identifier: BSD-3-Clause
 *
 * papi [hostile]: a program with PAPI's high-level interface, which prints what it returns. */
#include <papi.h>
#include <stdio.h>
#include <string.h>

static void Work(void) {
  int result = 0;
  for (int i = 0; i < 3; ++i) {
    result = PAPI_hl_region_begin("solve");
    PAPI_hl_region_begin("sweep");
    PAPI_hl_read("sweep");
    PAPI_hl_region_end("sweep");
    PAPI_hl_region_end("solve");
  }
#pragma omp parallel num_threads(2)
  {
    PAPI_hl_region_begin("worker");
    PAPI_hl_region_end("worker");
  }
  printf("begin %d\n", result);
}

static void DoEverythingWrong(void) {
  PAPI_hl_region_end("never begun");
  char name[5000];
  memset(name, 'n', sizeof name - 1);
  name[sizeof name - 1] = '\0';
  PAPI_hl_region_begin(name);
  PAPI_hl_region_end(name);
  PAPI_hl_stop();
  PAPI_hl_region_begin("after stop");
  PAPI_hl_region_end("after stop");
  PAPI_hl_region_begin("left open");
}

int main(int argc, char** argv) {
  argc > 1 && strcmp(argv[1], "hostile") == 0 ? DoEverythingWrong() : Work();
  puts("done");
  return 0;
}
