/* SPDX-License-Identifier: BSD-3-Clause
 *
 * long_day VISITS NAMES STEP_NS: a day of markers with a held clock, which moves by STEP_NS in each
 * visit. The wall clock steps back and forth by an hour, and the CPUs that the program may use
 * change, as they do when somebody edits its cgroup. NAMES names are made at run time. Prints what
 * it did: visits, ns in regions of the fixed name, ns in all, KiB that the process grew by behind
 * the eighth part of the visits. */
#define _GNU_SOURCE
#include <roofmark/roofmark.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/held_clock.h"

static long ResidentKib(void) {
  long pages = 0, resident = 0;
  FILE* file = fopen("/proc/self/statm", "r");
  if (file == NULL || fscanf(file, "%ld %ld", &pages, &resident) != 2) exit(1);
  fclose(file);
  return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

/* All CPUs, and one of them. */
static void ChangeCpus(const cpu_set_t* all, uint64_t turn) {
  cpu_set_t some = *all;
  if (turn % 2 == 0) {
    for (size_t cpu = 0, kept = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (CPU_ISSET(cpu, &some) && kept++ > 0) CPU_CLR(cpu, &some);
    }
  }
  sched_setaffinity(0, sizeof some, &some);
}

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const uint64_t visits = strtoull(argv[1], NULL, 10), names = strtoull(argv[2], NULL, 10);
  const uint64_t step_ns = strtoull(argv[3], NULL, 10);
  cpu_set_t all;
  if (sched_getaffinity(0, sizeof all, &all) != 0) return 1;
  uint64_t spent_ns = 0, named_visits = 0;
  long before = 0;
  const uint64_t began_ns = held_clock_ns;
  ROOF_REGION_BEGIN("day");
  held_clock_reading_ns = 0; /* a visit reads the clock several times, and a step may be short */
  for (uint64_t i = 0; i < visits; ++i) {
    const uint64_t since_ns = held_clock_ns;
    ROOF_REGION_BEGIN("step");
    held_clock_pass(step_ns);
    ROOF_REGION_END("step");
    spent_ns += held_clock_ns - since_ns;
    /* Names are spread over the first tenth: from there on nothing is new. */
    if (named_visits < names && i * names / (visits / 10) >= named_visits) {
      char name[32];
      snprintf(name, sizeof name, "name-%llu", (unsigned long long)named_visits++);
      roofmark_begin(name);
      roofmark_end(name);
    }
    if (i % (visits / 100) == 0) {
      held_clock_wall_s = i / (visits / 100) % 2 == 0 ? -3600 : 3600;
      ChangeCpus(&all, i / (visits / 100));
    }
    if (i == visits / 8) before = ResidentKib();
  }
  held_clock_reading_ns = 1;
  const long grown = ResidentKib() - before;
  ROOF_REGION_END("day");
  fprintf(stderr, "%llu %llu %llu %ld\n", (unsigned long long)visits, (unsigned long long)spent_ns,
          (unsigned long long)(held_clock_ns - began_ns), grown);
  puts("done");
  return 0;
}
