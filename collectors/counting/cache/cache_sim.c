/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectors/counting/cache/cache_sim.h"

#include "collectors/counting/cache/first_level.h"
#include "collectors/counting/cache/hierarchy.h"
#include "collectors/counting/cache/level.h"
#include "collectors/counting/cache/loops.h"

static int is_power_of_two_up_to(uint32_t value, uint32_t limit) {
  return value >= 1 && value <= limit && (value & (value - 1)) == 0;
}

/* A level of 1/N of the sets; of 1/N of the ways where there are not enough sets. */
static void shape_level(struct roof_cache* cache, uint32_t index) {
  const struct roof_geometry* geometry = &cache->config.geometry;
  const uint64_t one_in = cache->config.line_sampling;
  struct roof_shape* shape = &cache->shape[index];
  const uint64_t lines = geometry->size_bytes[index] / ROOF_CACHE_LINE_BYTES;
  uint64_t ways = geometry->ways[index];
  uint64_t sets = (lines / ways + one_in / 2) / one_in;
  if (sets == 0) {
    sets = 1;
    ways = (lines + one_in / 2) / one_in;
    if (ways == 0) ways = 1;
  }
  shape->sets = roof_modulus_of(sets);
  shape->ways = (uint32_t)ways;
  shape->padded = roof_padded(shape->ways);
  shape->index = index;
  shape->last = index + 1 == cache->levels;
  shape->words = sets * shape->padded;
}

static int start_shared(struct roof_cache* cache) {
  const struct roof_shape* last = &cache->shape[cache->levels - 1];
  if (cache->levels == 1) {
    cache->shared_first = roof_first_create(cache);
    if (!cache->shared_first) return 0;
  } else {
    cache->shared = roof_level_create(cache, cache->levels - 1);
    if (!cache->shared) return 0;
  }
  cache->three_cs.memory = cache->config.memory;
  return !cache->config.three_cs ||
         roof_three_cs_start(&cache->three_cs, last->sets.divisor * last->ways,
                             cache->config.three_cs, cache->config.line_sampling);
}

struct roof_cache* roof_cache_create(const struct roof_cache_config* config) {
  char error[ROOF_GEOMETRY_ERROR];
  if (!roof_geometry_check(&config->geometry, error, sizeof error)) return NULL;
  if (!is_power_of_two_up_to(config->line_sampling, ROOF_SAMPLE_MAX)) return NULL;
  if (config->three_cs && !is_power_of_two_up_to(config->three_cs, ROOF_SAMPLE_MAX)) return NULL;
  struct roof_cache* cache = roof_memory_allocate(&config->memory, sizeof *cache);
  if (!cache) return NULL;
  cache->config = *config;
  cache->levels = config->geometry.levels;
  cache->loops = roof_loops_avx2();
  if (!cache->loops) cache->loops = &roof_loops_base;
  cache->sample_shift = (uint32_t)__builtin_ctz(config->line_sampling);
  cache->line_bytes = (uint64_t)ROOF_CACHE_LINE_BYTES * config->line_sampling;
  for (uint32_t level = 0; level < cache->levels; ++level) shape_level(cache, level);
  if (!start_shared(cache)) {
    roof_cache_destroy(cache);
    return NULL;
  }
  return cache;
}

static void destroy_core(struct roof_cache* cache, struct roof_cache_core* core) {
  if (core->first != cache->shared_first) roof_first_destroy(cache, core->first);
  roof_level_destroy(cache, core->second);
  roof_release(cache, core, sizeof *core);
}

void roof_cache_destroy(struct roof_cache* cache) {
  if (!cache) return;
  while (cache->cores) {
    struct roof_cache_core* core = cache->cores;
    cache->cores = core->next;
    destroy_core(cache, core);
  }
  roof_first_destroy(cache, cache->shared_first);
  roof_level_destroy(cache, cache->shared);
  roof_three_cs_stop(&cache->three_cs);
  roof_release(cache, cache, sizeof *cache);
}

void roof_cache_set_contexts(struct roof_cache* cache, uint64_t* const* counters, uint32_t count) {
  cache->counters = counters;
  cache->contexts = count;
}

int roof_cache_equip(struct roof_cache* cache, struct roof_cache_core* core) {
  if (cache->levels == 1) {
    core->first = cache->shared_first;
    return 1;
  }
  core->first = roof_first_create(cache);
  if (!core->first) return 0;
  core->first->next = cache->shared;
  if (cache->levels == 2) return 1;
  core->second = roof_level_create(cache, 1);
  if (!core->second) return 0;
  core->second->next = cache->shared;
  core->first->next = core->second;
  return 1;
}

struct roof_cache_core* roof_cache_core_begin(struct roof_cache* cache) {
  struct roof_cache_core* core = cache->cores;
  while (core && core->running) core = core->next;
  if (!core) {
    core = roof_allocate(cache, sizeof *core);
    if (!core) return NULL;
    if (!roof_cache_equip(cache, core)) {
      destroy_core(cache, core);
      return NULL;
    }
    core->next = cache->cores;
    cache->cores = core;
  }
  core->running = 1;
  return core;
}

static void drain_core(struct roof_cache* cache, struct roof_cache_core* core) {
  if (core->second) cache->loops->drain(cache, core->second);
  if (cache->shared) cache->loops->drain(cache, cache->shared);
}

void roof_cache_core_end(struct roof_cache* cache, struct roof_cache_core* core) {
  if (core->first != cache->shared_first) roof_first_flush(cache, core->first);
  if (core->second) {
    cache->loops->drain(cache, core->second);
    roof_level_flush(cache, core->second);
  }
  drain_core(cache, core);
  core->running = 0;
}

void roof_cache_charge_streamed(struct roof_cache* cache, struct roof_first* first) {
  uint64_t* counters = cache->counters[cache->context];
  counters[ROOF_C_DRAM_NT_BYTES] += first->streamed_bytes;
  counters[ROOF_C_DRAM_WRITE_BYTES] += first->streamed_bytes;
  first->streamed_bytes = 0;
}

void roof_cache_run(struct roof_cache* cache, struct roof_cache_core* core, uint32_t context,
                    const uint64_t* records, size_t count) {
  cache->context = context;
  roof_first_run(cache, core->first, records, count);
  drain_core(cache, core);
  if (core->first->streamed_bytes) roof_cache_charge_streamed(cache, core->first);
}

uint64_t roof_cache_unclassified(const struct roof_cache* cache) {
  return cache->three_cs.unclassified;
}
