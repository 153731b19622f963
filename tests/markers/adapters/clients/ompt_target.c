/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ompt_target: constructs for devices, told as OpenMP's runtimes tell of them; it is the runtime
 * itself, because few have that. The tests know the lines. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef void (*Function)(void);
typedef void (*Target)(int kind, int endpoint, int device, void* task, uint64_t target,
                       const void* code);
typedef struct {
  int (*initialize)(Function (*lookup)(const char*), int device, void* tool);
  void (*finalize)(void* tool);
  uint64_t tool;
} Tool;
typedef Tool* (*StartTool)(unsigned version, const char* runtime);

enum { kTarget = 1, kEnterData = 2, kExitData = 3, kUpdate = 4, kNoWait = 8, kEvent = 8 };

static Target g_target;

static int SetCallback(int event, Function callback) {
  if (event != kEvent) return 1;
  g_target = (Target)callback;
  return 5;
}
static Function Lookup(const char* name) {
  return strcmp(name, "ompt_set_callback") == 0 ? (Function)&SetCallback : NULL;
}

/* As a runtime does it for the construct from which it is called. */
__attribute__((noinline)) static void Runtime(int kind) {
  const void* code = __builtin_return_address(0);
  if (g_target != NULL) g_target(kind, 1, 0, NULL, 1, code);
  if (g_target != NULL) g_target(kind, 2, 0, NULL, 1, code);
  __asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) static void Solve(void) {
  Runtime(kEnterData);
  for (int i = 0; i < 3; ++i) {
    Runtime(kTarget);
  }
  Runtime(kUpdate);
  Runtime(kTarget | kNoWait);
  Runtime(kExitData);
  Runtime(99);
  __asm__ volatile("" ::: "memory");
}

int main(void) {
  StartTool start;
  *(void**)&start = dlsym(RTLD_DEFAULT, "ompt_start_tool");
  Tool* tool = start == NULL ? NULL : start(51, "stand-in");
  if (tool != NULL && tool->initialize(&Lookup, 0, &tool->tool) == 0) tool = NULL;
  Solve();
  if (tool != NULL) tool->finalize(&tool->tool);
  printf("done\n");
  return 0;
}
