/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectors/counting/cache/lanes.h"

#include "collectors/counting/cache/first_level.h"
#include "collectors/counting/cache/hierarchy.h"
#include "collectors/counting/cache/level.h"

/* The loops see a cache of their own, whose last level has the lines of the shared one and a queue
 * of the lane's. */
struct roof_cache_lane {
  struct roof_cache view; /* first: the loops hand it back */
  struct roof_loops loops;
  struct roof_level door; /* to the shared level */
  struct roof_cache* cache;
  struct roof_cache_core* core;
};

void roof_cache_lock(struct roof_cache* cache) {
  while (__atomic_exchange_n(&cache->locked, 1, __ATOMIC_ACQUIRE))
    while (__atomic_load_n(&cache->locked, __ATOMIC_RELAXED)) __builtin_ia32_pause();
}
void roof_cache_unlock(struct roof_cache* cache) {
  __atomic_store_n(&cache->locked, 0, __ATOMIC_RELEASE);
}

/* Contexts are added while lanes run. */
static void look_up_contexts(struct roof_cache_lane* lane) {
  lane->view.contexts = __atomic_load_n(&lane->cache->contexts, __ATOMIC_ACQUIRE);
  lane->view.counters = __atomic_load_n(&lane->cache->counters, __ATOMIC_ACQUIRE);
}

/* Lines that other lanes wrote leave the shared level, so their contexts have to be known. */
static void drain(struct roof_cache* view, struct roof_level* level) {
  struct roof_cache_lane* lane = (struct roof_cache_lane*)(void*)view;
  struct roof_cache* cache = lane->cache;
  if (level != &lane->door) {
    cache->loops->drain(view, level);
  } else if (level->queued) {
    roof_cache_lock(cache);
    look_up_contexts(lane);
    cache->loops->drain(view, level);
    roof_cache_unlock(cache);
  }
}

static void enlist(struct roof_cache_lane* lane) {
  struct roof_cache* cache = lane->cache;
  roof_cache_lock(cache);
  lane->core->next = cache->cores;
  cache->cores = lane->core;
  ++cache->lanes;
  roof_cache_unlock(cache);
}

struct roof_cache_lane* roof_cache_lane_begin(struct roof_cache* cache) {
  if (cache->three_cs.on) return NULL;
  struct roof_cache_lane* lane = (struct roof_cache_lane*)roof_allocate(cache, sizeof *lane);
  if (!lane) return NULL;
  lane->cache = cache;
  lane->view = *cache;
  lane->view.cores = NULL;
  lane->loops.run = cache->loops->run;
  lane->loops.drain = drain;
  lane->view.loops = &lane->loops;
  if (cache->shared) {
    lane->door = *cache->shared;
    lane->door.queued = 0;
    lane->view.shared = &lane->door;
  }
  lane->core = (struct roof_cache_core*)roof_allocate(cache, sizeof *lane->core);
  if (!lane->core || !roof_cache_equip(&lane->view, lane->core)) {
    roof_release(cache, lane->core, sizeof *lane->core);
    roof_release(cache, lane, sizeof *lane);
    return NULL;
  }
  lane->core->running = 1;
  enlist(lane);
  return lane;
}

/* The only level is the shared one. */
static void run_locked(struct roof_cache_lane* lane, uint32_t context, const uint64_t* records,
                       size_t count) {
  roof_cache_lock(lane->cache);
  look_up_contexts(lane);
  roof_cache_run(&lane->view, lane->core, context, records, count);
  roof_cache_unlock(lane->cache);
}

void roof_cache_lane_run(struct roof_cache_lane* lane, uint32_t context, const uint64_t* records,
                         size_t count) {
  struct roof_cache_core* core = lane->core;
  struct roof_cache* view = &lane->view;
  if (view->levels == 1) {
    run_locked(lane, context, records, count);
    return;
  }
  look_up_contexts(lane);
  view->context = context;
  roof_first_run(view, core->first, records, count);
  if (core->second) drain(view, core->second);
  drain(view, view->shared);
  if (!core->first->streamed_bytes) return;
  roof_cache_lock(lane->cache);
  roof_cache_charge_streamed(view, core->first);
  roof_cache_unlock(lane->cache);
}

void roof_cache_lane_end(struct roof_cache_lane* lane) {
  if (lane->view.levels == 1) return;
  look_up_contexts(lane);
  roof_cache_core_end(&lane->view, lane->core);
  lane->core->running = 1;
}
