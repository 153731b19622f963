/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* gettid */
#endif
#include "collectors/counting/native/threads.h"

#include <unistd.h>

#include "collectors/counting/contexts/owner.h"
#include "collectors/counting/native/areas.h"
#include "collectors/counting/native/files.h"
#include "collectors/counting/native/handlers.h"
#include "collectors/counting/native/signals.h"

enum { kFirstGaps = 256 };

struct roof_native_process roof_native_process;
uint32_t roof_native_region_of(const struct roof_native_thread* thread) {
  const struct roof_contexts* contexts = &roof_native_process.contexts;
  const uint32_t own_path = contexts->threads[thread->slot].own_path;
  return own_path ? own_path : contexts->team_path;
}

uint32_t roof_native_path_of(const struct roof_native_area* area) {
  const struct roof_context* context = area->context;
  return roof_native_is_own(area) ? roof_native_region_of(area->user) : context->path;
}

int roof_native_is_own(const struct roof_native_area* area) {
  return ((const struct roof_context*)area->context)->layer == ROOF_LAYER_OWN;
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

int roof_native_is_promised(uint32_t path) {
  return path != ROOF_NATIVE_NOWHERE && (path != 0 || roof_native_process.asks.outside);
}

void roof_native_note_gap(uint32_t path, unsigned reason) {
  if (!roof_native_is_promised(path)) return;
  struct roof_native_gap* gap = find_gap(path, reason);
  if (gap) ++gap->exits;
}

void roof_native_begin_thread(struct roof_native_thread* thread, int always) {
  struct roof_native_room* room = thread->room;
  thread->alive = 1;
  thread->always = (uint32_t)always;
  thread->inside = thread->own_counts = thread->left = thread->fresh = 0;
  thread->call_next = thread->handler_frame = 0;
  thread->area = NULL;
  thread->last_way = NULL;
  for (uint32_t i = 0; i < ROOF_NATIVE_WAYS; ++i) thread->ways[i].crossing = NULL;
  room->process = (uint64_t)getpid();
  room->thread = (uint64_t)gettid();
  room->pending = room->delivering = 0;
  room->outside = 1;
}

struct roof_native_thread* roof_native_new_thread(void) {
  struct roof_native_process* process = &roof_native_process;
  if (process->slots_used == ROOF_NATIVE_SLOTS) return NULL;
  struct roof_native_thread* thread = roof_memory_allocate(&process->memory, sizeof *thread);
  if (!thread) return NULL;
  thread->room = roof_native_room_create(process->native);
  if (!thread->room) return NULL;
  thread->slot = process->slots_used++;
  thread->next = process->threads;
  process->threads = thread;
  return thread;
}

struct roof_native_thread* roof_native_make_thread(int always) {
  struct roof_native_process* process = &roof_native_process;
  struct roof_native_thread* thread = process->free_threads;
  if (thread) {
    process->free_threads = thread->next_free;
  } else {
    thread = roof_native_new_thread();
    if (!thread || !roof_native_give_lane(thread) || !roof_native_give_windows(thread)) return NULL;
  }
  roof_native_begin_thread(thread, always);
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
  process->main = roof_native_make_thread(/*always=*/0);
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
  if (process->unknown_threads) roof_native_note_gap(path, ROOF_LEAVE_THREAD);
  roof_native_note_strangers(path);
  if (!process->lost) return;
  for (const struct roof_native_thread* thread = process->threads; thread; thread = thread->next)
    if (thread->left && thread->always) roof_native_note_gap(path, thread->left - 1);
}

void roof_native_is_out(struct roof_native_thread* thread) {
  if (thread->left && thread->always) --roof_native_process.lost;
  thread->left = 0;
}

struct roof_native_area* roof_native_area_to_enter(struct roof_native_thread* thread, uint64_t sp) {
  struct roof_native_process* process = &roof_native_process;
  struct roof_layers* layers = &process->contexts.threads[thread->slot].layers;
  if (!is_wanted(thread, sp)) {
    thread->inside = 0;
    return NULL;
  }
  const int fresh = !thread->inside || thread->left;
  roof_native_is_out(thread);
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

/* From here on the calling thread executes native code. `thread`: NULL if it is not known. 0: it
 * goes on natively, with nothing else done. */
static int come_out_and_hold(struct roof_native_thread** thread) {
  if (!roof_native_come_out()) return 0;
  *thread = roof_native_this_thread;
  return roof_native_hold();
}

/* The same, if it is known; nobody waits for the lock else. */
static int come_out_known(struct roof_native_thread** thread) {
  if (!roof_native_come_out()) return 0;
  *thread = roof_native_this_thread;
  if (*thread) return roof_native_hold();
  roof_native_let_signals_in();
  return 0;
}

void roof_native_go_on(struct roof_native_thread* thread, uint64_t sp) {
  struct roof_native_area* area = thread ? roof_native_area_to_enter(thread, sp) : NULL;
  roof_native_unlock(roof_native_process.native);
  if (!area) {
    roof_native_let_signals_in();
  } else if (roof_native_enter(area) != 0 && roof_native_hold()) {
    thread->inside = 0;
    note_around(thread, ROOF_LEAVE_SANDBOX);
    roof_native_let_go();
  }
}

void roof_native_team(uint32_t path, int counted) {
  struct roof_native_process* process = &roof_native_process;
  struct roof_native_thread* thread;
  if (!come_out_known(&thread)) return;
  roof_contexts_set_team_path(&process->contexts, counted ? path : ROOF_NATIVE_NOWHERE);
  if (thread->outer)
    roof_contexts_set_own_path(&process->contexts, thread->slot, process->contexts.team_path);
  process->team_counts = counted && roof_native_is_promised(path);
  if (process->team_counts && !process->sandboxed) {
    note_lost_threads(path);
  } else if (!process->sandboxed) {
    roof_native_ask_when_due();
  }
  roof_native_change(process->native);
  roof_native_go_on(thread, STACK_POINTER());
}

void roof_native_own(uint32_t path, int counted) {
  struct roof_native_process* process = &roof_native_process;
  struct roof_native_thread* thread;
  if (!come_out_and_hold(&thread)) return;
  if (!thread) {
    thread = roof_native_make_thread(/*always=*/0);
    if (!thread) {
      roof_native_note_gap(path, ROOF_LEAVE_NO_MEMORY);
      roof_native_let_go();
      return;
    }
    roof_native_this_thread = thread;
  }
  roof_contexts_set_own_path(&process->contexts, thread->slot,
                             counted ? path : ROOF_NATIVE_NOWHERE);
  if (path == 0) roof_contexts_set_own_path(&process->contexts, thread->slot, 0);
  thread->own_counts = counted && path != 0;
  roof_native_go_on(thread, STACK_POINTER());
}

void roof_native_thread_began(void) {
  struct roof_native_process* process = &roof_native_process;
  struct roof_native_thread* thread;
  if (!come_out_and_hold(&thread)) return;
  const int is_known = thread != NULL;
  if (!is_known) thread = roof_native_make_thread(/*always=*/1);
  if (!thread) ++process->unknown_threads;
  if (is_known || !thread) {
    roof_native_let_go();
    return;
  }
  roof_native_this_thread = thread;
  roof_native_go_on(thread, STACK_POINTER());
}

/* Its last instructions are executed natively, so that another thread can have its areas. */
void roof_native_thread_ended(void) {
  struct roof_native_process* process = &roof_native_process;
  struct roof_native_thread* thread;
  if (!come_out_known(&thread)) return;
  thread = roof_native_end_handlers(thread);
  roof_native_become(thread);
  if (thread == process->main) {
    roof_native_let_go();
    return;
  }
  roof_native_finish_windows(thread);
  if (thread->lane) roof_cache_lane_end(thread->lane);
  roof_native_is_out(thread);
  thread->alive = 0;
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
  if (!come_out_known(&thread)) return;
  struct roof_layers* layers = &process->contexts.threads[thread->slot].layers;
  if (enters) {
    roof_layers_enter(layers, &process->memory, layer);
  } else {
    roof_layers_leave(layers);
  }
  roof_native_go_on(thread, STACK_POINTER());
}

void roof_native_enter_layer(uint32_t layer) { change_layer(1, layer); }
void roof_native_leave_layer(void) { change_layer(0, 0); }

void roof_native_files_changed(void) {
  struct roof_native_process* process = &roof_native_process;
  struct roof_native_thread* thread;
  if (!come_out_and_hold(&thread)) return;
  if (!process->sandboxed) roof_native_check_files(process->native);
  roof_native_go_on(thread, STACK_POINTER());
}

void roof_native_memory_changed(const void* begin, uint64_t bytes) {
  struct roof_native_process* process = &roof_native_process;
  const uint64_t at = (uint64_t)(uintptr_t)begin;
  if (!roof_native_come_out() || !roof_native_hold()) return;
  roof_native_forget(process->native, at, at + bytes);
  roof_native_go_on(roof_native_this_thread, STACK_POINTER());
}

void roof_native_memory_replaced(const void* begin, uint64_t bytes) {
  const uint64_t at = (uint64_t)(uintptr_t)begin;
  if (roof_native_has_code(roof_native_process.native, at, at + bytes))
    roof_native_memory_changed(begin, bytes);
}

void roof_native_follow_cancellation(void) {
  if (!roof_native_come_out()) return;
  roof_native_let_signals_in();
  if (!roof_native_wrap_cancellation()) {
    roof_native_process.asks.cancel_a_thread();
    roof_native_wrap_cancellation();
  }
  if (roof_native_hold()) roof_native_go_on(roof_native_this_thread, STACK_POINTER());
}

/* What is not to be counted has contexts of its own, which nobody gets. */
void roof_native_count(uint32_t extent) {
  struct roof_native_process* process = &roof_native_process;
  struct roof_native_thread* thread;
  if (!come_out_and_hold(&thread)) return;
  process->contexts.extent = extent;
  roof_native_change(process->native);
  roof_native_go_on(thread, STACK_POINTER());
}
