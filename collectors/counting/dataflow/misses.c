/* SPDX-License-Identifier: BSD-3-Clause */
#include <stddef.h>

#include "collectors/counting/dataflow/state.h"
#include "collectors/counting/hash.h"

enum { kLineShift = 6, kNearby = 6 };
#define ROOF_FLOW_FARTHEST_STRIDE UINT64_C(64)

static uint64_t line_of(const struct roof_flow_access* access) {
  return (access->address >> kLineShift) + 1; /* 0 is nothing in the tables */
}
static uint32_t place_of(uint64_t key) { return (uint32_t)roof_hash(key, 8) % ROOF_FLOW_LINES; }

/* Not by its low bits: those of many arrays are alike. */
static uint32_t set_of(uint64_t line) { return place_of(line) % ROOF_FLOW_SETS; }

static int was_touched(const struct roof_dataflow* flow, uint64_t line) {
  const struct roof_flow_set* set = &flow->touched[set_of(line)];
  for (uint32_t i = 0; i < ROOF_FLOW_WAYS; ++i)
    if (set->line[i] == line) return 1;
  return 0;
}

void roof_flow_touch(struct roof_dataflow* flow, const struct roof_flow_access* access) {
  const uint64_t line = line_of(access);
  struct roof_flow_set* set = &flow->touched[set_of(line)];
  if (!was_touched(flow, line)) set->line[set->next++ % ROOF_FLOW_WAYS] = line;
}

/* Hardware prefetchers of the second level follow streams, also where each turn of a loop reads a
 * few lines upwards and the next turn those below them, or where a line is left out. (Measured on
 * Zen 4: rows of 336 bytes cost 3.6 ns a line in either order without gaps, and downwards 8.3 ns
 * with gaps of 112 bytes.) */
static int is_in_stream(const struct roof_dataflow* flow, uint64_t line) {
  for (uint64_t near = 2; near <= kNearby; ++near)
    if (was_touched(flow, line - near) || was_touched(flow, line + near)) return 1;
  return 0;
}

/* Those of the first level follow neighbours and the strides of an instruction. */
static int was_prefetched(struct roof_dataflow* flow, uint64_t place, uint64_t line) {
  struct roof_flow_stride* stride = &flow->stride[place_of(place)];
  const uint64_t step = line - stride->line;
  const int follows = stride->place == place && stride->step == step &&
                      step + ROOF_FLOW_FARTHEST_STRIDE <= 2 * ROOF_FLOW_FARTHEST_STRIDE;
  stride->step = stride->place == place ? step : 0;
  stride->place = place;
  stride->line = line;
  return follows || was_touched(flow, line - 1) || was_touched(flow, line + 1);
}

static void add_gap(struct roof_flow_slots* slots, uint32_t from, uint32_t to, uint32_t by) {
  const struct roof_flow_gap gap = {from, to, by};
  if (from < to) slots->gap[slots->gaps++ % ROOF_FLOW_GAPS] = gap;
}

/* Instructions come in order, but their misses need not: one may find time that a later one left.
 */
static struct roof_moment fill_gap(struct roof_flow_slots* slots, uint32_t self, uint32_t at,
                                   uint32_t cycles, struct roof_moment start) {
  struct roof_flow_gap* best = NULL;
  for (uint32_t i = 0; i < ROOF_FLOW_GAPS; ++i) {
    struct roof_flow_gap* gap = &slots->gap[i];
    const uint32_t from = gap->from > at ? gap->from : at;
    if (from >= start.at || from + cycles > gap->to) continue;
    best = gap;
    start.at = from;
    start.by = gap->by;
  }
  if (best) {
    const uint32_t end = best->to;
    best->to = start.at;
    add_gap(slots, start.at + cycles, end, self);
  }
  return start;
}

/* From when the line of instruction `self` is on its way for so many cycles: not before `at`. By:
 * whose line had to come in first, if it is later. */
