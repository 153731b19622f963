/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Cores that run at the same time. Each thread has a lane: its private levels, simulated without a
 * lock, and a queue of requests to the shared level, which are served with that level locked once
 * ROOF_QUEUE of them wait, and at the end of every run. So each private level sees the accesses of
 * its thread in their order; the shared level sees those of one thread in their order, in pieces,
 * and pieces of several threads in the order in which they come. With one lane every counter is
 * that of roof_cache_run.
 *
 * Not with three Cs. Plain C without libc. Calls on different lanes may overlap; those on one may
 * not, and the table of contexts stays valid when it is replaced: roof_cache_set_contexts. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_CACHE_LANES_H_
#define ROOFMARK_COLLECTORS_COUNTING_CACHE_LANES_H_

#include "collectors/counting/cache/cache_sim.h"

#ifdef __cplusplus
extern "C" {
#endif

struct roof_cache_lane;

/* An empty core; NULL without memory, or with three Cs. */
struct roof_cache_lane* roof_cache_lane_begin(struct roof_cache* cache);
/* As roof_cache_run. */
void roof_cache_lane_run(struct roof_cache_lane* lane, uint32_t context, const uint64_t* records,
                         size_t count);
/* The thread ended: dirty lines move to the shared level. Another thread can have the lane. */
void roof_cache_lane_end(struct roof_cache_lane* lane);

/* Nobody changes the shared level meanwhile; for roof_cache_count_dirty, which takes private lines
 * as it finds them. */
void roof_cache_lock(struct roof_cache* cache);
void roof_cache_unlock(struct roof_cache* cache);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_CACHE_LANES_H_ */
