/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A tool of OMPT, built against the compiler's own header. It says what it was told when the
 * runtime ends; if REFUSES is set, that it wants nothing, after it has asked for all. */
#include <omp-tools.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_int g_begun, g_kept, g_tasks;

static void OnBegin(ompt_data_t* task, const ompt_frame_t* frame, ompt_data_t* parallel,
                    unsigned threads, int flags, const void* code) {
  (void)task, (void)frame, (void)threads, (void)flags, (void)code;
  parallel->value = 4711;
  ++g_begun;
}

static void OnEnd(ompt_data_t* parallel, ompt_data_t* task, int flags, const void* code) {
  (void)task, (void)flags, (void)code;
  g_kept += parallel->value == 4711;
}

static void OnTask(ompt_scope_endpoint_t endpoint, ompt_data_t* parallel, ompt_data_t* task,
                   unsigned threads, unsigned index, int flags) {
  (void)parallel, (void)task, (void)threads, (void)index, (void)flags;
  g_tasks += endpoint == ompt_scope_begin;
}

static int Initialise(ompt_function_lookup_t lookup, int device, ompt_data_t* tool) {
  (void)device, (void)tool;
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  ompt_get_callback_t get = (ompt_get_callback_t)lookup("ompt_get_callback");
  const int begin = set(ompt_callback_parallel_begin, (ompt_callback_t)&OnBegin);
  const int end = set(ompt_callback_parallel_end, (ompt_callback_t)&OnEnd);
  const int task = set(ompt_callback_implicit_task, (ompt_callback_t)&OnTask);
  ompt_callback_t found = NULL;
  /* Runtimes may say that there is none until the tool is there. */
  const int got =
      get(ompt_callback_parallel_begin, &found) == 0 || found == (ompt_callback_t)&OnBegin;
  printf("tool: set %d %d %d, got %d\n", begin, end, task, got);
  return getenv("REFUSES") == NULL;
}

static void Finalise(ompt_data_t* tool) {
  printf("tool: %d begun, %d kept, tasks %d\n", g_begun, g_kept, g_tasks > 0);
  fflush(stdout);
  (void)tool;
}

/* A tool that has refused is not asked again. */
__attribute__((destructor)) static void AtEnd(void) {
  if (getenv("REFUSES") != NULL) printf("tool: told of %d, %d\n", g_begun, g_tasks);
}

ompt_start_tool_result_t* ompt_start_tool(unsigned version, const char* runtime) {
  static ompt_start_tool_result_t tool = {&Initialise, &Finalise, {0}};
  (void)version, (void)runtime;
  return &tool;
}