static struct roof_moment take_slot(struct roof_flow_slots* slots, uint32_t self, uint32_t at,
                                    uint32_t cycles) {
  struct roof_flow_slot* earliest = &slots->slot[0];
  struct roof_flow_slot* latest = NULL; /* of those that are free in time: it leaves least empty */
  for (uint32_t i = 0; i < slots->count; ++i) {
    struct roof_flow_slot* slot = &slots->slot[i];
    if (slot->to < earliest->to) earliest = slot;
    if (slot->to <= at && (!latest || slot->to > latest->to)) latest = slot;
  }
  struct roof_moment start = {at, ROOF_FLOW_NOBODY};
  if (!latest) {
    const struct roof_moment next = {earliest->to, earliest->by};
    start = fill_gap(slots, self, at, cycles, next);
    if (start.at < earliest->to) return start;
  } else {
    add_gap(slots, latest->to, at, latest->by);
  }
  const struct roof_flow_slot taken = {start.at + cycles, self};
  *(latest ? latest : earliest) = taken;
  return start;
}

/* One that waits for a line from DRAM keeps no place that lines of other levels need, though a core
 * may give it one: the time stays a lower bound. */
static struct roof_moment start_of(struct roof_dataflow* flow, const struct roof_flow_load* load,
                                   unsigned level, uint32_t cycles) {
  struct roof_moment first = {load->start.at, ROOF_FLOW_NOBODY};
  if (level == ROOF_FLOW_DRAM && flow->misses_dram.count < flow->misses.count)
    first = take_slot(&flow->misses_dram, load->self, load->start.at, cycles);
  const struct roof_moment start = take_slot(&flow->misses, load->self, first.at, cycles);
  return start.at > first.at ? start : first;
}

static struct roof_loaded miss(struct roof_dataflow* flow, const struct roof_flow_load* load,
                               unsigned level, uint32_t cycles, uint32_t page) {
  const struct roof_moment start = start_of(flow, load, level, cycles);
  struct roof_loaded loaded = {start.at + cycles, cycles,          page, 0,
                               load->start.by,    ROOF_WAIT_VALUE, 0};
  if (start.at > load->start.at) {
    loaded.before = start.by;
    loaded.wait = ROOF_WAIT_MISS;
  }
  return loaded;
}

/* How much longer the load takes because of its page: nothing if a neighbour of its line brought
 * that in. */
static uint32_t page_cycles(const struct roof_dataflow* flow,
                            const struct roof_flow_access* access) {
  const uint64_t line = line_of(access);
  if (access->page == ROOF_FLOW_PAGE_FIRST) return 0;
  if (was_touched(flow, line - 1) || was_touched(flow, line + 1)) return 0;
  if (access->page == ROOF_FLOW_PAGE_SECOND) return flow->latencies.second_tlb;
  return access->level == ROOF_FLOW_DRAM ? flow->latencies.walk_dram : flow->latencies.walk_cache;
}

struct roof_loaded roof_flow_load_line(struct roof_dataflow* flow,
                                       const struct roof_flow_load* load,
                                       const struct roof_flow_access* access) {
  const uint64_t line = line_of(access);
  const uint32_t extra = load->to_vector ? flow->latencies.load_vector : 0;
  struct roof_flow_line* coming = &flow->coming[place_of(line)];
  unsigned level = access->level;
  struct roof_loaded loaded;
  if (level != ROOF_FLOW_L1 && was_prefetched(flow, load->place, line)) level = ROOF_FLOW_L1;
  if (level > ROOF_FLOW_L2 && is_in_stream(flow, line)) level = ROOF_FLOW_L2;
  const uint32_t page = level == access->level ? page_cycles(flow, access) : 0;
  const uint32_t cycles = flow->latencies.load[level] + extra + page;
  if (level != ROOF_FLOW_L1) {
    loaded = miss(flow, load, level, cycles, page);
    coming->line = line;
    coming->in.at = loaded.at;
    coming->in.by = load->self;
  } else {
    const struct roof_loaded hit = {load->start.at + cycles, cycles,          page, 0,
                                    load->start.by,          ROOF_WAIT_VALUE, 0};
    loaded = hit;
    if (coming->line == line && coming->in.at > hit.at) {
      loaded.at = coming->in.at;
      loaded.cycles = loaded.page = loaded.port = 0;
      loaded.before = coming->in.by;
      loaded.wait = ROOF_WAIT_VALUE;
    }
  }
  loaded.cause = (uint8_t)(ROOF_FLOW_LOAD + level);
  return loaded;
}
