/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The functions of ITT that the client calls, with a static part that does what Intel's does with
 * them: it loads the collector that INTEL_LIBITTNOTIFY64 names at the first call, and calls what
 * the collector has set. For machines without Intel's header and library. */
#ifndef ROOFMARK_TESTS_MARKERS_ADAPTERS_ABI_ITTNOTIFY_H_
#define ROOFMARK_TESTS_MARKERS_ADAPTERS_ABI_ITTNOTIFY_H_

typedef struct {
  unsigned long long d1, d2, d3;
} __itt_id;

typedef struct __itt_domain {
  volatile int flags;
  const char* nameA;
  void* nameW;
  int extra1;
  void* extra2;
  struct __itt_domain* next;
} __itt_domain;

typedef struct __itt_string_handle {
  const char* strA;
  void* strW;
  int extra1;
  void* extra2;
  struct __itt_string_handle* next;
} __itt_string_handle;

static const __itt_id __itt_null = {0, 0, 0}; /* NOLINT(readability-identifier-naming) */

__itt_domain* __itt_domain_create(const char* name);
__itt_string_handle* __itt_string_handle_create(const char* name);
void __itt_task_begin(const __itt_domain* domain, __itt_id id, __itt_id parent,
                      __itt_string_handle* name);
void __itt_task_end(const __itt_domain* domain);
void __itt_frame_begin_v3(const __itt_domain* domain, __itt_id* id);
void __itt_frame_end_v3(const __itt_domain* domain, __itt_id* id);
void __itt_sync_acquired(void* object);

#endif /* ROOFMARK_TESTS_MARKERS_ADAPTERS_ABI_ITTNOTIFY_H_ */
