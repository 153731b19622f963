/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The static part of abi/ittnotify.h. */
#include <dlfcn.h>
#include <ittnotify.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef void (*TaskBegin)(const __itt_domain*, __itt_id, __itt_id, __itt_string_handle*);
typedef void (*TaskEnd)(const __itt_domain*);
typedef void (*Frame)(const __itt_domain*, __itt_id*);
typedef void (*Sync)(void*);

static TaskBegin g_task_begin;
static TaskEnd g_task_end;
static Frame g_frame_begin, g_frame_end;
static Sync g_sync_acquired;

struct Api {
  const char* name;
  void** pointer;
  void *at_start, *without_collector;
  int group;
};
static struct Api g_apis[] = {
    {"__itt_task_begin", (void**)&g_task_begin, NULL, NULL, 8},
    {"__itt_task_end", (void**)&g_task_end, NULL, NULL, 8},
    {"__itt_frame_begin_v3", (void**)&g_frame_begin, NULL, NULL, 8},
    {"__itt_frame_end_v3", (void**)&g_frame_end, NULL, NULL, 8},
    {"__itt_sync_acquired", (void**)&g_sync_acquired, NULL, NULL, 4},
    {NULL, NULL, NULL, NULL, 0},
};
static struct {
  unsigned char magic[8];
  unsigned long major, minor, build;
  volatile long initialised, mutex_initialised, counter;
  pthread_mutex_t mutex;
  void *library, *error_handler;
  const char** library_path;
  struct Api* apis;
} g_global = {.major = 3, .build = 20180808, .mutex = PTHREAD_MUTEX_INITIALIZER, .apis = g_apis};

static void Load(void) {
  const char* name = getenv("INTEL_LIBITTNOTIFY64");
  void* library = name == NULL ? NULL : dlopen(name, RTLD_LAZY);
  void (*init)(void*, int) = NULL;
  if (library != NULL) *(void**)&init = dlsym(library, "__itt_api_init");
  if (init != NULL) init(&g_global, 0xFFFF);
}
static void LoadOnce(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, &Load);
}

__itt_domain* __itt_domain_create(const char* name) {
  __itt_domain* domain = calloc(1, sizeof *domain);
  domain->flags = 1;
  domain->nameA = strdup(name);
  return domain;
}
__itt_string_handle* __itt_string_handle_create(const char* name) {
  __itt_string_handle* handle = calloc(1, sizeof *handle);
  handle->strA = strdup(name);
  return handle;
}
void __itt_task_begin(const __itt_domain* domain, __itt_id id, __itt_id parent,
                      __itt_string_handle* name) {
  LoadOnce();
  if (g_task_begin != NULL) g_task_begin(domain, id, parent, name);
}
void __itt_task_end(const __itt_domain* domain) {
  LoadOnce();
  if (g_task_end != NULL) g_task_end(domain);
}
void __itt_frame_begin_v3(const __itt_domain* domain, __itt_id* id) {
  LoadOnce();
  if (g_frame_begin != NULL) g_frame_begin(domain, id);
}
void __itt_frame_end_v3(const __itt_domain* domain, __itt_id* id) {
  LoadOnce();
  if (g_frame_end != NULL) g_frame_end(domain, id);
}
void __itt_sync_acquired(void* object) {
  LoadOnce();
  if (g_sync_acquired != NULL) g_sync_acquired(object);
}
