/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which units of a core are taken when. */
#include "collectors/counting/dataflow/state.h"

/* Of what seeks a unit, so much is forgotten with each: a few hundred operations count. */
enum { kForget = 256, kWeight = 3 * 4 * 5 * 7 * 8 };

void roof_flow_units_begin(struct roof_flow_units* units) {
  for (uint32_t i = 0; i < ROOF_FLOW_CYCLES; ++i) units->cycle[i].at = 0;
  for (uint32_t i = 0; i < 32; ++i) units->sought[i] = 0;
}

/* What is known of a cycle gives way to one that is 4,096 later: nothing was taken then, and the
 * time stays a lower bound. */
static struct roof_flow_cycle* cycle_at(struct roof_flow_units* units, uint32_t at) {
  struct roof_flow_cycle* cycle = &units->cycle[at % ROOF_FLOW_CYCLES];
  if (cycle->at != at + 1) {
    cycle->at = at + 1;
    cycle->taken = 0;
  }
  return cycle;
}

static void note_sought(struct roof_flow_units* units, uint32_t which) {
  const uint32_t choices = (uint32_t)__builtin_popcount(which);
  for (uint32_t rest = which; rest; rest &= rest - 1) {
    uint32_t* sought = &units->sought[__builtin_ctz(rest)];
    *sought += kWeight / choices / choices - *sought / kForget;
  }
}

static uint32_t least_sought(const struct roof_flow_units* units, uint32_t of) {
  uint32_t best = of & -of;
  for (uint32_t rest = of & (of - 1); rest; rest &= rest - 1)
    if (units->sought[__builtin_ctz(rest)] < units->sought[__builtin_ctz(best)])
      best = rest & -rest;
  return best;
}

static uint32_t free_for(struct roof_flow_units* units, uint32_t which, uint32_t busy,
                         uint32_t from) {
  for (uint32_t i = 0; i < busy && which; ++i) which &= ~cycle_at(units, from + i)->taken;
  return which;
}

uint32_t roof_flow_take_unit(struct roof_flow_units* units, uint32_t which, uint32_t busy,
                             uint32_t from) {
  uint32_t at = from, free;
  note_sought(units, which);
  while (!(free = free_for(units, which, busy, at)) && at - from < ROOF_FLOW_CYCLES / 2) ++at;
  const uint32_t one = free ? least_sought(units, free) : 0;
  for (uint32_t i = 0; i < busy; ++i) cycle_at(units, at + i)->taken |= one;
  return at;
}
