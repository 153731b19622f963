/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The cache-hierarchy model of the counting collector, in plain C without libc, so that it links
 * into a Valgrind tool as well as into a native engine.
 *
 * Model. 1..3 levels of lines of 64 bytes: the last level is shared by all cores of the process,
 * the levels above it are private to a core (one core per thread). Each level is set-associative
 * with true LRU, write-back, write-allocate (read for ownership: a store that misses fills the
 * line), and neither inclusive nor exclusive of the others: a fill enters every level, an eviction
 * leaves the other levels alone, a written-back line enters the next level as its most recent one
 * without being read. A fill is charged to the context that accesses, a write-back to the context
 * that last dirtied the line. A non-temporal store moves its bytes to DRAM and throws the line out
 * of every level on its core's way to DRAM, writing it back if it was dirty.
 * Not modelled: prefetchers, coherence between private levels, TLB, page tables, the kernel.
 *
 * Threading: no call may overlap another one on the same simulator. Deterministic: the counters
 * depend on the sequence of calls alone. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_CACHE_CACHE_SIM_H_
#define ROOFMARK_COLLECTORS_COUNTING_CACHE_CACHE_SIM_H_

#include <stddef.h>
#include <stdint.h>

#include "collectors/counting/cache/config.h"
#include "collectors/counting/cache/record.h"
#include "collectors/counting/schema.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Contexts are numbered by the caller from 0; the number is kept with each dirty line. */
#define ROOF_CACHE_MAX_CONTEXTS (1u << 21)

struct roof_cache;      /* one per process */
struct roof_cache_core; /* the private levels of one thread */

/* NULL when the configuration is out of range or memory ran out. */
struct roof_cache* roof_cache_create(const struct roof_cache_config* config);
void roof_cache_destroy(struct roof_cache* cache);

/* The array of each context's ROOF_COUNTERS counters, to which everything below adds. The table
 * stays the caller's; call again when it grew or moved. Contexts used later must be below count. */
void roof_cache_set_contexts(struct roof_cache* cache, uint64_t* const* counters, uint32_t count);

/* A core for a thread, empty; NULL without memory. */
struct roof_cache_core* roof_cache_core_begin(struct roof_cache* cache);
/* The thread ended: dirty lines move to the shared level, the core is kept for the next thread. */
void roof_cache_core_end(struct roof_cache* cache, struct roof_cache_core* core);

/* Simulates records in order, all of one thread in one context. 1..3 ns a first-level hit. */
void roof_cache_run(struct roof_cache* cache, struct roof_cache_core* core, uint32_t context,
                    const uint64_t* records, size_t count);

/* Sets (not adds) ROOF_C_DRAM_DIRTY_BYTES of every context to the lines now dirty anywhere, each
 * once and charged to the writer of its uppermost copy. Changes nothing else, may be repeated.
 * 0 when there was no memory for the walk (the counters are then untouched), else 1. */
int roof_cache_count_dirty(struct roof_cache* cache);

/* Three-Cs data that did not fit in memory: accesses that were left unclassified. */
uint64_t roof_cache_unclassified(const struct roof_cache* cache);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_CACHE_CACHE_SIM_H_ */
