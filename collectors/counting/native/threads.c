/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* gettid */
#endif
#include "collectors/counting/native/threads.h"

#include <unistd.h>

#include "collectors/counting/contexts/owner.h"
#include "collectors/counting/native/areas.h"
#include "collectors/counting/native/files.h"
#include "collectors/counting/native/signals.h"

enum { kFirstGaps = 256 };

struct roof_native_process roof_native_process;
__thread struct roof_native_thread* roof_native_this_thread
    __attribute__((tls_model("initial-exec")));

static void let_signals_in(struct roof_native_thread* thread) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (!thread) return;
  thread->room->locked = 0;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (thread->room->pending) roof_native_send_pending(thread->room);
}

int roof_native_hold(void) {
  struct roof_native_thread* thread = roof_native_this_thread;
  if (thread) thread->room->locked = 1;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (roof_native_lock(roof_native_process.native)) return 1;
  let_signals_in(thread);
  return 0;
}

void roof_native_let_go(void) {
  roof_native_unlock(roof_native_process.native);
  let_signals_in(roof_native_this_thread);
}

/* A handler that the engine was not told of calls the library: it interrupted translated code, the
 * dispatcher, or the thread while it had the lock. The handler may return there, or never. */
static int is_interrupted(const struct roof_native_thread* thread) {
  return thread && (thread->room->locked || !thread->room->outside);
}

int roof_native_come_out(void) {
  struct roof_native_process* process = &roof_native_process;
  roof_native_leave();
  if (process->off) return 0;
  if (!is_interrupted(roof_native_this_thread)) return 1;
  roof_native_give_up(process->native);
  process->off = 1;
  return 0;
}

uint32_t roof_native_path_of(const struct roof_native_area* area) {
  return ((const struct roof_context*)area->context)->path;
}

static struct roof_native_gap* find_gap(uint32_t path, unsigned reason) {
  struct roof_native_process* process = &roof_native_process;
  for (uint32_t i = 0; i < process->gaps; ++i)
    if (process->gap[i].path == path && process->gap[i].reason == reason) return &process->gap[i];
  if (process->gaps == process->gap_capacity) {
    const uint32_t capacity = process->gap_capacity ? 2 * process->gap_capacity : kFirstGaps;
    struct roof_native_gap* more = roof_memory_allocate(&process->memory, capacity * sizeof *more);
    if (!more) return NULL;
    for (uint32_t i = 0; i < process->gaps; ++i) more[i] = process->gap[i];
    process->gap = more;
    process->gap_capacity = capacity;
  }
  struct roof_native_gap* gap = &process->gap[process->gaps++];
  gap->path = path;
  gap->reason = reason;
  gap->exits = 0;
  return gap;
}

/* Outside of all regions nothing is promised, unless it was asked for. */
static int is_promised(uint32_t path) {
  return path != ROOF_NATIVE_NOWHERE && (path != 0 || roof_native_process.asks.outside);
}

void roof_native_note_gap(uint32_t path, unsigned reason) {
  if (!is_promised(path)) return;
  struct roof_native_gap* gap = find_gap(path, reason);
  if (gap) ++gap->exits;
}

/* With the lock held, but for the first thread. */
static struct roof_native_thread* make_thread(int always) {
  struct roof_native_process* process = &roof_native_process;
  struct roof_native_thread* thread = process->free_threads;
  if (thread) {
    process->free_threads = thread->next_free;
  } else {
    if (process->slots_used == ROOF_NATIVE_SLOTS) return NULL;
    thread = roof_memory_allocate(&process->memory, sizeof *thread);
    if (!thread) return NULL;
    thread->room = roof_native_room_create(process->native);
    if (!thread->room || !roof_native_give_lane(thread) || !roof_native_give_windows(thread))
      return NULL;
    thread->slot = process->slots_used++;
    thread->next = process->threads;
    process->threads = thread;
  }
  thread->alive = 1;
  thread->always = (uint32_t)always;
  thread->inside = thread->own_counts = thread->left = thread->fresh = 0;
  thread->call_next = 0;
  thread->area = NULL;
  for (uint32_t i = 0; i < ROOF_NATIVE_WAYS; ++i) thread->ways[i].crossing = NULL;
  thread->room->thread = (uint64_t)gettid();
  thread->room->pending = thread->room->delivering = thread->room->locked = 0;
  thread->room->outside = 1;
  roof_contexts_thread_created(&process->contexts, thread->slot);
  return thread;
}

