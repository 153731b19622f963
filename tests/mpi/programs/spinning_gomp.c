/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Stands for an OpenMP runtime whose threads execute instructions while they wait: in front of
 * libgomp's barrier. Linked before libgomp, and behind what roofmark preloads. */
#define _GNU_SOURCE
#include <dlfcn.h>

/* Of the program. */
extern void SpinInTheRuntime(void);

__attribute__((visibility("default"))) void GOMP_barrier(void) {
  void (*next)(void);
  *(void**)&next = dlsym(RTLD_NEXT, "GOMP_barrier");
  SpinInTheRuntime();
  if (next) next();
}
