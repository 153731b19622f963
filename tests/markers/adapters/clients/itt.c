/* SPDX-License-Identifier: BSD-3-Clause
 *
 * itt [hostile]: a program with ITT's tasks and frames. */
#include <ittnotify.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

static void Work(void) {
  __itt_domain* domain = __itt_domain_create("time step");
  __itt_domain* other = __itt_domain_create("other");
  __itt_domain* openmp = __itt_domain_create("main$omp$parallel:2@itt.c:10:12");
  __itt_string_handle* solve = __itt_string_handle_create("solve");
  __itt_string_handle* sweep = __itt_string_handle_create("sweep");
  for (int i = 0; i < 3; ++i) {
    __itt_frame_begin_v3(domain, NULL);
    __itt_task_begin(domain, __itt_null, __itt_null, solve);
    __itt_task_begin(other, __itt_null, __itt_null, sweep);
    __itt_frame_begin_v3(openmp, NULL);
    __itt_frame_end_v3(openmp, NULL);
    __itt_sync_acquired(&domain);
    __itt_task_end(other);
    __itt_task_end(domain);
    __itt_frame_end_v3(domain, NULL);
  }
#pragma omp parallel num_threads(2)
  {
    __itt_task_begin(domain, __itt_null, __itt_null, sweep);
    __itt_task_end(domain);
  }
}

static void DoEverythingWrong(void) {
  __itt_domain* domain = __itt_domain_create("frames");
  static char name[5000];
  memset(name, 'n', sizeof name - 1);
  __itt_string_handle* endless = __itt_string_handle_create(name);
  __itt_string_handle* deep = __itt_string_handle_create("deep");
  __itt_task_end(domain);
  __itt_frame_end_v3(domain, NULL);
  __itt_task_begin(domain, __itt_null, __itt_null, NULL);
  __itt_task_end(domain);
  __itt_task_begin(domain, __itt_null, __itt_null, endless);
  __itt_frame_begin_v3(domain, NULL);
  __itt_task_end(domain);
  __itt_frame_end_v3(domain, NULL);
#pragma omp parallel num_threads(4)
  {
    for (int i = 0; i < 1000; ++i) __itt_task_begin(domain, __itt_null, __itt_null, deep);
    for (int i = 0; i < 1100; ++i) __itt_task_end(domain);
  }
  __itt_frame_begin_v3(domain, NULL);
}

int main(int argc, char** argv) {
  argc > 1 && strcmp(argv[1], "hostile") == 0 ? DoEverythingWrong() : Work();
  puts("done");
  return 0;
}
