/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectors/counting/cache/internal.h"

#define ROOF_ISA(name) name##_base
#include "collectors/counting/cache/first_run.h"

struct roof_first* roof_first_create(struct roof_cache* cache) {
  const struct roof_shape* shape = &cache->shape[0];
  struct roof_first* first = (struct roof_first*)roof_allocate(cache, sizeof *first);
  if (!first) return NULL;
  first->shape = shape;
  first->words = (uint64_t*)roof_allocate(cache, shape->words * sizeof *first->words);
  first->stamps = (uint64_t*)roof_allocate(cache, shape->words * sizeof *first->stamps);
  if (!first->words || !first->stamps) {
    roof_first_destroy(cache, first);
    return NULL;
  }
  if (shape->padded > shape->ways) {
    for (uint64_t set = 0; set < shape->words; set += shape->padded) {
      for (uint32_t way = shape->ways; way < shape->padded; ++way)
        first->stamps[set + way] = LATEST;
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

void roof_first_run(struct roof_cache* cache, struct roof_first* first, const uint64_t* records,
                    size_t count) {
  if (cache->avx2) {
    roof_first_run_avx2(cache, first, records, count);
  } else {
    roof_first_run_base(cache, first, records, count);
  }
}

void roof_first_flush(struct roof_cache* cache, struct roof_first* first) {
  const struct roof_shape* shape = first->shape;
  for (uint64_t base = 0; base < shape->words; base += shape->padded) {
    /* Least recent first: the newest of the remaining lines is the last one out. */
    for (uint32_t left = shape->ways; left > 0; --left) {
      const uint64_t slot = base + oldest(first->stamps + base, shape->padded);
      const uint64_t word = first->words[slot];
      if (word & ROOF_WORD_DIRTY) {
        roof_charge_write(cache, shape, word);
        roof_level_request(cache, first->next, word);
      }
      first->words[slot] = 0;
      first->stamps[slot] = LATEST;
    }
    for (uint32_t way = 0; way < shape->ways; ++way) first->stamps[base + way] = 0;
  }
}
