/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The software performance counter unit of the process: the parts that engines share, with
 * Valgrind's memory and Valgrind's thread ids as slots. Valgrind runs one thread at a time, so
 * nothing here is locked. Ends the process where memory runs out, as Valgrind itself does. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_PMU_H_
#define ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_PMU_H_

#include "collectors/counting/contexts/blocks.h"
#include "collectors/counting/contexts/contexts.h"
#include "collectors/counting/contexts/segments.h"
#include "collectors/counting/windows/code.h"
#include "pub_tool_basics.h"

extern struct roof_segments segments;
extern struct roof_contexts contexts;
extern struct roof_codes codes;
extern struct roof_blocks kept_blocks;
/* Code that is translated from now on keeps its blocks. */
extern Bool pmu_keeps_blocks;

/* Shadow registers that translated code reads; offsets into Valgrind's first shadow area. */
enum {
  kShadowExecutions = 0,
  kShadowTrace = 16,
  kShadowOwner = 32, /* of the code of the innermost call that contexts/layers.h knows, */
  kShadowCall = 40,  /* and its stack pointer */
  kShadowNest = 48   /* the stack pointer above which the innermost nest has ended */
};

/* Once the options are read. */
void pmu_init(void);

/* The thread begins or ceases to run translated code. */
void pmu_thread_runs(ThreadId tid);
void pmu_thread_stops(ThreadId tid);
void pmu_thread_ended(ThreadId tid);

/* Around a change of the layers of the thread that is running, from translated code. `done`: there
 * was memory for it. */
struct roof_layers* pmu_begin_change(void);
void pmu_end_change(int done);

/* Hands over what was traced so far. */
void pmu_flush(void);
/* The same, from translated code that is running. */
void pmu_flush_running(void);
/* What the open window has seen goes to the counters. */
void pmu_finish_window(void);
/* Sets the dirty bytes of every context, if caches are modelled. */
void pmu_count_dirty(void);

#endif /* ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_PMU_H_ */
