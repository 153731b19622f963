/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Windows: stretches of what a context executes, chosen evenly over its run, whose dependences are
 * followed. A window is filled by one context, across its visits, and begins with a warm-up that
 * only fills the state of the simulator. What the windows of a context give is added to its
 * counters.
 *
 * Plain C without libc. No call may overlap another one on the same windows. Cost: 50 to 150 ns for
 * each instruction in a window. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_WINDOWS_WINDOWS_H_
#define ROOFMARK_COLLECTORS_COUNTING_WINDOWS_WINDOWS_H_

#include <stdint.h>

#include "collectors/counting/contexts/contexts.h"
#include "collectors/counting/dataflow/dataflow.h"
#include "collectors/counting/memory.h"
#include "collectors/counting/trace/cache_feed.h"
#include "collectors/counting/windows/branches.h"
#include "collectors/counting/windows/found_levels.h"
#include "collectors/counting/windows/memory_streams.h"
#include "collectors/counting/windows/page_walks.h"

#ifdef __cplusplus
extern "C" {
#endif

struct roof_window_plan {
  uint32_t instructions; /* of a window */
  uint32_t warm_up;      /* so many of them come first and are not measured */
  uint32_t one_in;       /* instructions, one is in a window */
  /* After each so many windows of a context they come half as often, and stand for twice as many
   * instructions: what a mean gains by more of them becomes less. 0: always as often. */
  uint32_t dense;
};

/* Of a context. */
struct roof_window_due {
  uint64_t words; /* of its trace, after which its next window comes */
  uint32_t taken; /* windows so far */
};

/* Simulates one access of the thread in the slot, in the context. 0 without memory. */
typedef int (*roof_window_simulate)(void* cookie, uint32_t slot, const struct roof_context* context,
                                    uint64_t record);

struct roof_windows {
  struct roof_memory memory;
  struct roof_window_plan plan;
  struct roof_cache_feed* feed;
  roof_window_simulate simulate; /* NULL: the feed does */
  void* simulate_cookie;
  struct roof_dataflow* flow;
  uint32_t levels;                 /* of the cache model */
  struct roof_found_levels* found; /* NULL: it simulates all lines */
  int has_walks;                   /* the latencies say what pages cost */
  struct roof_page_walks walks;
  struct roof_window_branches branches; /* if the latencies say what mispredicted ones cost */
  struct roof_context* followed; /* before and in whose window pages are; NULL: they are not */
  uint64_t followed_words;       /* of all contexts since */
  struct roof_context* owner;    /* of the open window; NULL: none is open */
  uint32_t executed;             /* instructions in it so far */
  int64_t counted;               /* of those measured, what is counted as instructions */
  int is_measured;               /* no longer the warm-up */
  struct roof_memory_streams streams;
  uint64_t words;              /* of the trace that it took */
  uint64_t others;             /* those of other contexts since its last batch */
  struct roof_window_due* due; /* by number of the context */
  uint32_t capacity;
};

/* The accesses in windows go to the cache model, too, which says where each was found. `sampling`:
 * it simulates these lines alone; NULL: all. 0 without memory. */
int roof_windows_start(struct roof_windows* windows, const struct roof_memory* memory,
                       const struct roof_window_plan* plan, const struct roof_latencies* latencies,
                       struct roof_cache_feed* feed, uint32_t levels,
                       const struct roof_line_sampling* sampling);

/* Loads take longer where the core does not know their page, if the latencies say how much. `files`
 * stay. 0 without memory. */
int roof_windows_follow_pages(struct roof_windows* windows, const struct roof_files* files,
                              uint32_t slots);
/* Accesses of the thread in the slot that are in no window, as roof_windows_want() was told of them
 * before: a core knows what it touched last. Looked at for some time before each window. */
static inline void roof_windows_note(struct roof_windows* windows, uint32_t slot,
                                     const uint64_t* records, size_t count) {
  if (windows->followed) roof_page_walks_note(&windows->walks, slot, records, count);
}

/* A roof_trace_window; the cookie is the struct above. Segments must have their code. */
const uint64_t* roof_windows_take(void* cookie, uint32_t slot, struct roof_context* context,
                                  const uint64_t* next, const uint64_t* end);

/* The same for whoever makes segments only of what a window wants. Whether it wants so many words
 * that the context has written, and the segments themselves. */
int roof_windows_want(struct roof_windows* windows, struct roof_context* context, uint64_t words);
/* Before that: the thread in the slot went on at `place`, with the first instruction of the batch,
 * of whatever context that is; 0: it is not known. */
static inline void roof_windows_go_on(struct roof_windows* windows, uint32_t slot, uint64_t place) {
  roof_window_branches_go_on(&windows->branches, windows->flow, slot, place);
}
const uint64_t* roof_windows_fill(struct roof_windows* windows, uint32_t slot, const uint64_t* next,
                                  const uint64_t* end);

/* The window that is open ends with what is in it. */
void roof_windows_finish(struct roof_windows* windows);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_WINDOWS_WINDOWS_H_ */
