/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectors/counting/cache/internal.h"

/* Requests whose sets are fetched ahead: enough to cover the host's memory latency. */
#define ROOF_AHEAD 8

struct roof_level* roof_level_create(struct roof_cache* cache, uint32_t index) {
  struct roof_level* level = (struct roof_level*)roof_allocate(cache, sizeof *level);
  if (!level) return NULL;
  level->shape = &cache->shape[index];
  level->words = (uint64_t*)roof_allocate(cache, level->shape->words * sizeof *level->words);
  if (!level->words) {
    roof_release(cache, level, sizeof *level);
    return NULL;
  }
  return level;
}

void roof_level_destroy(struct roof_cache* cache, struct roof_level* level) {
  if (!level) return;
  roof_release(cache, level->words, level->shape->words * sizeof *level->words);
  roof_release(cache, level, sizeof *level);
}

static inline uint64_t* set_of(const struct roof_level* level, uint64_t word) {
  const struct roof_shape* shape = level->shape;
  return level->words + roof_modulo(&shape->sets, roof_line_of(word)) * shape->padded;
}

/* Makes word the most recent of its set; the ways before `way` move back by one. */
static inline void move_to_front(uint64_t* set, uint32_t way, uint64_t word) {
#ifdef __SSE2__
  for (; way >= 2; way -= 2) {
    __m128i pair = _mm_loadu_si128((const __m128i*)(set + way - 2));
    _mm_storeu_si128((__m128i*)(set + way - 1), pair);
  }
#endif
  for (; way >= 1; --way) set[way] = set[way - 1];
  set[0] = word;
}

static void write_down(struct roof_cache* cache, struct roof_level* level, uint64_t word) {
  roof_charge_write(cache, level->shape, word);
  if (level->next) roof_level_request(cache, level->next, word);
}

/* A request without valid bit: see roof_level.queue. */
static void throw_out(struct roof_cache* cache, struct roof_level* level, uint64_t word) {
  const struct roof_shape* shape = level->shape;
  uint64_t* set = set_of(level, word);
  uint32_t way = roof_find(set, shape->padded, roof_key_of(word) | ROOF_WORD_VALID);
  if (way < shape->padded) {
    if (!(word & ROOF_WORD_DIRTY)) word = set[way] & ~ROOF_WORD_VALID;
    for (; way + 1 < shape->ways; ++way) set[way] = set[way + 1];
    set[way] = 0;
  }
  if (word & ROOF_WORD_DIRTY) roof_charge_write(cache, shape, word);
  if (level->next) roof_level_request(cache, level->next, word);
  if (shape->last && cache->three_cs.on) {
    roof_three_cs_forget(&cache->three_cs, roof_line_of(word));
  }
}

/* A fill or a write-back from above. Returns 1 if the line had to be filled from below. */
static inline int serve(struct roof_cache* cache, struct roof_level* level, uint64_t word) {
  const uint32_t padded = level->shape->padded, last_way = level->shape->ways - 1;
  uint64_t* set = set_of(level, word);
  const uint32_t way = roof_find(set, padded, roof_key_of(word));
  if (way < padded) {
    move_to_front(set, way, word & ROOF_WORD_DIRTY ? word : set[way]);
    return 0;
  }
  const uint64_t victim = set[last_way];
  const int fill = !(word & ROOF_WORD_DIRTY);
  if (fill && level->next) roof_level_request(cache, level->next, word);
  move_to_front(set, last_way, word);
  if (victim & ROOF_WORD_DIRTY) write_down(cache, level, victim);
  return fill;
}

void roof_level_drain(struct roof_cache* cache, struct roof_level* level) {
  const uint32_t count = level->queued;
  const int classify = level->shape->last && cache->three_cs.on;
  const uint64_t host_lines = (level->shape->padded + 7) / 8;
  uint64_t fills = 0;
  for (uint32_t i = 0; i < count; ++i) {
    if (i + ROOF_AHEAD < count) {
      const uint64_t* ahead = set_of(level, level->queue[i + ROOF_AHEAD]);
      for (uint64_t k = 0; k < host_lines; ++k) __builtin_prefetch(ahead + 8 * k, 1);
    }
    const uint64_t word = level->queue[i];
    if (ROOF_UNLIKELY(!(word & ROOF_WORD_VALID))) {
      throw_out(cache, level, word);
      continue;
    }
    const int filled = serve(cache, level, word);
    fills += (uint64_t)filled;
    if (classify) {
      roof_three_cs_request(&cache->three_cs, roof_line_of(word), filled,
                            cache->counters[cache->context]);
    }
  }
  level->queued = 0;
  if (fills) roof_charge_fills(cache, level->shape, fills);
}

void roof_level_flush(struct roof_cache* cache, struct roof_level* level) {
  const struct roof_shape* shape = level->shape;
  for (uint64_t* set = level->words; set != level->words + shape->words; set += shape->padded) {
    for (uint32_t way = shape->ways; way-- > 0;) {
      if (set[way] & ROOF_WORD_DIRTY) write_down(cache, level, set[way]);
      set[way] = 0;
    }
  }
}
