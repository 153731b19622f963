/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How long a core takes for what, and how much it does at once. Properties of a machine. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_DATAFLOW_LATENCIES_H_
#define ROOFMARK_COLLECTORS_COUNTING_DATAFLOW_LATENCIES_H_

#include <stdint.h>

#include "collectors/counting/decoder/latency_class.h"

/* Where a load finds its line. */
enum roof_flow_level { ROOF_FLOW_L1, ROOF_FLOW_L2, ROOF_FLOW_L3, ROOF_FLOW_DRAM, ROOF_FLOW_LEVELS };

/* Cycles, where nothing else is said. */
struct roof_latencies {
  uint16_t operation[ROOF_LATENCY_CLASSES]; /* from operand to result, without a load */
  /* Which units of the core, a bit each, can execute it, and for how long it keeps one busy. No
     bits: nothing is known of that, and no unit is busy. */
  uint16_t units[ROOF_LATENCY_CLASSES], busy[ROOF_LATENCY_CLASSES];
  uint16_t add_behind_other; /* so much longer additions take behind other operations on vectors
                                than behind additions */
  uint16_t merge;            /* from a value that a result merely keeps a part of */
  uint16_t load[ROOF_FLOW_LEVELS]; /* from the address to a general register */
  uint16_t load_vector;            /* so much longer to a vector or x87 register */
  uint16_t forward_general;        /* from a stored value to a load of it */
  uint16_t forward_vector;
  /* So much longer where the address of the page is not at hand: */
  uint16_t second_tlb;   /* only in the second TLB */
  uint16_t walk_cache;   /* in none, and the line is in a cache */
  uint16_t walk_dram;    /* in none, and the line is in DRAM */
  uint16_t mispredicted; /* from the result of a branch that went another way than expected until
                            the first instruction behind it enters; 0: all are expected */
  uint16_t atomic;       /* from one locked instruction to the next, on a line in the first level */
  /* Loads, of these to vector registers, and stores that a core does in one cycle; 0: any number.
     At most ROOF_FLOW_PORTS. */
  uint16_t loads, vector_loads, stores;
  uint16_t width;  /* instructions that enter in one cycle, in order */
  uint16_t window; /* instructions that have entered and not left, at most; they leave in order */
  uint16_t misses; /* lines on their way to the first level, at most; not above ROOF_FLOW_MISSES */
  uint16_t misses_dram; /* of those, from DRAM */
};
#define ROOF_FLOW_MISSES 64
#define ROOF_FLOW_PORTS 8

#endif /* ROOFMARK_COLLECTORS_COUNTING_DATAFLOW_LATENCIES_H_ */
