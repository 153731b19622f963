/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The least time that executed instructions take by their dependences, and what of it is what: a
 * ceiling that lowers the roofline to the parallelism that the program shows (Williams, Waterman,
 * Patterson, The Roofline Model, technical report UCB/EECS-2008-134, appendix A.1.3: instruction
 * level parallelism; A.3: ceilings at run time).
 *
 * Model. A value is there so many cycles after the last one that it is computed from. Registers are
 * renamed, memory is followed in words of 4 bytes, addresses of stores are known in advance and
 * branches are predicted. Instructions enter `width` a cycle in order, leave in order, and no more
 * than `window` are in between. Each operation takes the first cycle in which one of the units that
 * can execute it is not taken by an earlier instruction; so do loads and stores. Behind a branch
 * that went another way than expected nothing enters until it is known. An atomic begins when all
 * before it has left; loads behind it may pass it. A load takes as long as the level of its
 * line is far; a line that is on its way is waited for, and at most `misses` are, `misses_dram` of
 * them from DRAM. A miss next to a line that was touched lately, or at the stride of the same
 * instruction's last two misses, was prefetched and costs a hit, and no walk through page tables;
 * others take that much longer. Bandwidth and stores that miss limit nothing: other ceilings say
 * so. The result is a lower bound, but for what the latencies themselves get wrong.
 *
 * Plain C without libc. No call may overlap another one on the same simulator. Cost: 20 to 55 ns an
 * instruction. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_DATAFLOW_DATAFLOW_H_
#define ROOFMARK_COLLECTORS_COUNTING_DATAFLOW_DATAFLOW_H_

#include <stdint.h>

#include "collectors/counting/dataflow/latencies.h"
#include "collectors/counting/decoder/operands.h"
#include "collectors/counting/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

struct roof_dataflow;

/* Where a core finds the address of a page. */
enum roof_flow_page {
  ROOF_FLOW_PAGE_FIRST,  /* in the first TLB: no time beside that of the load */
  ROOF_FLOW_PAGE_SECOND, /* in the second one */
  ROOF_FLOW_PAGE_WALK    /* by a walk through the page tables */
};

struct roof_flow_access {
  uint64_t address;
  uint32_t bytes;
  uint8_t level; /* enum roof_flow_level; of stores it is not looked at */
  uint8_t is_store;
  uint8_t page; /* enum roof_flow_page; of stores it is not looked at */
};

/* One executed instruction. */
struct roof_flow_step {
  const struct roof_operands* operands; /* all zero where they are not known */
  uint64_t place;                       /* its address in the code */
  const struct roof_flow_access* access;
  uint32_t accesses;
  int mispredicted; /* a branch that goes another way than the core expected */
};

/* What the time along the critical path is spent on. */
enum roof_flow_cause {
  ROOF_FLOW_FP,      /* operations on vector and x87 registers that wait for each other */
  ROOF_FLOW_INTEGER, /* operations on general registers, addresses among them */
  ROOF_FLOW_LOAD,    /* loads on which something waits, one cause for each roof_flow_level */
  ROOF_FLOW_FORWARD = ROOF_FLOW_LOAD + ROOF_FLOW_LEVELS, /* values on their way through memory */
  ROOF_FLOW_IN_FLIGHT, /* loads that waited for others to come in: only so many are on their way */
  ROOF_FLOW_WINDOW,    /* loads that held up everything behind them until the window was full */
  ROOF_FLOW_TLB,       /* of any of these loads: what they take longer because the first TLB does
                          not have their page */
  ROOF_FLOW_UNITS,     /* all units that can do it were taken by others */
  ROOF_FLOW_ATOMIC,    /* atomics, on which others or all behind them wait */
  ROOF_FLOW_BRANCH,    /* until it is known where a mispredicted branch goes, loads from beyond L1
                          apart, and until what comes there enters */
  ROOF_FLOW_ISSUE,     /* instructions that enter one after the other */
  ROOF_FLOW_CAUSES
};

struct roof_flow_place {
  uint64_t place, cycles; /* no cycles: nowhere */
};
#define ROOF_FLOW_TOP_PLACES 16

struct roof_flow_result {
  uint64_t instructions;
  uint64_t cycles;
  uint64_t cause[ROOF_FLOW_CAUSES];                 /* their sum is `cycles` */
  struct roof_flow_place top[ROOF_FLOW_TOP_PLACES]; /* where most of it was spent, issue apart;
                                                       most cycles first */
};

/* A simulator for windows of up to `capacity` instructions. NULL without memory. */
struct roof_dataflow* roof_dataflow_create(const struct roof_memory* memory,
                                           const struct roof_latencies* latencies,
                                           uint32_t capacity);
void roof_dataflow_destroy(struct roof_dataflow* flow);

/* A window begins: nothing is on its way. */
void roof_dataflow_begin(struct roof_dataflow* flow);
/* Instructions beyond the capacity are left out. */
void roof_dataflow_step(struct roof_dataflow* flow, const struct roof_flow_step* step);
/* What comes from here on is measured. Once a window; without it, all is. */
void roof_dataflow_measure(struct roof_dataflow* flow);
/* From the time at which the last instruction before those measured left to the time at which the
 * last one does. */
void roof_dataflow_end(struct roof_dataflow* flow, struct roof_flow_result* result);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_DATAFLOW_DATAFLOW_H_ */