const char* roof_native_start_process(const struct roof_native_asks* asks,
                                      const struct roof_native_model* model) {
  struct roof_native_process* process = &roof_native_process;
  static const char kNoMemory[] = "memory is short";
  process->memory = roof_native_memory();
  process->asks = *asks;
  process->native = roof_native_create(&process->memory, ROOF_NATIVE_COUNTERS);
  if (!process->native || !roof_native_start_model(model)) return kNoMemory;
  if (!roof_contexts_start(&process->contexts, &process->memory,
                           roof_native_segments(process->native), ROOF_NATIVE_SLOTS))
    return kNoMemory;
  roof_native_set_guide(process->native, &kRoofNativeGuide);
  process->main = make_thread(/*always=*/0);
  if (!process->main) return kNoMemory;
  roof_native_this_thread = process->main;
  return NULL;
}

static int note_around(const struct roof_native_thread* thread, unsigned reason) {
  const struct roof_contexts* contexts = &roof_native_process.contexts;
  const uint32_t own_path = contexts->threads[thread->slot].own_path;
  roof_native_note_gap(contexts->team_path, reason);
  if (own_path) roof_native_note_gap(own_path, reason);
  return 0;
}

/* Inside a handler nothing is translated: the code that it interrupted has values in the area. */
static int is_wanted(struct roof_native_thread* thread, uint64_t sp) {
  const struct roof_native_process* process = &roof_native_process;
  if (process->off) return 0;
  if (process->sandboxed) return note_around(thread, ROOF_LEAVE_SANDBOX);
  if (roof_native_is_in_handler(thread, sp)) return note_around(thread, ROOF_LEAVE_SIGNAL);
  if (thread->always || thread->own_counts) return 1;
  return thread == process->main && process->team_counts &&
         !process->contexts.threads[thread->slot].own_path;
}

/* Every other thread of the team that works natively loses counts of this region. */
static void note_lost_threads(uint32_t path) {
  const struct roof_native_process* process = &roof_native_process;
  if (process->unknown_threads || roof_native_count_strangers())
    roof_native_note_gap(path, ROOF_LEAVE_THREAD);
  if (!process->lost) return;
  for (const struct roof_native_thread* thread = process->threads; thread; thread = thread->next)
    if (thread->left && thread->always) roof_native_note_gap(path, thread->left - 1);
}

/* The area in which the thread goes on in code of roofmark; NULL: it goes on natively. */
static struct roof_native_area* area_to_enter(struct roof_native_thread* thread, uint64_t sp) {
  struct roof_native_process* process = &roof_native_process;
  struct roof_layers* layers = &process->contexts.threads[thread->slot].layers;
  if (!is_wanted(thread, sp)) {
    thread->inside = 0;
    return NULL;
  }
  const int fresh = !thread->inside || thread->left;
  if (thread->left && thread->always) --process->lost;
  thread->left = 0;
  thread->inside = 1;
  roof_nests_return(&process->contexts.threads[thread->slot].nesting, sp);
  if (fresh) {
    roof_layers_forget(layers);
    thread->fresh = 1;
    if (!roof_layers_enter(layers, &process->memory, ROOF_LAYER_OWN)) return NULL;
  } else if (!roof_layers_reach(layers, &process->memory, ROOF_OWN, sp)) {
    return NULL;
  }
  return roof_native_choose_area(thread);
}

#define STACK_POINTER() ((uint64_t)(uintptr_t)__builtin_frame_address(0))

/* From here on the calling thread executes native code. 0: it goes on so, with nothing else done.
 */
static inline __attribute__((always_inline)) int come_out(struct roof_native_thread** thread) {
  *thread = roof_native_this_thread;
  if (!roof_native_come_out()) return 0;
  roof_native_hand_over(*thread, STACK_POINTER());
  return 1;
}

/* The same, with the lock. */
static inline __attribute__((always_inline)) int come_out_and_hold(
    struct roof_native_thread** thread) {
  return come_out(thread) && roof_native_hold();
}

