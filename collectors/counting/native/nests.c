/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Nests: what is to be followed, and the paths that were made of it. */
#include "collectors/counting/native/threads.h"

enum { kSlots = 1 << 20 };

int roof_native_set_nests(const struct roof_nest_plan* plan) {
  struct roof_native_process* process = &roof_native_process;
  struct roof_nests* nests = &process->contexts.nests;
  if (nests->count || !roof_native_come_out() || !roof_native_hold()) return 0;
  roof_native_take_slots(process->native, kSlots);
  const int is_set =
      roof_nests_set(nests, plan->nests, (uint32_t)plan->nest_count, plan->ranges,
                     (uint32_t)plan->range_count, plan->entries, (uint32_t)plan->entry_count) == 1;
  const int follows = is_set && roof_native_follow_nests(process->native, nests, plan->files,
                                                         (uint32_t)plan->module_count);
  roof_native_let_go();
  return follows;
}

static int copy_path(uint32_t number, struct roof_nest_path* copy, uint64_t* lost) {
  const struct roof_nests* nests = &roof_native_process.contexts.nests;
  if (!roof_native_hold()) return 0;
  const int there = number < nests->paths;
  if (there) *copy = *nests->path[number];
  *lost = nests->lost_paths;
  roof_native_let_go();
  return there;
}

/* The receiver allocates memory, so it is called without the lock. */
uint64_t roof_native_give_nest_paths(void* cookie, roof_native_nest_path take) {
  struct roof_nest_path path;
  uint64_t lost = 0;
  if (!roof_native_come_out()) return 0;
  roof_native_let_signals_in();
  for (uint32_t i = 0; copy_path(i, &path, &lost); ++i)
    take(cookie, path.path, path.parent, path.nest);
  return lost;
}

uint32_t roof_native_base_of(uint32_t path) {
  const struct roof_nests* nests = &roof_native_process.contexts.nests;
  while (roof_nests_has_path(nests, path)) path = roof_nests_parent(nests, path);
  return path;
}
