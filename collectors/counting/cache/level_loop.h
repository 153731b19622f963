/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to the cache model: the loop over the requests of a level. Included once per
 * instruction set, which ROOF_ISA(name) puts into the names. */
#include "collectors/counting/cache/hierarchy.h"

/* Requests whose sets are fetched ahead: enough to cover the host's memory latency. */
#define ROOF_AHEAD 8
/* Levels of so few words stay in the host's own second level: nothing to fetch ahead. */
#define ROOF_NEAR_WORDS (1u << 15)

static inline uint64_t* set_of(const struct roof_level* level, uint64_t word) {
  const struct roof_shape* shape = level->shape;
  return level->words + roof_modulo(&shape->sets, roof_line_of(word)) * shape->padded;
}

/* Makes word the most recent of its set; the ways before `way` move back by one. padded is that of
 * the set where it is a constant, else 0: a small set is rewritten as a whole, because how far to
 * move is a branch that no predictor predicts. */
static inline __attribute__((always_inline)) void move_to_front(uint64_t* set, uint32_t way,
                                                                uint64_t word, uint32_t padded) {
#if defined(__AVX2__)
  if (padded) {
    const __m256i moved = _mm256_set1_epi64x((long long)way + 1); /* so many ways get new words */
    __m256i index = _mm256_set_epi64x(padded - 1, padded - 2, padded - 3, padded - 4);
#pragma GCC unroll 4
    for (uint32_t at = padded - 4; at > 0; at -= 4) {
      const __m256i old = _mm256_load_si256((const __m256i*)(set + at));
      const __m256i before = _mm256_loadu_si256((const __m256i*)(set + at - 1));
      _mm256_store_si256((__m256i*)(set + at),
                         _mm256_blendv_epi8(old, before, _mm256_cmpgt_epi64(moved, index)));
      index = _mm256_sub_epi64(index, _mm256_set1_epi64x(4));
    }
    const __m256i old = _mm256_load_si256((const __m256i*)set);
    const __m256i before = _mm256_permute4x64_epi64(old, _MM_SHUFFLE(2, 1, 0, 0));
    _mm256_store_si256((__m256i*)set,
                       _mm256_blendv_epi8(old, before, _mm256_cmpgt_epi64(moved, index)));
    set[0] = word;
    return;
  }
#else
  (void)padded;
#endif
#if defined(__SSE2__)
  for (; way >= 2; way -= 2) {
    __m128i pair = _mm_loadu_si128((const __m128i*)(set + way - 2));
    _mm_storeu_si128((__m128i*)(set + way - 1), pair);
  }
#endif
  for (; way >= 1; --way) set[way] = set[way - 1];
  set[0] = word;
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
static inline __attribute__((always_inline)) int serve(struct roof_cache* cache,
                                                       struct roof_level* level, uint64_t word,
                                                       uint32_t padded, uint32_t last_way) {
  const uint32_t constant = __builtin_constant_p(padded) ? padded : 0;
  uint64_t* set = set_of(level, word);
  const uint32_t way = roof_find(set, padded, roof_key_of(word));
  if (way < padded) {
    move_to_front(set, way, word & ROOF_WORD_DIRTY ? word : set[way], constant);
    return 0;
  }
  const uint64_t victim = set[last_way];
  const int fill = !(word & ROOF_WORD_DIRTY);
  if (fill && level->next) roof_level_request(cache, level->next, word);
  move_to_front(set, last_way, word, constant);
  if (victim & ROOF_WORD_DIRTY) roof_write_down(cache, level->shape, level->next, victim);
  return fill;
}

static inline __attribute__((always_inline)) void drain_ways(struct roof_cache* cache,
                                                             struct roof_level* level,
                                                             uint32_t padded, uint32_t last_way) {
  const uint32_t count = level->queued;
  const int classify = level->shape->last && cache->three_cs.on;
  const uint64_t host_lines = (padded + 7) / 8;
  const int far = level->shape->words > ROOF_NEAR_WORDS;
  const uint32_t ahead_until = far && count > ROOF_AHEAD ? count - ROOF_AHEAD : 0;
  uint64_t fills = 0;
  for (uint32_t i = 0; i < count; ++i) {
    if (i < ahead_until) {
      const uint64_t* ahead = set_of(level, level->queue[i + ROOF_AHEAD]);
      for (uint64_t k = 0; k < host_lines; ++k) __builtin_prefetch(ahead + 8 * k, 1);
    }
    const uint64_t word = level->queue[i];
    if (ROOF_UNLIKELY(!(word & ROOF_WORD_VALID))) {
      throw_out(cache, level, word);
      continue;
    }
    const int filled = serve(cache, level, word, padded, last_way);
    fills += (uint64_t)filled;
    if (classify) {
      roof_three_cs_request(&cache->three_cs, roof_line_of(word), filled,
                            cache->counters[cache->context]);
    }
  }
  level->queued = 0;
  if (fills) roof_charge_fills(cache, level->shape, fills);
}

/* The usual associativities have code of their own. */
static void ROOF_ISA(drain_level)(struct roof_cache* cache, struct roof_level* level) {
  const uint32_t ways = level->shape->ways;
  if (ways == 16) {
    drain_ways(cache, level, 16, 15);
  } else if (ways == 8) {
    drain_ways(cache, level, 8, 7);
  } else {
    drain_ways(cache, level, level->shape->padded, ways - 1);
  }
}
