/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The cache model at the end of a trace: one core per thread, owners of lines are contexts.
 *
 * Plain C without libc. No call may overlap another one on the same feed. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_TRACE_CACHE_FEED_H_
#define ROOFMARK_COLLECTORS_COUNTING_TRACE_CACHE_FEED_H_

#include <stddef.h>
#include <stdint.h>

#include "collectors/counting/cache/cache_sim.h"
#include "collectors/counting/contexts/contexts.h"
#include "collectors/counting/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

struct roof_cache_feed {
  struct roof_memory memory; /* of the tables below; the model has its own in its configuration */
  const struct roof_contexts* contexts;
  struct roof_cache* cache;
  struct roof_cache_core** cores; /* by slot */
  uint64_t** counters;            /* by number of the context */
  uint32_t known;                 /* contexts that the model was told of */
  uint32_t capacity;
};

/* 0 if the configuration is out of range or memory ran out. */
int roof_cache_feed_start(struct roof_cache_feed* feed, const struct roof_memory* memory,
                          const struct roof_cache_config* config,
                          const struct roof_contexts* contexts, uint32_t slots);

/* Simulates accesses of the thread in one slot, in one context. 0 without memory. */
int roof_cache_feed_run(struct roof_cache_feed* feed, uint32_t slot,
                        const struct roof_context* context, const uint64_t* records, size_t count);
void roof_cache_feed_thread_ended(struct roof_cache_feed* feed, uint32_t slot);
/* Sets the dirty bytes of every context. 0 without memory. */
int roof_cache_feed_count_dirty(struct roof_cache_feed* feed);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_TRACE_CACHE_FEED_H_ */
