/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to the cache model: the loop over the records of the first level. Included once per
 * instruction set, which ROOF_ISA(name) puts into the names. */
#include "collectors/counting/cache/hierarchy.h"
#include "collectors/counting/cache/stamps.h"

/* Fibonacci hashing of the 41 bits of a line number, which stand at the top of a key (the golden
 * section of 2^41): neighbouring lines fall far apart, and arrays of equal page offset, as those of
 * one loop often are, do not fall together. */
static inline uint64_t predicted_at(uint64_t key) {
  return (key * UINT64_C(0x13C6EF372FF)) >> (64 - ROOF_PREDICTED_BITS);
}

static inline uint64_t base_of(const struct roof_first* first, uint64_t key) {
  return roof_modulo(&first->shape->sets, roof_line_of(key)) * first->shape->padded;
}

/* An access that the prediction did not settle. dirty: 0 for a load, else dirty bit and owner. */
static inline __attribute__((always_inline)) void search_ways(struct roof_cache* cache,
                                                              struct roof_first* first,
                                                              uint64_t key, uint64_t dirty,
                                                              uint64_t now, uint32_t padded) {
  const uint64_t base = base_of(first, key);
  const uint32_t way = roof_find(first->words + base, padded, key);
  const int miss = way >= padded;
  const uint64_t slot = base + (miss ? roof_oldest(first->stamps + base, padded) : way);
  const uint64_t before = first->words[slot];
  first->stamps[slot] = (uint32_t)now;
  first->predicted[predicted_at(key)] = (uint32_t)slot;
  if (miss || dirty) first->words[slot] = key | dirty;
  if (first->shape->last && cache->three_cs.on) {
    roof_three_cs_request(&cache->three_cs, roof_line_of(key), miss,
                          cache->counters[cache->context]);
  }
  if (!miss) return;
  ++first->fills;
  first->store_fills += dirty != 0;
  if (key == first->streamed) first->streamed = 0;
  if (first->next) roof_level_request(cache, first->next, key);
  if (before & ROOF_WORD_DIRTY) roof_write_down(cache, first->shape, first->next, before);
}

/* The usual associativities have code of their own. */
static __attribute__((noinline)) void search(struct roof_cache* cache, struct roof_first* first,
                                             uint64_t key, uint64_t dirty, uint64_t now) {
  const uint32_t padded = first->shape->padded;
  if (padded == 12) {
    search_ways(cache, first, key, dirty, now, 12);
  } else if (padded == 8) {
    search_ways(cache, first, key, dirty, now, 8);
  } else {
    search_ways(cache, first, key, dirty, now, padded);
  }
}

static inline uint64_t dirty_bits(const struct roof_cache* cache, uint64_t record) {
  return record >> ROOF_RECORD_ADDRESS_BITS & 1 ? ROOF_WORD_DIRTY | cache->context : 0;
}

/* bytes of one line go to DRAM past the caches. Stores to one line in a row throw it out once. */
static void stream(struct roof_cache* cache, struct roof_first* first, uint64_t key,
                   uint64_t bytes) {
  first->streamed_bytes += bytes << cache->sample_shift;
  if (key == first->streamed) return;
  first->streamed = key;
  const uint64_t base = base_of(first, key);
  const uint32_t way = roof_find(first->words + base, first->shape->padded, key);
  uint64_t word = key;
  if (way < first->shape->padded) {
    word = first->words[base + way];
    first->words[base + way] = 0;
    first->stamps[base + way] = 0;
    if (word & ROOF_WORD_DIRTY) roof_charge_write(cache, first->shape, word);
  }
  if (first->next) roof_level_request(cache, first->next, word & ~ROOF_WORD_VALID);
  if (first->shape->last && cache->three_cs.on) {
    roof_three_cs_forget(&cache->three_cs, roof_line_of(key));
  }
}

/* Records that are non-temporal or cross a line. Returns the time of the last line. */
static __attribute__((noinline)) uint64_t access_slowly(struct roof_cache* cache,
                                                        struct roof_first* first, uint64_t record,
                                                        uint64_t now) {
  uint64_t begin = ROOF_RECORD_ADDRESS(record);
  const uint64_t end = begin + ROOF_RECORD_EXTENT(record) + 1;
  while (begin < end) {
    const uint64_t next_line = (begin | 63) + 1;
    const uint64_t stop = next_line < end ? next_line : end;
    if (ROOF_SAMPLE_SELECTED(begin, cache->sample_shift)) {
      const uint64_t key =
          roof_key_of_line(roof_line_of(roof_key_of_address(begin)) >> cache->sample_shift);
      if (record >> 63) {
        stream(cache, first, key, stop - begin);
      } else {
        search(cache, first, key, dirty_bits(cache, record), now++);
      }
    }
    begin = stop;
  }
  return now;
}

/* The loop over a batch; sampled and predict are constants of each of its copies below. */
static inline __attribute__((always_inline)) void run(struct roof_cache* cache,
                                                      struct roof_first* first,
                                                      const uint64_t* records, size_t count,
                                                      int sampled, int predict) {
  /* Copies in registers: the compiler cannot know that stores to lines leave the pointers alone. */
  uint64_t* const words = first->words;
  uint32_t* const stamps = first->stamps;
  const uint64_t dirty_here = ROOF_WORD_DIRTY | cache->context;
  const uint32_t shift = cache->sample_shift;
  uint64_t now = first->clock;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t record = records[i];
    ++now;
    /* The bits above the store bit: non-temporal and size - 1. */
    if (ROOF_UNLIKELY((record & 63) + (record >> (ROOF_RECORD_ADDRESS_BITS + 1)) > 63)) {
      now = access_slowly(cache, first, record, now);
      continue;
    }
    uint64_t key = roof_key_of_address(record);
    if (sampled) {
      if (!ROOF_SAMPLE_SELECTED(ROOF_RECORD_ADDRESS(record), shift)) continue;
      key = roof_key_of_line(roof_line_of(key) >> shift);
    }
    const int store = (int)(record >> ROOF_RECORD_ADDRESS_BITS & 1);
    const uint64_t slot = first->predicted[predicted_at(key)];
    if (ROOF_LIKELY(predict && roof_word_is(words[slot], key))) {
      stamps[slot] = (uint32_t)now;
      if (store) words[slot] = key | dirty_here;
    } else {
      search(cache, first, key, store ? dirty_here : 0, now);
    }
  }
  first->clock = now;
}

static void ROOF_ISA(run_first)(struct roof_cache* cache, struct roof_first* first,
                                const uint64_t* records, size_t count) {
  /* Another core may have filled the line into the shared level since. */
  first->streamed = 0;
  /* The three Cs of a single level must see every access, those that hit included. */
  if (first->shape->last && cache->three_cs.on) {
    run(cache, first, records, count, 1, 0);
  } else if (cache->sample_shift) {
    run(cache, first, records, count, 1, 1);
  } else {
    run(cache, first, records, count, 0, 1);
  }
  if (first->fills) roof_charge_fills(cache, first->shape, first->fills);
  if (first->store_fills) {
    cache->counters[cache->context][ROOF_C_STORE_FILL_BYTES] +=
        first->store_fills * cache->line_bytes;
  }
  first->fills = first->store_fills = 0;
}
