/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to the cache model: the cause of each miss of the last level. Compulsory: the line was
 * never filled before. Conflict: a fully-associative LRU cache with as many lines, fed with the
 * same requests, would have hit. Capacity: it would have missed too (Hill and Smith's definition).
 */
#ifndef ROOFMARK_COLLECTORS_COUNTING_CACHE_THREE_CS_H_
#define ROOFMARK_COLLECTORS_COUNTING_CACHE_THREE_CS_H_

#include <stdint.h>

#include "collectors/counting/memory.h"

/* A line of the fully-associative cache; indices of other nodes, 0 ends a list. */
struct roof_node {
  uint64_t line;
  uint32_t newer, older; /* towards the most / least recently used */
  uint32_t chain;        /* next of the same bucket */
};

/* Which of 512 neighbouring lines were ever filled. */
struct roof_chunk {
  uint64_t tag; /* line / 512 + 1; 0: free */
  uint64_t bits[8];
};

struct roof_three_cs {
  uint32_t on;
  uint32_t sample_shift; /* one line in 2^shift is classified */
  uint64_t weight;       /* misses that one classified miss stands for */
  uint32_t capacity, used;
  uint32_t newest, oldest;
  uint32_t bucket_bits;
  struct roof_node* nodes; /* [1..capacity] */
  uint32_t* buckets;
  uint32_t free_node;                /* list through chain, of nodes thrown out */
  uint64_t chunks_used, chunks_size; /* open addressing, size a power of two */
  struct roof_chunk* chunks;
  uint64_t unclassified;
  struct roof_memory memory;
};

/* `memory` must be set. Returns 0 without memory; off until then. */
int roof_three_cs_start(struct roof_three_cs* cs, uint64_t lines, uint32_t one_in, uint64_t weight);
void roof_three_cs_stop(struct roof_three_cs* cs);

/* A request for the line reached the last level. miss: it had to be filled. Adds to the three
 * ROOF_C_MISSES_* of counters. ~20..100 ns for a line that is not sampled out. */
void roof_three_cs_request(struct roof_three_cs* cs, uint64_t line, int miss, uint64_t* counters);
/* A non-temporal store threw the line out. */
void roof_three_cs_forget(struct roof_three_cs* cs, uint64_t line);

#endif /* ROOFMARK_COLLECTORS_COUNTING_CACHE_THREE_CS_H_ */
