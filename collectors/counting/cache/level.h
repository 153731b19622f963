/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to the cache model: a level below the first. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_CACHE_LEVEL_H_
#define ROOFMARK_COLLECTORS_COUNTING_CACHE_LEVEL_H_

#include "collectors/counting/cache/hierarchy.h"

/* NULL without memory. */
struct roof_level* roof_level_create(struct roof_cache* cache, uint32_t index);
void roof_level_destroy(struct roof_cache* cache, struct roof_level* level);
/* Writes all dirty lines to the next level, least recent first, and empties the level. */
void roof_level_flush(struct roof_cache* cache, struct roof_level* level);

#endif /* ROOFMARK_COLLECTORS_COUNTING_CACHE_LEVEL_H_ */
