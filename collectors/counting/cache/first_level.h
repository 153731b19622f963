/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to the cache model: the level nearest to a core. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_CACHE_FIRST_LEVEL_H_
#define ROOFMARK_COLLECTORS_COUNTING_CACHE_FIRST_LEVEL_H_

#include "collectors/counting/cache/hierarchy.h"

/* NULL without memory. */
struct roof_first* roof_first_create(struct roof_cache* cache);
void roof_first_destroy(struct roof_cache* cache, struct roof_first* first);
/* Simulates records in order, on the account of cache->context. */
void roof_first_run(struct roof_cache* cache, struct roof_first* first, const uint64_t* records,
                    size_t count);
/* As roof_level_flush. */
void roof_first_flush(struct roof_cache* cache, struct roof_first* first);

#endif /* ROOFMARK_COLLECTORS_COUNTING_CACHE_FIRST_LEVEL_H_ */
