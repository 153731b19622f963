/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The cache simulator of ../../cache as the tool uses it: one core per thread, owners are contexts.
 */
#ifndef ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_CACHE_MODEL_H_
#define ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_CACHE_MODEL_H_

#include "collectors/counting/cache/cache_sim.h"
#include "collectors/counting/valgrind/tool/contexts.h"

/* Does nothing unless the options ask for a model. */
void cache_model_init(void);

/* Simulates accesses of one thread in one context. */
void cache_model_run(ThreadId tid, const Context* context, const uint64_t* records, UInt count);
void cache_model_thread_ended(ThreadId tid);
/* Sets the dirty bytes of every context. */
void cache_model_count_dirty(void);

#endif /* ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_CACHE_MODEL_H_ */
