/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Contexts: what each (thread x path x layer) did, for each extent of counting. A context in use
 * has an array of execution counts by descriptor; translated code finds it through a pointer that
 * the engine keeps for each thread.
 *
 * Plain C without libc, for every engine. Threads are named by a slot that the engine chooses and
 * may use again for a later thread, which goes on with the contexts of the earlier one: programs
 * may start any number of threads one after the other. No call may overlap another one on the same
 * contexts; only executions[] is written by running code, each array by its own thread.
 *
 * Memory: a context is some 1300 bytes for good; arrays of execution counts (tens of kilobytes) are
 * kept only for the most recently used contexts and folded into sums for the others. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_CONTEXTS_CONTEXTS_H_
#define ROOFMARK_COLLECTORS_COUNTING_CONTEXTS_CONTEXTS_H_

#include <stdint.h>

#include "collectors/counting/contexts/layers.h"
#include "collectors/counting/contexts/nests.h"
#include "collectors/counting/contexts/segments.h"
#include "collectors/counting/contexts/table.h"
#include "collectors/counting/memory.h"
#include "collectors/counting/schema.h"

#ifdef __cplusplus
extern "C" {
#endif

struct roof_context {
  struct roof_entry entry; /* by thread, extent, layer and path */
  uint32_t thread;         /* serial */
  uint32_t path;
  uint32_t layer;
  uint32_t extent;      /* as in struct roof_contexts when it was counted */
  uint32_t number;      /* from 0, in order of creation */
  uint32_t capacity;    /* of executions */
  uint32_t current;     /* 1: its thread is in it */
  uint64_t entries;     /* of the nest that the path ends with */
  uint64_t* executions; /* by descriptor id; NULL if folded away */
  uint64_t last_use;
  uint64_t counters[ROOF_COUNTERS]; /* what was folded so far */
  struct roof_critical critical[ROOF_CRITICAL_PLACES];
};

struct roof_thread {
  uint32_t serial; /* 0: no such thread */
  uint32_t before; /* of the one that had the slot and ended: the next one has it, too; 0: none */
  uint32_t whose;  /* serial of the thread whose handlers of signals it executes; 0: its own work */
  uint32_t own_path;
  struct roof_layers layers;
  struct roof_nesting nesting;
  struct roof_context* context; /* the current one; NULL before the first */
  uint32_t extent;              /* its own, while that of all threads is 0 */
};

struct roof_context_list {
  struct roof_context** item;
  uint32_t count, capacity;
};

struct roof_contexts {
  struct roof_memory memory;
  struct roof_segments* segments;
  struct roof_thread* threads; /* by slot; their layers may be changed at any time */
  uint32_t slots;
  uint32_t threads_created;
  uint32_t team_path;
  uint32_t led_from, led_to; /* below team path led_from the other threads are in led_to */
  struct roof_nests nests;
  struct roof_blocks* parts; /* who executed which block; NULL: not wanted */
  uint32_t extent;           /* below 16: what differs in it is counted apart */
  uint64_t lost_paths;       /* requests whose path was >= ROOF_MAX_PATHS */
  uint64_t clock;            /* counts entries, to find the least recently used */
  struct roof_table table;
  struct roof_context_list all;  /* by number */
  struct roof_context_list live; /* those with an array */
};

/* Everything zero but memory, segments and nests. 0 without memory. */
int roof_contexts_start(struct roof_contexts* contexts, const struct roof_memory* memory,
                        struct roof_segments* segments, uint32_t slots);

void roof_contexts_thread_created(struct roof_contexts* contexts, uint32_t slot);
void roof_contexts_thread_ended(struct roof_contexts* contexts, uint32_t slot);
/* A handler of a signal has interrupted the thread of slot `of`, and is executed by that of another
 * slot, where it counts to the path in which that thread is. */
void roof_contexts_handle(struct roof_contexts* contexts, uint32_t slot, uint32_t of);

/* Paths. Those beyond ROOF_MAX_PATHS become 0 and are counted. */
void roof_contexts_set_team_path(struct roof_contexts* contexts, uint64_t path);
void roof_contexts_set_own_path(struct roof_contexts* contexts, uint32_t slot, uint64_t path);

/* Nests. The thread goes on in `to`, by itself; or is where a function begins, inside `nest`. 0
 * without memory. */
int roof_contexts_cross(struct roof_contexts* contexts, uint32_t slot, uint32_t from, uint32_t to,
                        uint64_t stack_pointer);
int roof_contexts_begin(struct roof_contexts* contexts, uint32_t slot, uint32_t nest,
                        uint64_t stack_pointer);
/* It calls, in `from`, what comes back to the place `back` in `to`; or it returns to a place. */
int roof_contexts_call(struct roof_contexts* contexts, uint32_t slot, uint32_t from, uint32_t to,
                       uint64_t back, uint64_t stack_pointer);
int roof_contexts_come_back(struct roof_contexts* contexts, uint32_t slot, uint64_t place,
                            uint64_t stack_pointer);
/* The thread enters a runtime. If it is the main thread, and in no runtime yet, those that work for
 * it are in the nests that it is in now. */
void roof_contexts_lead(struct roof_contexts* contexts, uint32_t slot);

/* Every thread is in work: what was entered and left is not known any more. */
void roof_contexts_forget_layers(struct roof_contexts* contexts);

/* The context that the thread's work is charged to from now on, its array large enough for every
 * descriptor there is. A thread that nobody announced is created here. NULL without memory. */
struct roof_context* roof_contexts_enter(struct roof_contexts* contexts, uint32_t slot);

/* The extent that a thread counts with. */
uint32_t roof_contexts_extent(const struct roof_contexts* contexts,
                              const struct roof_thread* thread);

/* Who executes what this thread does now. */
struct roof_executor roof_contexts_executor(struct roof_contexts* contexts, uint32_t slot);
/* The same as roof_contexts_enter() without an array, for an engine that has counters of its own.
 */
struct roof_context* roof_contexts_choose(struct roof_contexts* contexts, uint32_t slot);
/* The one that differs from another in its path and layer alone. NULL without memory. */
struct roof_context* roof_contexts_beside(struct roof_contexts* contexts,
                                          const struct roof_context* context, uint32_t path,
                                          uint32_t layer);

/* Provides the context's array, as large as roof_contexts_enter does. 0 without memory. */
int roof_context_prepare(struct roof_contexts* contexts, struct roof_context* context);
/* Folds what was executed so far into its sums. */
void roof_context_fold(const struct roof_contexts* contexts, struct roof_context* context);
/* Forgets every count. */
void roof_contexts_clear(struct roof_contexts* contexts);
/* In a forked child: this slot has its only thread, which is its main thread. It is in no region,
 * and every count is zero. */
void roof_contexts_begin_in_child(struct roof_contexts* contexts, uint32_t slot);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_CONTEXTS_CONTEXTS_H_ */
