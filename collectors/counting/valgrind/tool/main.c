/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * roofmark's counting tool for Valgrind: a software performance counter unit, driven by the process
 * it runs through the client requests of protocol.h. It prints nothing but errors. */
#include "collectors/counting/valgrind/tool/failed_fork.h"
#include "collectors/counting/valgrind/tool/instrument.h"
#include "collectors/counting/valgrind/tool/keep.h"
#include "collectors/counting/valgrind/tool/options.h"
#include "collectors/counting/valgrind/tool/pmu.h"
#include "collectors/counting/valgrind/tool/requests.h"
#include "pub_tool_basics.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_options.h"
#include "pub_tool_tooliface.h"

static void thread_created(ThreadId parent, ThreadId child) {
  (void)parent;
  roof_contexts_thread_created(&contexts, child);
}

/* Also after every signal handler and system call, so that what they did to the thread's shadow
 * registers or to its path is put right. */
static void thread_starts_to_run(ThreadId tid, ULong blocks) {
  (void)blocks;
  pmu_thread_runs(tid);
}

static void thread_stops_running(ThreadId tid, ULong blocks) {
  (void)blocks;
  pmu_thread_stops(tid);
  keep_when_due();
}

static void thread_ended(ThreadId tid) { pmu_thread_ended(tid); }

static void in_forked_child(ThreadId tid) {
  keep_stop();
  pmu_flush();
  pmu_finish_window();
  roof_contexts_begin_in_child(&contexts, tid);
  roof_blocks_clear(&kept_blocks);
}

static void post_clo_init(void) {
  options_finish();
  pmu_init();
  VG_(atfork)(NULL, NULL, in_forked_child);
}

/* At every end that Valgrind sees, those by signals included. */
static void fini(Int exit_code) {
  (void)exit_code;
  keep_now();
}

static void pre_clo_init(void) {
  VG_(details_name)("roofmark");
  VG_(details_version)(NULL);
  VG_(details_description)("floating-point and memory counts per region");
  VG_(details_copyright_author)("the roofmark authors; GPL-2.0-or-later");
  VG_(details_bug_reports_to)("the roofmark project");
  VG_(details_avg_translation_sizeB)(400);
  VG_(basic_tool_funcs)(post_clo_init, instrument, fini);
  VG_(needs_command_line_options)(options_process, options_print_usage, options_print_debug_usage);
  /* Where two conditions in a row lead to the same place, the translator would execute both and
   * decide then: instructions behind the first one would be counted whatever it decides. */
  VG_(clo_vex_control).guest_chase = False;
  failed_fork_watch();
  VG_(needs_client_requests)(requests_handle);
  VG_(track_pre_thread_ll_create)(thread_created);
  VG_(track_pre_thread_ll_exit)(thread_ended);
  VG_(track_start_client_code)(thread_starts_to_run);
  VG_(track_stop_client_code)(thread_stops_running);
}

VG_DETERMINE_INTERFACE_VERSION(pre_clo_init)
