/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to the cache model: its parts and how they are connected.
 *
 *   roof_cache_run -> first level -> queue -> level -> queue -> shared level -> three Cs
 *
 * No level looks back up (they are not inclusive), so a level's requests may wait in the queue of
 * the next one. That keeps the loops short and lets a level prefetch the sets of the requests to
 * come; the order of requests, hence every counter, is the same as without queues. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_CACHE_HIERARCHY_H_
#define ROOFMARK_COLLECTORS_COUNTING_CACHE_HIERARCHY_H_

#include "collectors/counting/cache/config.h"
#include "collectors/counting/cache/record.h"
#include "collectors/counting/cache/three_cs.h"
#include "collectors/counting/cache/words.h"
#include "collectors/counting/schema.h"

struct roof_cache;

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
  uint64_t store_fills;    /* of them: for a store */
  uint64_t streamed_bytes; /* of non-temporal stores */
  uint32_t predicted[1 << ROOF_PREDICTED_BITS];
};

struct roof_cache_core {
  struct roof_first* first;  /* the shared one where there is one level */
  struct roof_level* second; /* private second level of three, else NULL */
  struct roof_cache_core* next;
  uint32_t running;
};

/* The two loops of the model. They are compiled once for each instruction set. */
struct roof_loops {
  /* Serves all queued requests of the level, on the account of cache->context. */
  void (*drain)(struct roof_cache* cache, struct roof_level* level);
  /* Simulates records in order in the first level. */
  void (*run)(struct roof_cache* cache, struct roof_first* first, const uint64_t* records,
              size_t count);
};

struct roof_cache {
  struct roof_cache_config config;
  uint32_t locked;                /* the shared level, by a lane */
  uint32_t lanes;                 /* cores that may run at the same time: lanes.h */
  const struct roof_loops* loops; /* for this processor */
  uint32_t levels;
  uint32_t sample_shift;
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
  return roof_memory_allocate(&cache->config.memory, bytes);
}
static inline void roof_release(const struct roof_cache* cache, void* memory, size_t bytes) {
  roof_memory_release(&cache->config.memory, memory, bytes);
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

/* Bytes of non-temporal stores go to the accessor's account: a counter that evictions from the
 * shared level change as well. */
void roof_cache_charge_streamed(struct roof_cache* cache, struct roof_first* first);
/* The private levels of a core, linked down to the shared one; 0 without memory. */
int roof_cache_equip(struct roof_cache* cache, struct roof_cache_core* core);

/* Queues a request. The loops are reached through a pointer: a level knows nothing of the code that
 * serves the next one. Cost: one indirect call for ROOF_QUEUE requests. */
static inline void roof_level_request(struct roof_cache* cache, struct roof_level* level,
                                      uint64_t word) {
  level->queue[level->queued++] = word;
  if (ROOF_UNLIKELY(level->queued == ROOF_QUEUE)) cache->loops->drain(cache, level);
}

/* A dirty line leaves the level for the next one. */
static inline void roof_write_down(struct roof_cache* cache, const struct roof_shape* shape,
                                   struct roof_level* next, uint64_t word) {
  roof_charge_write(cache, shape, word);
  if (next) roof_level_request(cache, next, word);
}

#endif /* ROOFMARK_COLLECTORS_COUNTING_CACHE_HIERARCHY_H_ */
