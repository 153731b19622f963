/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which branches of a window a core would have mispredicted. Where a branch goes is known when the
 * next instruction comes; until then its step is held back.
 *
 * All windows of an engine's windows have one predictor, which goes on from one to the next: they
 * are a small part of what is executed, and a core that executes all of it has learned more. So
 * threads that share windows share what they learn, which is of the same code. What a core would
 * have learned of branches in between is not known, so that sequences that repeat only after
 * thousands of branches may be missed too often.
 *
 * Plain C without libc. No call may overlap another one on the same branches. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_WINDOWS_BRANCHES_H_
#define ROOFMARK_COLLECTORS_COUNTING_WINDOWS_BRANCHES_H_

#include <stdint.h>

#include "collectors/counting/branches/predictor.h"
#include "collectors/counting/dataflow/dataflow.h"
#include "collectors/counting/windows/code.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of a call through memory: a load and a store. */
enum { ROOF_BRANCH_ACCESSES = 2 };

/* All zero: branches are not followed, which costs nothing. */
struct roof_window_branches {
  struct roof_predictor* predictor;         /* NULL: branches are not followed */
  const struct roof_code_instruction* held; /* the branch that waits; NULL: none */
  struct roof_flow_access access[ROOF_BRANCH_ACCESSES];
  uint32_t accesses;
  uint32_t slot;         /* of the thread that executed it */
  uint64_t known;        /* branches so far whose way was known, */
  uint64_t mispredicted; /* and those of them that were mispredicted */
};

/* 0 without memory. */
int roof_window_branches_start(struct roof_window_branches* branches,
                               const struct roof_memory* memory);

/* The thread in the slot executed the instruction: the branch before it goes to `flow`, and the
 * step itself, unless it is a branch. */
void roof_window_branches_step(struct roof_window_branches* branches, struct roof_dataflow* flow,
                               uint32_t slot, const struct roof_code_instruction* instruction,
                               const struct roof_flow_step* step);

/* The thread in the slot went on at `place`, outside of the window or in it, as far as is known: a
 * conditional branch that can lead there did. */
void roof_window_branches_go_on(struct roof_window_branches* branches, struct roof_dataflow* flow,
                                uint32_t slot, uint64_t place);
/* What came next is not known: the branch that waits counts as predicted, and nothing is learned
 * from it. */
void roof_window_branches_settle(struct roof_window_branches* branches, struct roof_dataflow* flow);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_WINDOWS_BRANCHES_H_ */
