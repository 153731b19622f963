/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A forked child goes on natively. One that is to be recorded is counted from where this is asked
 * for; it is forked while no other thread changes what the engine keeps. */
#include "collectors/counting/native/areas.h"
#include "collectors/counting/native/threads.h"

static uint32_t holds_at_fork; /* the thread that forks */

void roof_native_before_fork(void) {
  holds_at_fork = roof_native_process.asks.children && roof_native_come_out() && roof_native_hold();
}
void roof_native_behind_fork(void) {
  if (!holds_at_fork) return;
  holds_at_fork = 0;
  roof_native_go_on(roof_native_this_thread, (uint64_t)(uintptr_t)__builtin_frame_address(0));
}
void roof_native_in_child(void) {
  roof_native_process.off = 1;
  if (holds_at_fork) roof_native_let_go();
  holds_at_fork = 0;
}

/* Its room and its number stay; a later thread can have both. */
static void forget_thread(struct roof_native_thread* thread) {
  struct roof_native_process* process = &roof_native_process;
  roof_native_take_back_areas(thread);
  if (!thread->alive) return;
  thread->alive = thread->left = 0;
  thread->area = NULL;
  thread->next_free = process->free_threads;
  process->free_threads = thread;
}

/* The parent's threads are not there. What one of them had half done stays so. */
const char* roof_native_start_in_child(void) {
  struct roof_native_process* process = &roof_native_process;
  struct roof_native_thread* thread = roof_native_this_thread;
  while (thread && thread->outer) thread = thread->outer;
  roof_native_leave();
  const char* why = roof_native_why_given_up();
  if (why) return why;
  if (roof_native_is_locked(process->native))
    return "it was forked while another thread came to code that was not executed before";
  for (struct roof_native_thread* each = process->threads; each; each = each->next)
    if (each != thread) forget_thread(each);
  if (thread) roof_native_take_back_areas(thread);
  if (!thread) thread = roof_native_make_thread(/*always=*/0);
  if (!thread) return "memory is short";
  roof_native_begin_thread(thread, /*always=*/0);
  roof_contexts_begin_in_child(&process->contexts, thread->slot);
  process->main = roof_native_this_thread = thread;
  process->lost = process->unknown_threads = process->gaps = process->ends = 0;
  process->unasked.count = 0;
  process->team_counts = process->said_changed = process->off = 0;
  return NULL;
}
