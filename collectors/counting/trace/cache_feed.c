/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectors/counting/trace/cache_feed.h"

int roof_cache_feed_start(struct roof_cache_feed* feed, const struct roof_memory* memory,
                          const struct roof_cache_config* config,
                          const struct roof_contexts* contexts, uint32_t slots) {
  const struct roof_cache_feed fresh = {.memory = *memory, .contexts = contexts};
  *feed = fresh;
  feed->cache = roof_cache_create(config);
  if (!feed->cache) return 0;
  feed->cores = roof_memory_allocate(memory, slots * sizeof *feed->cores);
  return feed->cores != NULL;
}

static int tell_contexts(struct roof_cache_feed* feed) {
  const struct roof_context_list* all = &feed->contexts->all;
  if (all->count > feed->capacity) {
    uint64_t** counters =
        roof_memory_allocate(&feed->memory, 2 * (size_t)all->count * sizeof *counters);
    if (!counters) return 0;
    roof_memory_release(&feed->memory, feed->counters, feed->capacity * sizeof *counters);
    feed->counters = counters;
    feed->capacity = 2 * all->count;
    feed->known = 0;
  }
  for (; feed->known < all->count; ++feed->known)
    feed->counters[feed->known] = all->item[feed->known]->counters;
  roof_cache_set_contexts(feed->cache, feed->counters, all->count);
  return 1;
}

int roof_cache_feed_run(struct roof_cache_feed* feed, uint32_t slot,
                        const struct roof_context* context, const uint64_t* records, size_t count) {
  if (context->number >= feed->known && !tell_contexts(feed)) return 0;
  if (!feed->cores[slot]) feed->cores[slot] = roof_cache_core_begin(feed->cache);
  if (!feed->cores[slot]) return 0;
  roof_cache_run(feed->cache, feed->cores[slot], context->number, records, count);
  return 1;
}

void roof_cache_feed_thread_ended(struct roof_cache_feed* feed, uint32_t slot) {
  if (!feed->cores[slot]) return;
  roof_cache_core_end(feed->cache, feed->cores[slot]);
  feed->cores[slot] = NULL;
}

int roof_cache_feed_count_dirty(struct roof_cache_feed* feed) {
  return tell_contexts(feed) && roof_cache_count_dirty(feed->cache);
}
