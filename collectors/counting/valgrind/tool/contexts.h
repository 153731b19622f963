/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Contexts: what each (thread x path) did. A context in use has an array of execution counts by
 * descriptor; translated code finds it through a pointer in its thread's shadow registers, set
 * whenever the thread starts to run. Valgrind runs one thread at a time, so nothing here is locked.
 *
 * Memory: a context is some 800 bytes for good; arrays of execution counts (tens of kilobytes) are
 * kept only for the most recently used contexts and folded into sums for the others. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_CONTEXTS_H_
#define ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_CONTEXTS_H_

#include "collectors/counting/valgrind/protocol.h"
#include "pub_tool_basics.h"

typedef struct Context {
  struct Context* next; /* these two as VgHashNode wants them */
  UWord key;            /* thread << 32 | path */
  UInt thread;          /* serial */
  UInt path;
  UInt number;       /* from 0, in order of creation */
  UInt capacity;     /* of executions */
  ULong* executions; /* by descriptor id; NULL if folded away */
  ULong last_use;
  Bool current;                     /* its thread is in it */
  uint64_t counters[ROOF_COUNTERS]; /* what was folded so far */
} Context;

/* Shadow registers the translated code reads; offsets into Valgrind's first shadow area. */
enum { kShadowExecutions = 0, kShadowTrace = 16 };

void contexts_init(void);

/* Threads: created by the core's events. */
void contexts_thread_created(ThreadId tid);
void contexts_thread_ended(ThreadId tid);
UInt contexts_thread_serial(ThreadId tid);
UInt contexts_threads_created(void);

/* Paths. Those beyond ROOF_MAX_PATHS become 0 and are counted. */
void contexts_set_team_path(UWord path);
void contexts_set_own_path(ThreadId tid, UWord path);
ULong contexts_lost_paths(void);

/* The context that the thread's work is charged to from now on, its array large enough for every
 * descriptor there is. */
Context* contexts_enter(ThreadId tid);

UInt contexts_count(void);
Context* contexts_by_number(UInt number);
/* Provides the context's array, as large as contexts_enter does. */
void context_prepare(Context* context);
/* Folds what was executed so far into its sums. */
void context_fold(Context* context);
/* Forgets every count: a forked child starts from zero. */
void contexts_clear(void);

#endif /* ROOFMARK_COLLECTORS_COUNTING_VALGRIND_TOOL_CONTEXTS_H_ */
