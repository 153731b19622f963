/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the library asks the plug-in for. */
#include "collectors/counting/native/calls.h"
#include "collectors/counting/native/native.h"
#include "collectors/counting/native/signals.h"
#include "collectors/counting/native/threads.h"

static const char* start(const struct roof_native_asks* asks,
                         const struct roof_native_model* model) {
  const char* why = roof_native_missing();
  if (!why) why = roof_native_start_process(asks, model);
  if (!why) roof_native_start_signals(asks->next_sigaction);
  return why;
}

static uint32_t cold_bursts(void) {
  return __atomic_load_n(&roof_native_process.bursts.cold, __ATOMIC_RELAXED);
}

__attribute__((visibility("default"))) const struct roof_native_calls* roofmark_native_calls(void);

const struct roof_native_calls* roofmark_native_calls(void) {
  static const struct roof_native_calls kCalls = {ROOF_NATIVE_CALLS_VERSION,
                                                  roof_native_missing,
                                                  start,
                                                  roof_native_team,
                                                  roof_native_own,
                                                  roof_native_thread_began,
                                                  roof_native_thread_ended,
                                                  roof_native_enter_layer,
                                                  roof_native_leave_layer,
                                                  roof_native_harvest,
                                                  roof_native_count,
                                                  roof_native_listen,
                                                  roof_native_files_changed,
                                                  roof_native_memory_changed,
                                                  roof_native_memory_replaced,
                                                  roof_native_follow_cancellation,
                                                  roof_native_set_handler,
                                                  roof_native_want_blocks,
                                                  roof_native_give_blocks,
                                                  roof_native_set_nests,
                                                  roof_native_give_nest_paths,
                                                  cold_bursts,
                                                  roof_native_why_given_up,
                                                  roof_native_start_in_child};
  return &kCalls;
}
