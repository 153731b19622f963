/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectors/counting/cache/first_level.h"

#include "collectors/counting/cache/stamps.h"

struct roof_first* roof_first_create(struct roof_cache* cache) {
  const struct roof_shape* shape = &cache->shape[0];
  struct roof_first* first = (struct roof_first*)roof_allocate(cache, sizeof *first);
  if (!first) return NULL;
  first->shape = shape;
  first->words = (uint64_t*)roof_allocate(cache, shape->words * sizeof *first->words);
  first->stamps = (uint32_t*)roof_allocate(cache, shape->words * sizeof *first->stamps);
  if (!first->words || !first->stamps) {
    roof_first_destroy(cache, first);
    return NULL;
  }
  if (shape->padded > shape->ways) {
    for (uint64_t set = 0; set < shape->words; set += shape->padded) {
      for (uint32_t way = shape->ways; way < shape->padded; ++way)
        first->stamps[set + way] = ROOF_STAMP_NEVER_OLDEST;
    }
  }
  return first;
}

void roof_first_destroy(struct roof_cache* cache, struct roof_first* first) {
  if (!first) return;
  roof_release(cache, first->words, first->shape->words * sizeof *first->words);
  roof_release(cache, first->stamps, first->shape->words * sizeof *first->stamps);
  roof_release(cache, first, sizeof *first);
}

/* Stamps of one set become 1, 2 ... in the same order: quadratic in the ways, once in 2^32
 * accesses.
 */
static void renumber_set(const struct roof_shape* shape, uint32_t* stamps) {
  uint32_t ranks[ROOF_CACHE_MAX_WAYS];
  for (uint32_t way = 0; way < shape->ways; ++way) {
    ranks[way] = stamps[way] != 0;
    for (uint32_t other = 0; other < shape->ways; ++other)
      ranks[way] += stamps[other] != 0 && stamps[other] < stamps[way];
  }
  for (uint32_t way = 0; way < shape->ways; ++way) stamps[way] = ranks[way];
}

/* Before the clock overflows within the next `count` records. */
static void wind_back(struct roof_first* first, size_t count) {
  const uint64_t lines = (uint64_t)count * ROOF_RECORD_MAX_LINES;
  if (ROOF_LIKELY(first->clock + lines < ROOF_STAMP_NEVER_OLDEST)) return;
  for (uint64_t set = 0; set < first->shape->words; set += first->shape->padded)
    renumber_set(first->shape, first->stamps + set);
  first->clock = first->shape->ways;
}

void roof_first_run(struct roof_cache* cache, struct roof_first* first, const uint64_t* records,
                    size_t count) {
  const size_t most = 1 << 20; /* so that the clock cannot overflow on the way */
  while (count > 0) {
    const size_t now = count < most ? count : most;
    wind_back(first, now);
    cache->loops->run(cache, first, records, now);
    records += now;
    count -= now;
  }
}

void roof_first_flush(struct roof_cache* cache, struct roof_first* first) {
  const struct roof_shape* shape = first->shape;
  for (uint64_t base = 0; base < shape->words; base += shape->padded) {
    /* Least recent first: the newest of the remaining lines is the last one out. */
    for (uint32_t left = shape->ways; left > 0; --left) {
      const uint64_t slot = base + roof_oldest(first->stamps + base, shape->padded);
      const uint64_t word = first->words[slot];
      if (word & ROOF_WORD_DIRTY) roof_write_down(cache, shape, first->next, word);
      first->words[slot] = 0;
      first->stamps[slot] = ROOF_STAMP_NEVER_OLDEST;
    }
    for (uint32_t way = 0; way < shape->ways; ++way) first->stamps[base + way] = 0;
  }
}