/* `thread`: NULL if it is not known. */
static void go_on(struct roof_native_thread* thread, uint64_t sp) {
  struct roof_native_area* area = thread ? area_to_enter(thread, sp) : NULL;
  roof_native_let_go();
  if (!area || roof_native_enter(area) == 0 || !roof_native_hold()) return;
  thread->inside = 0;
  note_around(thread, ROOF_LEAVE_SANDBOX);
  roof_native_let_go();
}

void roof_native_team(uint32_t path, int counted) {
  struct roof_native_process* process = &roof_native_process;
  struct roof_native_thread* thread;
  if (!come_out(&thread) || !thread || !roof_native_hold()) return;
  roof_contexts_set_team_path(&process->contexts, counted ? path : ROOF_NATIVE_NOWHERE);
  process->team_counts = counted && is_promised(path);
  if (process->team_counts && !process->sandboxed) note_lost_threads(path);
  roof_native_change(process->native);
  go_on(thread, STACK_POINTER());
}

void roof_native_own(uint32_t path, int counted) {
  struct roof_native_process* process = &roof_native_process;
  struct roof_native_thread* thread;
  if (!come_out_and_hold(&thread)) return;
  if (!thread) {
    thread = make_thread(/*always=*/0);
    if (!thread) {
      roof_native_note_gap(path, ROOF_LEAVE_NO_MEMORY);
      roof_native_let_go();
      return;
    }
    thread->room->locked = 1;
    roof_native_this_thread = thread;
  }
  roof_contexts_set_own_path(&process->contexts, thread->slot,
                             counted ? path : ROOF_NATIVE_NOWHERE);
  if (path == 0) roof_contexts_set_own_path(&process->contexts, thread->slot, 0);
  thread->own_counts = counted && path != 0;
  go_on(thread, STACK_POINTER());
}

void roof_native_thread_began(void) {
  struct roof_native_process* process = &roof_native_process;
  struct roof_native_thread* thread;
  if (!come_out(&thread) || thread || !roof_native_hold()) return;
  thread = make_thread(/*always=*/1);
  if (!thread) {
    ++process->unknown_threads;
    roof_native_let_go();
    return;
  }
  thread->room->locked = 1;
  roof_native_this_thread = thread;
  go_on(thread, STACK_POINTER());
}

/* Its last instructions are executed natively, so that another thread can have its areas. */
void roof_native_thread_ended(void) {
  struct roof_native_process* process = &roof_native_process;
  struct roof_native_thread* thread;
  if (!come_out(&thread) || !thread || thread == process->main || !roof_native_hold()) return;
  roof_native_finish_windows(thread);
  if (thread->lane) roof_cache_lane_end(thread->lane);
  if (thread->left && thread->always) --process->lost;
  thread->left = thread->alive = 0;
  process->ended[process->ends++ % ROOF_NATIVE_ENDED] = thread->room->thread;
  roof_native_take_back_areas(thread);
  thread->area = NULL;
  roof_contexts_thread_ended(&process->contexts, thread->slot);
  roof_native_let_go();
  roof_native_this_thread = NULL;
  if (!roof_native_hold()) return;
  thread->next_free = process->free_threads;
  process->free_threads = thread;
  roof_native_let_go();
}

static void change_layer(int enters, uint32_t layer) {
  struct roof_native_process* process = &roof_native_process;
  struct roof_native_thread* thread;
  if (!come_out(&thread) || !thread || !roof_native_hold()) return;
  struct roof_layers* layers = &process->contexts.threads[thread->slot].layers;
  if (enters) {
    roof_layers_enter(layers, &process->memory, layer);
  } else {
    roof_layers_leave(layers);
  }
  go_on(thread, STACK_POINTER());
}

void roof_native_enter_layer(uint32_t layer) { change_layer(1, layer); }
void roof_native_leave_layer(void) { change_layer(0, 0); }

void roof_native_files_changed(void) {
  struct roof_native_process* process = &roof_native_process;
  struct roof_native_thread* thread;
  if (!come_out_and_hold(&thread)) return;
  if (!process->sandboxed) roof_native_check_files(process->native);
  go_on(thread, STACK_POINTER());
}

