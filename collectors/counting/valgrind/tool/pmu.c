/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collectors/counting/valgrind/tool/pmu.h"

#include "collectors/counting/trace/cache_feed.h"
#include "collectors/counting/trace/trace.h"
#include "collectors/counting/valgrind/tool/options.h"
#include "collectors/counting/windows/windows.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_vki.h"

struct roof_segments segments;
struct roof_contexts contexts;
struct roof_codes codes;
struct roof_blocks kept_blocks;
Bool pmu_keeps_blocks;
static struct roof_cache_feed caches;
static struct roof_trace trace;
static struct roof_windows windows;

static void* allocate(void* cookie, size_t bytes) {
  (void)cookie;
  return VG_(calloc)("roofmark", 1, bytes);
}
static void release(void* cookie, void* memory, size_t bytes) {
  (void)cookie, (void)bytes;
  VG_(free)(memory);
}
static const struct roof_memory kHeap = {allocate, release, NULL};

/* Untouched pages cost nothing. */
static void* map(void* cookie, size_t bytes) {
  (void)cookie;
  return VG_(am_shadow_alloc)(bytes);
}
static void unmap(void* cookie, void* memory, size_t bytes) {
  (void)cookie;
  VG_(am_munmap_valgrind)((Addr)memory, bytes);
}
static const struct roof_memory kPages = {map, unmap, NULL};

static void need(int there, const HChar* what) {
  if (there) return;
  VG_(printf)("roofmark: no memory for %s\n", what);
  VG_(exit)(2);
}

static void simulate(void* cookie, uint32_t slot, const struct roof_context* context,
                     const uint64_t* records, size_t count) {
  (void)cookie;
  if (options.windows) roof_windows_note(&windows, slot, records, count);
  need(roof_cache_feed_run(&caches, slot, context, records, count),
       "another core of the cache model");
}

static int open_file(const char* path) {
  const SysRes file = VG_(open)(path, VKI_O_RDONLY, 0);
  return sr_isError(file) ? -1 : (int)sr_Res(file);
}
static long read_file(int file, char* out, size_t bytes) {
  return VG_(read)(file, out, (Int)bytes);
}
static void close_file(int file) { VG_(close)(file); }
static const struct roof_files kFiles = {open_file, read_file, close_file};

static void start_windows(void) {
  static const struct roof_window_plan kPlan = {
      .instructions = 20000, .warm_up = 2000, .one_in = 100, .dense = 64};
  need(roof_windows_start(&windows, &kPages, &kPlan, &options.latencies, &caches,
                          options.geometry.levels, NULL),
       "windows");
  need(roof_windows_follow_pages(&windows, &kFiles, VG_N_THREADS), "the pages of threads");
  trace.window = roof_windows_take;
  trace.window_cookie = &windows;
}

void pmu_init(void) {
  segments.memory = kHeap;
  codes.memory = kHeap;
  kept_blocks.memory = kHeap;
  need(roof_contexts_start(&contexts, &kHeap, &segments, VG_N_THREADS), "the threads");
  if (!options.model_caches) return;
  const struct roof_cache_config config = {.geometry = options.geometry,
                                           .line_sampling = options.line_sampling,
                                           .three_cs = options.three_cs,
                                           .memory = kPages};
  need(roof_cache_feed_start(&caches, &kHeap, &config, &contexts, VG_N_THREADS),
       "the levels of the cache model");
  need(roof_trace_start(&trace, &kPages, &contexts, options.line_sampling, simulate, NULL),
       "the address trace");
  if (options.windows) start_windows();
}

static void give_position(ThreadId tid) {
  VG_(set_shadow_regs_area)
  (tid, 1, kShadowTrace, sizeof trace.position, (const UChar*)&trace.position);
}

static void give_call(ThreadId tid) {
  const struct roof_layer_call call = roof_layers_top(&contexts.threads[tid].layers);
  const ULong owner = call.owner;
  VG_(set_shadow_regs_area)(tid, 1, kShadowOwner, sizeof owner, (const UChar*)&owner);
  VG_(set_shadow_regs_area)
  (tid, 1, kShadowCall, sizeof call.stack_pointer, (const UChar*)&call.stack_pointer);
  if (!contexts.nests.count) return; /* no code reads it */
  const ULong end = roof_nests_end(&contexts.threads[tid].nesting);
  VG_(set_shadow_regs_area)(tid, 1, kShadowNest, sizeof end, (const UChar*)&end);
}

void pmu_thread_runs(ThreadId tid) {
  struct roof_context* context = roof_contexts_enter(&contexts, tid);
  need(context != NULL, "another context");
  VG_(set_shadow_regs_area)
  (tid, 1, kShadowExecutions, sizeof context->executions, (const UChar*)&context->executions);
  give_call(tid);
  if (!options.model_caches) return;
  roof_trace_enter(&trace, tid, context);
  give_position(tid);
}

void pmu_thread_stops(ThreadId tid) {
  if (!options.model_caches) return;
  VG_(get_shadow_regs_area)(tid, (UChar*)&trace.position, 1, kShadowTrace, sizeof trace.position);
}

struct roof_layers* pmu_begin_change(void) {
  const ThreadId tid = VG_(get_running_tid)();
  pmu_thread_stops(tid);
  return &contexts.threads[tid].layers;
}

void pmu_end_change(int done) {
  need(done, "another call");
  pmu_thread_runs(VG_(get_running_tid)());
}

void pmu_thread_ended(ThreadId tid) {
  pmu_flush();
  if (options.model_caches) roof_cache_feed_thread_ended(&caches, tid);
  roof_contexts_thread_ended(&contexts, tid);
}

void pmu_flush(void) {
  if (options.model_caches) roof_trace_flush(&trace);
}

void pmu_flush_running(void) {
  const ThreadId tid = VG_(get_running_tid)();
  pmu_thread_stops(tid);
  pmu_flush();
  give_position(tid);
}

void pmu_finish_window(void) {
  if (options.windows) roof_windows_finish(&windows);
}

void pmu_count_dirty(void) {
  if (options.model_caches) roof_cache_feed_count_dirty(&caches);
}
