/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bursts: the memory hierarchy is modelled for a part of the time, at the same time on all threads
 * of all processes of a node, so that none waits for another one that is in a burst. In between
 * code writes no trail, and is only counted. A burst begins with a part in which the caches get
 * warm, until as many bytes were asked of the last level as that holds, or for half of the burst;
 * what is found then is measured, in strata (collectors/extent.h). A path of which nothing was
 * measured yet begins a short burst of its own. What is found there is counted, but does not stand
 * for later ones: the model has not seen the path's data.
 *
 * A part takes a time in which the threads had CPUs: where other programs want them, too, it is
 * longer, and so is the rest. A burst that does not get warm even in ten times as long measures
 * nothing.
 *
 * With the lock held, or of one word; no system call but one that reads a clock. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_NATIVE_BURSTS_H_
#define ROOFMARK_COLLECTORS_COUNTING_NATIVE_BURSTS_H_

#include <stdint.h>

#include "collectors/counting/contexts/contexts.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Numbers of Extent (collectors/extent.h). */
enum {
  ROOF_NATIVE_ALL = 0,
  ROOF_NATIVE_FIRST = 1,
  ROOF_NATIVE_CHEAP = 2,   /* without traffic */
  ROOF_NATIVE_NOTHING = 3, /* at all */
  ROOF_NATIVE_STRATUM = 4, /* and those behind it, up to: */
  ROOF_NATIVE_WARM = 11    /* traffic is not measured */
};

/* Nanoseconds. Both are 0 where no clock can be read. */
struct roof_native_clocks {
  uint64_t realtime; /* the same on all processes */
  uint64_t cpu;      /* that all threads of the process had */
};

enum roof_native_part_of_burst {
  ROOF_BURST_FIRST,
  ROOF_BURST_WARM,
  ROOF_BURST_MEASURED,
  ROOF_BURST_RESTING
};

struct roof_native_bursts {
  uint64_t ticks;      /* of the time-stamp counter in a microsecond; 0: there are no bursts */
  uint64_t last_bytes; /* that the last level holds */
  struct roof_native_clocks (*clocks)(void); /* NULL: not known */
  uint32_t* first_part; /* by path and layer: in which it was measured first; 0: in none */
  enum roof_native_part_of_burst part;
  uint32_t number;  /* of the part, from 1 */
  uint32_t bursts;  /* that were measured */
  uint32_t cold;    /* that never got warm, and measured nothing */
  uint32_t threads; /* that were in this part */
  uint64_t began, until;
  uint64_t wanted;                /* ticks of work that this part takes, if it does not rest */
  uint64_t worked;                /* in the parts of this burst before */
  uint64_t burst;                 /* when it began */
  struct roof_native_clocks then; /* when this part began */
  uint64_t asked;                 /* bytes, of the last level in this part */
  uint64_t start, first;          /* when the first part began; ticks in all first parts */
};

/* 0 without memory. */
int roof_native_bursts_start(struct roof_native_bursts* bursts, const struct roof_memory* memory,
                             uint64_t ticks, uint64_t last_bytes);
/* Whether a thread that is in part `number` has to go to another one. Needs no lock. */
int roof_native_burst_is_over(const struct roof_native_bursts* bursts, uint32_t number);
/* With which extent a thread counts that is in this path and layer: a number of Extent. A first
 * part may begin for it. `now`: the time-stamp counter. `number`: of the part that the thread was
 * in, which becomes that of the part that it is in now. */
uint32_t roof_native_bursts_extent(struct roof_native_bursts* bursts, uint32_t path, uint32_t layer,
                                   uint64_t now, uint32_t* number);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_NATIVE_BURSTS_H_ */