void roof_native_memory_changed(const void* begin, uint64_t bytes) {
  struct roof_native_process* process = &roof_native_process;
  const uint64_t at = (uint64_t)(uintptr_t)begin;
  if (!roof_native_come_out() || !roof_native_hold()) return;
  roof_native_forget(process->native, at, at + bytes);
  go_on(roof_native_this_thread, STACK_POINTER());
}

void roof_native_follow_cancellation(void) {
  struct roof_native_thread* thread;
  if (!come_out(&thread)) return;
  if (!roof_native_wrap_cancellation()) {
    roof_native_process.asks.cancel_a_thread();
    roof_native_wrap_cancellation();
  }
  if (roof_native_hold()) go_on(thread, STACK_POINTER());
}

/* What is not to be counted has contexts of its own, which nobody gets. */
void roof_native_count(uint32_t extent) {
  struct roof_native_process* process = &roof_native_process;
  struct roof_native_thread* thread;
  if (!come_out_and_hold(&thread)) return;
  process->contexts.extent = extent;
  roof_native_change(process->native);
  go_on(thread, STACK_POINTER());
}

static int copy_sums(uint32_t number, struct roof_context* copy) {
  struct roof_native_process* process = &roof_native_process;
  if (!roof_native_hold()) return 0;
  const int there = number < process->contexts.all.count;
  if (there) {
    const struct roof_context* context = process->contexts.all.item[number];
    *copy = *context;
    uint32_t version;
    const struct roof_native_area* area = roof_native_area_with(context, &version);
    if (area) roof_native_sum(area, version, copy->counters);
  }
  roof_native_let_go();
  return there;
}

static int copy_gap(uint32_t number, struct roof_native_gap* copy) {
  const struct roof_native_process* process = &roof_native_process;
  if (!roof_native_hold()) return 0;
  const int there = number < process->gaps;
  if (there) *copy = process->gap[number];
  roof_native_let_go();
  return there;
}

/* Which of them executed it is not known. */
static void note_changed_code(void) {
  struct roof_native_process* process = &roof_native_process;
  if (!roof_native_hold()) return;
  roof_native_count_dirty();
  if (!process->said_changed && !process->sandboxed && roof_native_is_changed(process->native)) {
    process->said_changed = 1;
    for (uint32_t i = 0; i < process->contexts.all.count; ++i)
      roof_native_note_gap(process->contexts.all.item[i]->path, ROOF_LEAVE_CHANGED);
  }
  roof_native_let_go();
}

static void finish_windows(void) {
  if (!roof_native_hold()) return;
  for (struct roof_native_thread* each = roof_native_process.threads; each; each = each->next)
    roof_native_finish_windows(each);
  roof_native_let_go();
}

static void give(const struct roof_native_sums* to, const struct roof_context* context) {
  to->add(to->cookie, context->thread, context->path, context->layer, context->extent,
          context->counters);
  for (uint32_t i = 0; to->critical && i < ROOF_CRITICAL_PLACES; ++i)
    if (context->critical[i].cycles)
      to->critical(to->cookie, context->thread, context->path, context->layer, context->extent,
                   &context->critical[i]);
  if (context->entries)
    to->entered(to->cookie, context->thread, context->path, context->layer, context->extent,
                context->entries);
}

/* The receiver is called without the lock: it allocates memory, and a thread that is translated in
 * malloc may wait for the lock. */
void roof_native_harvest(const struct roof_native_sums* to) {
  struct roof_context context;
  struct roof_native_gap gap;
  struct roof_native_thread* thread;
  if (!come_out(&thread)) return;
  note_changed_code();
  finish_windows();
  for (uint32_t i = 0; copy_sums(i, &context); ++i)
    if (is_promised(context.path) && context.extent != ROOF_NATIVE_NOTHING) give(to, &context);
  for (uint32_t i = 0; copy_gap(i, &gap); ++i)
    to->incomplete(to->cookie, gap.path, roof_native_reason_text(gap.reason), gap.exits);
  if (roof_native_hold()) go_on(thread, STACK_POINTER());
}

const char* roof_native_why_given_up(void) {
  return roof_native_is_given_up(roof_native_process.native)
             ? roof_native_reason_text(ROOF_LEAVE_STRANGE_HANDLER)
             : NULL;
}
