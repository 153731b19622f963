/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to the simulator: what is known of a window so far. Times are cycles since its begin. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_DATAFLOW_STATE_H_
#define ROOFMARK_COLLECTORS_COUNTING_DATAFLOW_STATE_H_

#include "collectors/counting/dataflow/dataflow.h"

#define ROOF_FLOW_NOBODY UINT32_MAX

/* What an instruction waited for last. */
enum roof_flow_wait {
  ROOF_WAIT_ISSUE, /* until it had entered */
  ROOF_WAIT_VALUE, /* a value that `before` computed, loaded or stored */
  ROOF_WAIT_MISS   /* until the line that `before` loads was in */
};

/* A time, and the instruction that made it so late. */
struct roof_moment {
  uint32_t at;
  uint32_t by; /* or ROOF_FLOW_NOBODY */
};

/* An instruction of the window. After its wait come `port` cycles until it may load, `load` cycles,
 * `page` of them to find the address of a page, `unit` cycles until it may begin, then `operation`
 * cycles; with these it is done. What it stores has left after that. */
struct roof_flow_node {
  uint64_t place;
  uint32_t issue; /* when it entered */
  uint32_t done;
  uint32_t port, load, page, unit, operation;
  struct roof_moment left;   /* it, or the one before it that left so late */
  uint32_t before;           /* what it waited for */
  uint8_t wait;              /* enum roof_flow_wait */
  uint8_t load_cause;        /* enum roof_flow_cause */
  uint8_t latency;           /* enum roof_latency_class of its operation */
  uint8_t waited_for_window; /* it entered only when the one a window before it left */
  uint8_t redirected;        /* it entered only when the branch before it was known */
  uint8_t is_atomic;
};

/* Which units are taken in one cycle: bits as in struct roof_latencies, loads and stores behind
 * them. */
#define ROOF_FLOW_LOAD_PORT 16
#define ROOF_FLOW_STORE_PORT (ROOF_FLOW_LOAD_PORT + ROOF_FLOW_PORTS)
#define ROOF_FLOW_CYCLES 4096
struct roof_flow_cycle {
  uint32_t at; /* this cycle + 1; 0: none */
  uint32_t taken;
};
/* How sought each unit is: what can go to fewer of them counts more. Where an operation has a
 * choice it leaves those to others. */
struct roof_flow_units {
  struct roof_flow_cycle cycle[ROOF_FLOW_CYCLES];
  uint32_t sought[32];
};

/* Lines on their way, and lines that were touched lately. */
#define ROOF_FLOW_LINES 256
struct roof_flow_line {
  uint64_t line;
  struct roof_moment in;
};
/* Sets, so that a loop with 30 lines hardly ever loses one of them at a turn; and no more of them,
 * because chance makes neighbours, too: of random lines in a cache of 128 KiB, an eighth. */
#define ROOF_FLOW_SETS 16
#define ROOF_FLOW_WAYS 8
struct roof_flow_set {
  uint64_t line[ROOF_FLOW_WAYS]; /* 0: none */
  uint32_t next;                 /* the one that has been there longest */
};
struct roof_flow_stride {
  uint64_t place, line, step;
};
/* A place for a line on its way: taken by others until `to`, last of them by `by`. */
struct roof_flow_slot {
  uint32_t to, by;
};
/* Time in which one stood empty before it was taken again. */
#define ROOF_FLOW_GAPS 32
struct roof_flow_gap {
  uint32_t from, to, by;
};
struct roof_flow_slots {
  uint32_t count;
  uint32_t gaps; /* that there ever were */
  struct roof_flow_slot slot[ROOF_FLOW_MISSES];
  struct roof_flow_gap gap[ROOF_FLOW_GAPS];
};

/* Words that were stored. */
#define ROOF_FLOW_WORDS 4096
struct roof_flow_word {
  uint64_t word; /* address / 4 + 1; 0: none */
  struct roof_moment stored;
  uint32_t number; /* of the store */
};

/* Places of the critical path. */
#define ROOF_FLOW_PLACES 256

struct roof_dataflow {
  struct roof_memory memory;
  struct roof_latencies latencies;
  uint32_t capacity, count, measured_from;
  uint32_t entered; /* instructions in the cycle of the last one's issue */
  uint32_t x87_top;
  uint32_t stores;
  struct roof_moment value[ROOF_REGISTERS];
  struct roof_moment redirect; /* the next instruction enters no earlier; nobody: at any time */
  struct roof_flow_units units;
  struct roof_flow_slots misses, misses_dram; /* the latter also takes one of the former */
  struct roof_flow_line coming[ROOF_FLOW_LINES];
  struct roof_flow_set touched[ROOF_FLOW_SETS];
  struct roof_flow_stride stride[ROOF_FLOW_LINES];
  struct roof_flow_word word[ROOF_FLOW_WORDS];
  struct roof_flow_place place[ROOF_FLOW_PLACES];
  struct roof_flow_node node[];
};

/* Else on general registers. */
static inline int roof_is_on_vectors(unsigned latency) { return latency >= ROOF_L_DP_ADD; }

static inline void roof_later(struct roof_moment* moment, struct roof_moment other) {
  if (other.at > moment->at) *moment = other;
}

void roof_flow_units_begin(struct roof_flow_units* units);
/* The first cycle from `from` on in which one of them is free for `busy` cycles; it is taken. */
uint32_t roof_flow_take_unit(struct roof_flow_units* units, uint32_t which, uint32_t busy,
                             uint32_t from);

/* A load of instruction `self` whose address is there at `start`. */
struct roof_flow_load {
  uint32_t self;
  uint64_t place;
  struct roof_moment start; /* nobody: it waits only to enter */
  unsigned to_vector;
};
/* When its value is there, and how it came to be so late. */
struct roof_loaded {
  uint32_t at;
  uint32_t cycles; /* the last of them, since the wait */
  uint32_t page;   /* of these: what its page takes */
  uint32_t port;   /* before them: until a load could begin */
  uint32_t before;
  uint8_t wait, cause;
};

/* The line's part: levels, lines on their way, prefetches. */
struct roof_loaded roof_flow_load_line(struct roof_dataflow* flow,
                                       const struct roof_flow_load* load,
                                       const struct roof_flow_access* access);
void roof_flow_touch(struct roof_dataflow* flow, const struct roof_flow_access* access);

/* Makes `loaded` as late as values stored there are. */
void roof_flow_load_words(const struct roof_dataflow* flow, const struct roof_flow_load* load,
                          const struct roof_flow_access* access, struct roof_loaded* loaded);
void roof_flow_store_words(struct roof_dataflow* flow, const struct roof_flow_access* access,
                           struct roof_moment stored);

#endif /* ROOFMARK_COLLECTORS_COUNTING_DATAFLOW_STATE_H_ */
