/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to the cache model: its parts and how they hang together.
 *
 *   roof_cache_run -> first level -> queue -> level -> queue -> shared level -> three Cs
 *
 * No level looks back up (they are not inclusive), so a level's requests may wait in the queue of
 * the next one. That keeps the loops short and lets a level prefetch the sets of the requests to
 * come; the order of requests, hence every counter, is the same as without queues. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_CACHE_INTERNAL_H_
#define ROOFMARK_COLLECTORS_COUNTING_CACHE_INTERNAL_H_

#include "collectors/counting/cache/cache_sim.h"
#include "collectors/counting/cache/three_cs.h"
#include "collectors/counting/cache/words.h"

/* Shape of a level after line sampling. */
struct roof_shape {
  struct roof_modulus sets;
  uint32_t ways;
  uint32_t padded; /* ways rounded up to a multiple of four */
  uint32_t index;  /* 0: L1 */
  uint32_t last;   /* 1: the next level is DRAM */
  uint64_t words;  /* sets x padded */
};

/* A level below the first. Each set is ordered by recency, most recent first. */
#define ROOF_QUEUE 256
struct roof_level {
  uint64_t* words;
  struct roof_level* next; /* NULL: DRAM */
  const struct roof_shape* shape;
  /* Requests, oldest first. A key: fill this line for the accessor. A dirty word: the level above
   * writes it back. A word without valid bit: throw the line out on the way to DRAM; dirty if
   * a level above held it dirty. */
  uint32_t queued;
  uint64_t queue[ROOF_QUEUE];
};

/* The first level keeps lines in place and orders them by stamps, so that a table of predicted
 * places (by hash of the line, whose sets of equal page offset do not collide) settles most hits
 * by one comparison: exact LRU needs only the new stamp, dirtiness only the new word. */
#define ROOF_PREDICTED_BITS 10
#define ROOF_STAMP_NEVER_OLDEST UINT32_MAX /* of padding */
#define ROOF_RECORD_MAX_LINES (16384 / ROOF_CACHE_LINE_BYTES + 1)
struct roof_first {
  uint64_t* words;
  uint32_t* stamps; /* time of last use; 0: empty */
  struct roof_level* next;
  const struct roof_shape* shape;
  uint64_t clock;    /* of the stamps: stays below ROOF_STAMP_NEVER_OLDEST */
  uint64_t streamed; /* key that non-temporal stores already threw out below, 0: none */
  /* Not yet added to a context. */
  uint64_t fills;
  uint64_t store_fills; /* of them: for a store */
  uint32_t predicted[1 << ROOF_PREDICTED_BITS];
};

struct roof_cache_core {
  struct roof_first* first;  /* the shared one where there is one level */
  struct roof_level* second; /* private second level of three, else NULL */
  struct roof_cache_core* next;
  uint32_t running;
};

struct roof_cache {
  struct roof_cache_config config;
  uint32_t levels;
  uint32_t sample_shift;
  uint32_t avx2;       /* 1: the loops of avx2.c run */
  uint64_t line_bytes; /* what one line counts: 64 x line sampling */
  struct roof_shape shape[ROOF_CACHE_LEVELS];
  struct roof_level* shared;       /* NULL where there is one level */
  struct roof_first* shared_first; /* only where there is one level */
  struct roof_three_cs three_cs;
  uint64_t* const* counters;
  uint32_t contexts;
  uint32_t context;              /* of the accesses being simulated */
  struct roof_cache_core* cores; /* all there ever were */
};

static inline void* roof_allocate(const struct roof_cache* cache, size_t bytes) {
  return cache->config.allocate(cache->config.cookie, bytes);
}
static inline void roof_release(const struct roof_cache* cache, void* memory, size_t bytes) {
  if (memory) cache->config.release(cache->config.cookie, memory, bytes);
}

/* lines moved out of or into a level, on a context's account. */
static inline void roof_charge_fills(struct roof_cache* cache, const struct roof_shape* shape,
                                     uint64_t lines) {
  uint64_t* counters = cache->counters[cache->context];
  counters[ROOF_C_L1_READ_BYTES + 2 * shape->index] += lines * cache->line_bytes;
  if (shape->last) counters[ROOF_C_DRAM_READ_BYTES] += lines * cache->line_bytes;
}
static inline void roof_charge_write(struct roof_cache* cache, const struct roof_shape* shape,
                                     uint64_t word) {
  uint64_t* counters = cache->counters[word & ROOF_WORD_OWNER];
  counters[ROOF_C_L1_WRITE_BYTES + 2 * shape->index] += cache->line_bytes;
  if (shape->last) counters[ROOF_C_DRAM_WRITE_BYTES] += cache->line_bytes;
}

/* avx2.c: 1 if this processor and system have it and the build does. */
uint32_t roof_has_avx2(void);

/* level.c */
struct roof_level* roof_level_create(struct roof_cache* cache, uint32_t index);
void roof_level_destroy(struct roof_cache* cache, struct roof_level* level);
/* Serves all queued requests of this level, on the account of cache->context. */
void roof_level_drain(struct roof_cache* cache, struct roof_level* level);
void roof_level_drain_base(struct roof_cache* cache, struct roof_level* level);
void roof_level_drain_avx2(struct roof_cache* cache, struct roof_level* level);
/* Writes all dirty lines to the next level, least recent first, and empties the level. */
void roof_level_flush(struct roof_cache* cache, struct roof_level* level);
static inline void roof_level_request(struct roof_cache* cache, struct roof_level* level,
                                      uint64_t word) {
  level->queue[level->queued++] = word;
  if (ROOF_UNLIKELY(level->queued == ROOF_QUEUE)) roof_level_drain(cache, level);
}

/* first_level.c */
struct roof_first* roof_first_create(struct roof_cache* cache);
void roof_first_destroy(struct roof_cache* cache, struct roof_first* first);
void roof_first_run(struct roof_cache* cache, struct roof_first* first, const uint64_t* records,
                    size_t count);
void roof_first_run_base(struct roof_cache* cache, struct roof_first* first,
                         const uint64_t* records, size_t count);
void roof_first_run_avx2(struct roof_cache* cache, struct roof_first* first,
                         const uint64_t* records, size_t count);
void roof_first_flush(struct roof_cache* cache, struct roof_first* first);

#endif /* ROOFMARK_COLLECTORS_COUNTING_CACHE_INTERNAL_H_ */
