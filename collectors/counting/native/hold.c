/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Who the calling thread is, and the time in which it works on what the engine keeps: no handler of
 * a signal comes in between. One may go on with another context of the program, and come back when
 * the calling thread is another one of the engine's. So nothing that was looked up before signals
 * wait is good any more. They do until translated code is entered, where its room takes them. */
#include "collectors/counting/native/handlers.h"
#include "collectors/counting/native/signals.h"
#include "collectors/counting/native/threads.h"

__thread struct roof_native_thread* roof_native_this_thread
    __attribute__((tls_model("initial-exec")));

static void let_signals_wait(void) {
  roof_native_signals_wait = 1;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

static void send_pending_of(const struct roof_native_thread* thread) {
  if (thread && thread->room->pending) roof_native_send_pending(thread->room);
}

void roof_native_let_signals_in(void) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  roof_native_signals_wait = 0;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  send_pending_of(roof_native_this_thread);
}

int roof_native_hold(void) {
  let_signals_wait();
  if (roof_native_lock(roof_native_process.native)) return 1;
  roof_native_let_signals_in();
  return 0;
}

void roof_native_let_go(void) {
  roof_native_unlock(roof_native_process.native);
  roof_native_let_signals_in();
}

void roof_native_become(struct roof_native_thread* next) {
  const struct roof_native_thread* before = roof_native_this_thread;
  roof_native_this_thread = next;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  send_pending_of(before); /* to wait in the room of the next one */
}

/* A handler that the engine was not told of calls the library: it interrupted translated code, the
 * dispatcher, or the thread while signals wait. The handler may return there, or never. */
static int is_interrupted(const struct roof_native_thread* thread) {
  return thread && (roof_native_signals_wait || !thread->room->outside);
}

int roof_native_come_out(void) {
  struct roof_native_process* process = &roof_native_process;
  const uint64_t stack_pointer = (uint64_t)(uintptr_t)__builtin_frame_address(0);
  roof_native_leave();
  if (process->off) return 0;
  if (is_interrupted(roof_native_this_thread)) {
    roof_native_give_up(process->native);
    process->off = 1;
    return 0;
  }
  let_signals_wait();
  roof_native_end_left_handlers(stack_pointer);
  roof_native_hand_over(roof_native_this_thread, stack_pointer);
  return 1;
}
