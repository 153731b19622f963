/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Windows of what each thread executes, for the time by dependences. Each thread has its own, so
 * that threads need not wait for each other. */
#include "collectors/counting/dataflow/latency_text.h"
#include "collectors/counting/native/areas.h"
#include "collectors/counting/native/files.h"
#include "collectors/counting/native/pieces.h"
#include "collectors/counting/native/threads.h"
#include "collectors/counting/windows/windows.h"

struct roof_native_windows {
  uint32_t locked; /* by its thread, or by whoever harvests */
  struct roof_native_area* area;
  struct roof_windows windows;
  uint64_t batches;
  uint64_t words_each; /* of 256 words of the trail, in the last batch that was counted */
};

static struct roof_latencies latencies;
static struct roof_line_sampling sampling;

static void lock(struct roof_native_windows* own) {
  while (__atomic_exchange_n(&own->locked, 1, __ATOMIC_ACQUIRE)) __builtin_ia32_pause();
}
static void unlock(struct roof_native_windows* own) {
  __atomic_store_n(&own->locked, 0, __ATOMIC_RELEASE);
}

static int simulate(void* cookie, uint32_t slot, const struct roof_context* context,
                    uint64_t record) {
  const struct roof_native_windows* own = cookie;
  (void)slot, (void)context;
  roof_native_simulate(own->area, &record, 1);
  return 1;
}

/* Its own thread alone looks at it. */
void roof_native_note(const struct roof_native_thread* thread, const uint64_t* records,
                      size_t count) {
  if (thread->windows) roof_windows_note(&thread->windows->windows, 0, records, count);
}

/* A window may end in the middle of a block. */
static void take_piece(void* cookie, const uint64_t* words, const uint64_t* end) {
  struct roof_native_windows* own = cookie;
  const struct roof_native_thread* thread = own->area->user;
  const struct roof_descriptor* descriptor = (const void*)(uintptr_t)words[0];
  if (own->windows.owner) {
    roof_windows_fill(&own->windows, thread->slot, words, end);
    return;
  }
  for (uint32_t i = 0; i < descriptor->accesses; ++i) {
    const uint64_t record = words[1 + i] | descriptor->tag[i];
    if (!words[1 + i]) continue;
    roof_native_note(thread, &record, 1);
    roof_native_simulate(own->area, &record, 1);
  }
}

/* Of segments. To count them takes as long as to read sampled lines, so that with those one batch
 * in eight is counted; how far apart windows are changes nothing but their number. */
static uint64_t words_in(struct roof_native_windows* own, const uint64_t* begin,
                         const uint64_t* end) {
  const uint64_t length = (uint64_t)(end - begin);
  if (sampling.shift && own->batches++ % 8) return length * own->words_each / 256;
  const uint64_t words = roof_native_count_words(begin, end);
  if (length) own->words_each = 256 * words / length;
  return words;
}

static const uint64_t* take(struct roof_native_area* area, const uint64_t* begin,
                            const uint64_t* end) {
  struct roof_native_thread* thread = area->user;
  struct roof_native_windows* own = thread->windows;
  struct roof_context* context = area->context;
  if (!own || context->extent == ROOF_NATIVE_CHEAP || context->extent == ROOF_NATIVE_NOTHING ||
      context->extent == ROOF_NATIVE_WARM)
    return begin;
  lock(own);
  own->area = area;
  roof_windows_go_on(&own->windows, thread->slot, roof_native_place_of_pieces(begin));
  const uint64_t words = words_in(own, begin, end);
  if (roof_windows_want(&own->windows, context, words))
    while (begin < end && own->windows.owner)
      begin = roof_native_read_pieces(begin, area->room->records, take_piece, own);
  unlock(own);
  return begin;
}

int roof_native_start_windows(const struct roof_native_model* model) {
  if (!model->latencies) return 1;
  if (roof_latencies_parse(model->latencies, &latencies)) return 0;
  sampling.shift = (uint32_t)__builtin_ctz(model->line_sampling);
  sampling.first_lines = (uint32_t)(model->geometry.size_bytes[0] / 64);
  sampling.second = model->geometry.levels > 1 ? ROOF_FLOW_L2 : ROOF_FLOW_DRAM;
  roof_native_keep_code(roof_native_process.native, take);
  roof_native_process.windowed = 1;
  return 1;
}

/* A thread that takes the place of another one has its windows, none of which is open. Where a page
 * was touched before is not followed: there is no core of a feed. */
int roof_native_give_windows(struct roof_native_thread* thread) {
  static const struct roof_window_plan kPlan = {
      .instructions = 20000, .warm_up = 2000, .one_in = 100, .dense = 64};
  static const struct roof_window_plan kBurstPlan = {
      .instructions = 20000, .warm_up = 2000, .one_in = 25, .dense = 64};
  static struct roof_cache_core* no_cores[ROOF_NATIVE_SLOTS];
  static struct roof_cache_feed feed = {.cores = no_cores};
  struct roof_native_process* process = &roof_native_process;
  if (!process->windowed || thread->windows) return 1;
  struct roof_native_windows* own = roof_memory_allocate(&process->memory, sizeof *own);
  const struct roof_memory pages = roof_native_pages();
  if (!own ||
      !roof_windows_start(&own->windows, &pages, process->bursts.ticks ? &kBurstPlan : &kPlan,
                          &latencies, &feed, process->cache_levels,
                          sampling.shift ? &sampling : NULL) ||
      !roof_windows_follow_pages(&own->windows, roof_native_files(), 1))
    return 0;
  own->windows.simulate = simulate;
  own->windows.simulate_cookie = own;
  thread->windows = own;
  return 1;
}

void roof_native_finish_windows(struct roof_native_thread* thread) {
  struct roof_native_windows* own = thread->windows;
  if (!own) return;
  lock(own);
  roof_windows_finish(&own->windows);
  unlock(own);
}
