/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The address trace between translated code and the cache model. Each executed segment that touches
 * memory writes its descriptor and then one address per access; when the buffer is full, or another
 * context begins, it is handed to the model. Sizes and kinds are not written: the descriptor has
 * them. The descriptor also stands for the segment's execution count. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_TRACE_H_
#define ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_TRACE_H_

#include "collectors/counting/valgrind/tool/contexts.h"

enum {
  /* Filled before it is handed on; fits a second-level cache. There is room for as much again, more
   * than any one block writes. */
  kTraceBytes = 1 << 17,
  /* Set in every address beyond the filled part, in none of it: one test instruction. */
  kTraceFullBit = kTraceBytes
};

/* Does nothing unless the options ask for a cache model. */
void trace_init(void);

/* The thread begins or ceases to run translated code, charged to the context. */
void trace_thread_runs(ThreadId tid, Context* context);
void trace_thread_stops(ThreadId tid);

/* Hands over what was traced so far. */
void trace_flush(void);
/* The same, from translated code that is running. */
void trace_flush_running(void);

#endif /* ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_TRACE_H_ */
