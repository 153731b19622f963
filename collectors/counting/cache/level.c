/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectors/counting/cache/level.h"

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

void roof_level_flush(struct roof_cache* cache, struct roof_level* level) {
  const struct roof_shape* shape = level->shape;
  for (uint64_t* set = level->words; set != level->words + shape->words; set += shape->padded) {
    for (uint32_t way = shape->ways; way-- > 0;) {
      if (set[way] & ROOF_WORD_DIRTY) roof_write_down(cache, shape, level->next, set[way]);
      set[way] = 0;
    }
  }
}
