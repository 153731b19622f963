/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stands in for roofmark's markers where causes are proved without roofmark: cycles of the time
 * stamp counter per function, those of functions inside it left out. For one thread of each
 * process. At the end "NAME CYCLES VISITS" lines go to the file $CLOCKS.PID.
 */
#ifndef CLOCKS_ROOFMARK_H
#define CLOCKS_ROOFMARK_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

struct clocks_region {
  const char* name;
  unsigned long long cycles, visits;
  struct clocks_region* next;
};
struct clocks_visit {
  struct clocks_region* region;
  unsigned long long begin, inside;
  struct clocks_visit* outer;
};
/* One for all files of the program. */
__attribute__((weak)) struct clocks_region* clocks_first = 0;
__attribute__((weak)) struct clocks_visit* clocks_open = 0;

static inline void clocks_enter(struct clocks_region* region, struct clocks_visit* visit) {
  if (region->visits++ == 0) {
    region->next = clocks_first;
    clocks_first = region;
  }
  visit->region = region;
  visit->inside = 0;
  visit->outer = clocks_open;
  clocks_open = visit;
  visit->begin = __builtin_ia32_rdtsc();
}

static inline void clocks_leave(struct clocks_visit* visit) {
  const unsigned long long took = __builtin_ia32_rdtsc() - visit->begin;
  visit->region->cycles += took - visit->inside;
  clocks_open = visit->outer;
  if (visit->outer) visit->outer->inside += took;
}

__attribute__((weak, destructor)) void clocks_write(void) {
  const char* place = getenv("CLOCKS");
  char name[4096];
  if (!place || !clocks_first) return;
  snprintf(name, sizeof name, "%s.%ld", place, (long)getpid());
  FILE* file = fopen(name, "w");
  if (!file) return;
  for (const struct clocks_region* at = clocks_first; at; at = at->next) {
    fprintf(file, "%s %llu %llu\n", at->name, at->cycles, at->visits);
  }
  fclose(file);
}

#define CLOCKS_SCOPE(text)                                                      \
  static struct clocks_region clocks_here = {text, 0, 0, 0};                    \
  __attribute__((cleanup(clocks_leave))) struct clocks_visit clocks_visit_here; \
  clocks_enter(&clocks_here, &clocks_visit_here)
#define ROOF_REGION_SCOPE(text) CLOCKS_SCOPE(text)
#define ROOF_FUNCTION CLOCKS_SCOPE(__func__)

#endif
