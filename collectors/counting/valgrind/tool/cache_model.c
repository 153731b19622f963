/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collectors/counting/valgrind/tool/cache_model.h"

#include "collectors/counting/valgrind/tool/options.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"

static struct roof_cache* cache;
static struct roof_cache_core** cores; /* by ThreadId */
static uint64_t** counters;            /* by context number */
static UInt known;                     /* contexts the simulator was told of */
static UInt capacity;

static void* allocate(void* cookie, size_t bytes) { return VG_(am_shadow_alloc)(bytes); }

static void release(void* cookie, void* memory, size_t bytes) {
  VG_(am_munmap_valgrind)((Addr)memory, bytes);
}

static void fail(const HChar* what) {
  VG_(printf)("roofmark: no memory for %s of the cache model\n", what);
  VG_(exit)(2);
}

void cache_model_init(void) {
  struct roof_cache_config config = {.geometry = options.geometry,
                                     .line_sampling = options.line_sampling,
                                     .three_cs = options.three_cs,
                                     .memory = {allocate, release, NULL}};
  if (!options.model_caches) return;
  cache = roof_cache_create(&config);
  if (!cache) fail("the levels");
  cores = VG_(calloc)("roofmark.cores", VG_N_THREADS, sizeof *cores);
}

static void tell_contexts(void) {
  UInt count = contexts_count();
  if (count > capacity) {
    capacity = 2 * count;
    counters = VG_(realloc)("roofmark.counters", counters, capacity * sizeof *counters);
  }
  for (; known < count; ++known) counters[known] = contexts_by_number(known)->counters;
  roof_cache_set_contexts(cache, counters, count);
}

void cache_model_run(ThreadId tid, const Context* context, const uint64_t* records, UInt count) {
  if (context->number >= known) tell_contexts();
  if (!cores[tid]) cores[tid] = roof_cache_core_begin(cache);
  if (!cores[tid]) fail("another core");
  roof_cache_run(cache, cores[tid], context->number, records, count);
}

void cache_model_thread_ended(ThreadId tid) {
  if (!cache || !cores[tid]) return;
  roof_cache_core_end(cache, cores[tid]);
  cores[tid] = NULL;
}

void cache_model_count_dirty(void) {
  if (!cache) return;
  tell_contexts();
  roof_cache_count_dirty(cache);
}
