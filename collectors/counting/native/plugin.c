/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the library asks the plug-in for. */
#include "collectors/counting/native/calls.h"
#include "collectors/counting/native/native.h"
#include "collectors/counting/native/signals.h"
#include "collectors/counting/native/threads.h"

static const char* start(roof_native_sigaction next, int (*threads_on_the_way)(void)) {
  const char* why = roof_native_missing();
  if (!why) why = roof_native_start_process(threads_on_the_way);
  if (!why) roof_native_start_signals(next);
  return why;
}

__attribute__((visibility("default"))) const struct roof_native_calls* roofmark_native_calls(void);

const struct roof_native_calls* roofmark_native_calls(void) {
  static const struct roof_native_calls kCalls = {
      ROOF_NATIVE_CALLS_VERSION, start,
      roof_native_team,          roof_native_own,
      roof_native_thread_began,  roof_native_thread_ended,
      roof_native_enter_layer,   roof_native_leave_layer,
      roof_native_harvest,       roof_native_count,
      roof_native_files_changed, roof_native_set_handler};
  return &kCalls;
}
