/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectors/counting/cache/cache_sim.h"
#include "collectors/counting/cache/hierarchy.h"
#include "collectors/counting/hash.h"

/* The lines already counted: open addressing by key. Only private levels need to enter theirs, the
 * shared one is walked last. */
struct seen {
  uint64_t* keys;
  uint64_t size; /* a power of two, at least twice the entries; 0: nothing private is dirty */
  uint32_t bits;
};

/* Where the key is or belongs. */
static uint64_t* place(const struct seen* seen, uint64_t key) {
  uint64_t at = roof_hash(key, seen->bits);
  while (seen->keys[at] && seen->keys[at] != key) at = (at + 1) & (seen->size - 1);
  return &seen->keys[at];
}

static uint64_t count_words(const uint64_t* words, uint64_t count) {
  uint64_t dirty = 0;
  for (uint64_t i = 0; i < count; ++i) dirty += (words[i] & ROOF_WORD_DIRTY) != 0;
  return dirty;
}

static void charge_words(struct roof_cache* cache, const struct seen* seen, int enter,
                         const uint64_t* words, uint64_t count) {
  for (uint64_t i = 0; i < count; ++i) {
    if (!(words[i] & ROOF_WORD_DIRTY)) continue;
    if (seen->size) {
      uint64_t* at = place(seen, roof_key_of(words[i]));
      if (*at) continue;
      if (enter) *at = roof_key_of(words[i]);
    }
    cache->counters[words[i] & ROOF_WORD_OWNER][ROOF_C_DRAM_DIRTY_BYTES] += cache->line_bytes;
  }
}

/* Lanes go on meanwhile, and any line of theirs may become dirty. */
static uint64_t most_dirty(const struct roof_cache* cache, const uint64_t* words,
                           const struct roof_shape* shape) {
  return cache->lanes ? shape->words : count_words(words, shape->words);
}

static int start_seen(const struct roof_cache* cache, struct seen* seen) {
  uint64_t dirty = 0;
  for (const struct roof_cache_core* core = cache->cores; core; core = core->next) {
    if (cache->levels > 1) dirty += most_dirty(cache, core->first->words, &cache->shape[0]);
    if (core->second) dirty += most_dirty(cache, core->second->words, &cache->shape[1]);
  }
  seen->size = 0;
  if (dirty == 0) return 1;
  for (seen->bits = 1; (UINT64_C(1) << seen->bits) < 2 * dirty;) ++seen->bits;
  seen->size = UINT64_C(1) << seen->bits;
  seen->keys = roof_allocate(cache, seen->size * sizeof *seen->keys);
  return seen->keys != NULL;
}

int roof_cache_count_dirty(struct roof_cache* cache) {
  struct seen seen = {0};
  if (!start_seen(cache, &seen)) return 0;
  for (uint32_t context = 0; context < cache->contexts; ++context) {
    if (cache->counters[context]) cache->counters[context][ROOF_C_DRAM_DIRTY_BYTES] = 0;
  }
  if (cache->shared_first) {
    charge_words(cache, &seen, 0, cache->shared_first->words, cache->shape[0].words);
    return 1;
  }
  for (struct roof_cache_core* core = cache->cores; core; core = core->next) {
    charge_words(cache, &seen, 1, core->first->words, cache->shape[0].words);
  }
  for (struct roof_cache_core* core = cache->cores; core; core = core->next) {
    if (core->second) charge_words(cache, &seen, 1, core->second->words, cache->shape[1].words);
  }
  charge_words(cache, &seen, 0, cache->shared->words, cache->shared->shape->words);
  roof_release(cache, seen.keys, seen.size * sizeof *seen.keys);
  return 1;
}
