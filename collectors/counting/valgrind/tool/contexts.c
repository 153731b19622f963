/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collectors/counting/valgrind/tool/contexts.h"

#include "collectors/counting/valgrind/tool/segments.h"
#include "pub_tool_hashtable.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"

/* Contexts with an array of execution counts: beyond the live threads', at most so many. */
enum { kLiveArrays = 512, kFirstCapacity = 4096 };

typedef struct {
  UInt serial; /* 0: no such thread */
  UInt own_path;
  Context* context; /* the current one; NULL before the first */
} Thread;

static VgHashTable* table;
static Thread* threads; /* by ThreadId */
static UInt threads_created;
static UInt team_path;
static ULong lost_paths;
static ULong clock; /* counts entries, to find the least recently used */
static Context** by_number;
static UInt count;
static UInt capacity;
static Context** live; /* those with an array */
static UInt live_count;
static UInt live_capacity;

void contexts_init(void) {
  table = VG_(HT_construct)("roofmark.contexts");
  threads = VG_(calloc)("roofmark.threads", VG_N_THREADS, sizeof *threads);
}

void contexts_thread_created(ThreadId tid) {
  threads[tid].serial = ++threads_created;
  threads[tid].own_path = 0;
  threads[tid].context = NULL;
}

UInt contexts_thread_serial(ThreadId tid) { return threads[tid].serial; }
UInt contexts_threads_created(void) { return threads_created; }

static UInt accept_path(UWord path) {
  if (path < ROOF_MAX_PATHS) return (UInt)path;
  ++lost_paths;
  return 0;
}

void contexts_set_team_path(UWord path) { team_path = accept_path(path); }
void contexts_set_own_path(ThreadId tid, UWord path) { threads[tid].own_path = accept_path(path); }
ULong contexts_lost_paths(void) { return lost_paths; }

static void append(Context*** array, UInt* size, UInt* room, Context* context) {
  if (*size == *room) {
    *room = *room ? 2 * *room : 256;
    *array = VG_(realloc)("roofmark.contexts", *array, *room * sizeof **array);
  }
  (*array)[(*size)++] = context;
}

static Context* find_or_add(UInt thread, UInt path) {
  UWord key = (UWord)thread << 32 | path;
  Context* context = VG_(HT_lookup)(table, key);
  if (context) return context;
  context = VG_(calloc)("roofmark.context", 1, sizeof *context);
  context->key = key;
  context->thread = thread;
  context->path = path;
  context->number = count;
  append(&by_number, &count, &capacity, context);
  VG_(HT_add_node)(table, context);
  return context;
}

void context_fold(Context* context) {
  if (context->executions) segments_fold(context->executions, context->capacity, context->counters);
}

static void release_array(UInt index) {
  Context* context = live[index];
  context_fold(context);
  VG_(free)(context->executions);
  context->executions = NULL;
  context->capacity = 0;
  live[index] = live[--live_count];
}

static void release_least_recently_used(void) {
  UInt victim = live_count;
  for (UInt i = 0; i < live_count; ++i) {
    if (victim < live_count && live[i]->last_use >= live[victim]->last_use) continue;
    if (!live[i]->current) victim = i;
  }
  if (victim < live_count) release_array(victim);
}

/* Cost: a fold and an allocation, some ten microseconds, when a context comes back after
 * kLiveArrays others. */
void context_prepare(Context* context) {
  UInt needed = segments_count() + 1;
  if (context->capacity >= needed) return;
  UInt room = kFirstCapacity;
  while (room < needed) room *= 2;
  if (!context->executions) {
    if (live_count >= kLiveArrays) release_least_recently_used();
    append(&live, &live_count, &live_capacity, context);
  }
  context->executions =
      VG_(realloc)("roofmark.executions", context->executions, room * sizeof *context->executions);
  VG_(memset)
  (context->executions + context->capacity, 0,
   (room - context->capacity) * sizeof *context->executions);
  context->capacity = room;
}

Context* contexts_enter(ThreadId tid) {
  Thread* thread = &threads[tid];
  UInt path = thread->own_path ? thread->own_path : team_path;
  if (!thread->serial) contexts_thread_created(tid);
  if (!thread->context || thread->context->path != path) {
    if (thread->context) thread->context->current = False;
    thread->context = find_or_add(thread->serial, path);
    thread->context->current = True;
    thread->context->last_use = ++clock;
  }
  context_prepare(thread->context);
  return thread->context;
}

void contexts_thread_ended(ThreadId tid) {
  UInt serial = threads[tid].serial;
  if (threads[tid].context) threads[tid].context->current = False;
  threads[tid].serial = 0;
  threads[tid].context = NULL;
  for (UInt i = 0; i < live_count;) {
    if (live[i]->thread == serial) {
      release_array(i);
    } else {
      ++i;
    }
  }
}

UInt contexts_count(void) { return count; }
Context* contexts_by_number(UInt number) { return by_number[number]; }

void contexts_clear(void) {
  for (UInt i = 0; i < count; ++i) {
    context_fold(by_number[i]);
    VG_(memset)(by_number[i]->counters, 0, sizeof by_number[i]->counters);
  }
}
