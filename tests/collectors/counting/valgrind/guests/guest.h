/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the programs that the tests run under the counting tool share: they mark their work by the
 * client requests alone and print what was counted, one context a line. With GUEST_MARKED path 1 is
 * a marked region in place of it, which every engine counts. */
#ifndef ROOFMARK_TESTS_COLLECTORS_COUNTING_VALGRIND_GUESTS_GUEST_H_
#define ROOFMARK_TESTS_COLLECTORS_COUNTING_VALGRIND_GUESTS_GUEST_H_

#include <stdio.h>
#include <stdlib.h>

/* Inlined for certain: a call would spill registers into the region. */
#define GUEST_INLINE static inline __attribute__((always_inline))

#ifdef GUEST_MARKED

#include <roofmark/roofmark.h>

GUEST_INLINE void guest_own(unsigned long path) {
  if (path != 0) {
    ROOF_REGION_BEGIN("counted");
  } else {
    ROOF_REGION_END("counted");
  }
}
/* The counts are in the roofline file. */
static inline int guest_report(void) { return 0; }

#else

#include "collectors/counting/valgrind/protocol.h"

GUEST_INLINE void guest_team(unsigned long path) { (void)ROOF_REQUEST(ROOF_REQ_TEAM_PATH, path); }
GUEST_INLINE void guest_own(unsigned long path) { (void)ROOF_REQUEST(ROOF_REQ_OWN_PATH, path); }

/* Prints "record thread path counter0 counter1 ..." for every context of work, "layer L thread path
 * counter0 ..." for every other one, "cheap thread ..." for work with ROOF_COUNT_CHEAP. Returns 0
 * for success. */
static inline int guest_report(void) {
  struct roof_harvest harvest = {0};
  if (ROOF_REQUEST(ROOF_REQ_HELLO, ROOF_PROTOCOL_VERSION) != ROOF_PROTOCOL_VERSION) {
    fprintf(stderr, "not under the counting tool\n");
    return 2;
  }
  (void)ROOF_REQUEST(ROOF_REQ_HARVEST, &harvest);
  harvest.capacity = harvest.needed + 1;
  harvest.records = malloc(harvest.capacity * sizeof *harvest.records);
  if (harvest.records == NULL || ROOF_REQUEST(ROOF_REQ_HARVEST, &harvest) != 1) {
    free(harvest.records);
    return 3;
  }
  for (uint64_t i = 0; i < harvest.count; ++i) {
    if (harvest.records[i].count == ROOF_COUNT_CHEAP)
      printf("cheap");
    else if (harvest.records[i].layer == ROOF_LAYER_WORK)
      printf("record");
    else
      printf("layer %u", harvest.records[i].layer);
    printf(" %u %u", harvest.records[i].thread, harvest.records[i].path);
    for (int c = 0; c < ROOF_COUNTERS; ++c)
      printf(" %llu", (unsigned long long)harvest.records[i].counters[c]);
    printf("\n");
  }
  printf("lost_paths %llu\n", (unsigned long long)harvest.lost_paths);
  free(harvest.records);
  return 0;
}

#endif /* GUEST_MARKED */

#endif /* ROOFMARK_TESTS_COLLECTORS_COUNTING_VALGRIND_GUESTS_GUEST_H_ */
