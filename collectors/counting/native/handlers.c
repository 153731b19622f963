/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectors/counting/native/handlers.h"

#include "collectors/counting/native/areas.h"
#include "collectors/counting/native/signals.h"

enum { kDeepest = 8 }; /* handlers of handlers */

static uint32_t depth_of(const struct roof_native_thread* thread) {
  uint32_t depth = 0;
  for (; thread->outer; thread = thread->outer) ++depth;
  return depth;
}

static struct roof_native_thread* handler_of(struct roof_native_thread* thread) {
  if (thread->handler || depth_of(thread) == kDeepest) return thread->handler;
  struct roof_native_thread* handler = roof_native_new_thread();
  if (!handler) return NULL;
  handler->outer = thread;
  thread->handler = handler;
  return handler;
}

/* Who executes it; of a thread that goes on as its handler, which was left, the thread. */
static struct roof_native_thread* executor_for(struct roof_native_thread* thread,
                                               uint64_t stack_pointer) {
  if (thread->outer && !roof_native_is_in_handler(thread->outer, stack_pointer))
    return thread->outer;
  struct roof_native_thread* handler = handler_of(thread);
  if (!handler) return NULL;
  roof_native_begin_thread(handler, /*always=*/1);
  handler->alive = 0; /* it is no thread more */
  handler->lane = thread->lane;
  handler->burst = thread->burst;
  roof_contexts_handle(&roof_native_process.contexts, handler->slot, thread->slot);
  return handler;
}

static struct roof_native_area* area_for(struct roof_native_thread* executor,
                                         uint64_t stack_pointer) {
  executor->inside = 0;
  executor->area = NULL;
  executor->call_next = 0;
  return roof_native_area_to_enter(executor, stack_pointer);
}

struct roof_native_thread* roof_native_begin_handler(struct roof_native_thread* interrupted,
                                                     uint64_t stack_pointer) {
  if (!roof_native_hold()) return NULL;
  struct roof_native_thread* executor = executor_for(interrupted, stack_pointer);
  struct roof_native_area* area =
      executor ? area_for(executor, (uint64_t)(uintptr_t)__builtin_frame_address(0)) : NULL;
  if (area) roof_native_become(executor);
  roof_native_unlock(roof_native_process.native);
  if (area && roof_native_enter(area) == 0) return executor;
  if (area) roof_native_become(interrupted);
  roof_native_let_signals_in();
  return NULL;
}

/* While signals wait. */
static void end_executor(struct roof_native_thread* executor) {
  if (!roof_native_lock(roof_native_process.native)) return;
  roof_native_is_out(executor);
  executor->inside = 0;
  roof_native_unlock(roof_native_process.native);
}

int roof_native_end_handler(struct roof_native_thread* executor,
                            struct roof_native_thread* interrupted) {
  const int is_there = roof_native_come_out();
  const int is_same = roof_native_this_thread == executor;
  if (!is_there) {
    if (is_same) roof_native_this_thread = interrupted;
    return 0;
  }
  if (is_same) {
    end_executor(executor);
    roof_native_become(interrupted);
  }
  roof_native_let_signals_in();
  return is_same;
}

/* Where loops are told apart it is not known which ones the jump has left. */
static void note_jump(const struct roof_native_thread* executor) {
  const struct roof_contexts* contexts = &roof_native_process.contexts;
  const uint32_t path = contexts->threads[executor->slot].own_path;
  struct roof_native* native = roof_native_process.native;
  if (!roof_nests_has_path(&contexts->nests, path) || !roof_native_lock(native)) return;
  roof_native_note_gap(path, ROOF_LEAVE_CONTEXT);
  roof_native_note_gap(roof_native_base_of(path), ROOF_LEAVE_CONTEXT);
  roof_native_unlock(native);
}

void roof_native_end_left_handlers(uint64_t stack_pointer) {
  struct roof_native_thread* thread = roof_native_this_thread;
  for (; thread && thread->outer; thread = thread->outer) {
    if (roof_native_is_in_handler(thread->outer, stack_pointer)) return;
    note_jump(thread);
    roof_native_hand_over(thread, stack_pointer);
    end_executor(thread);
    roof_native_become(thread->outer);
    thread->outer->inside = 0;
  }
}

struct roof_native_thread* roof_native_end_handlers(struct roof_native_thread* thread) {
  for (; thread->outer; thread = thread->outer) roof_native_is_out(thread);
  for (struct roof_native_thread* each = thread->handler; each; each = each->handler) {
    roof_native_take_back_areas(each);
    each->area = NULL;
  }
  thread->handler_frame = 0;
  return thread;
}

uint32_t roof_native_whose(uint32_t serial) {
  const struct roof_native_process* process = &roof_native_process;
  const struct roof_thread* threads = process->contexts.threads;
  for (const struct roof_native_thread* each = process->threads; each; each = each->next)
    if (each->outer && threads[each->slot].serial == serial) return threads[each->slot].whose;
  return serial;
}
