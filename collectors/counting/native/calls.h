/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the native engine's plug-in, which is plain C and needs Zydis, does for the library that
 * loads it. Each of a thread's calls may return in translated code. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_NATIVE_CALLS_H_
#define ROOFMARK_COLLECTORS_COUNTING_NATIVE_CALLS_H_

#include <signal.h>
#include <stdint.h>

#include "collectors/counting/cache/geometry.h"
#include "collectors/counting/contexts/blocks.h"
#include "collectors/counting/contexts/nests.h"
#include "collectors/counting/schema.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ROOF_NATIVE_CALLS_VERSION 12
#define ROOF_NATIVE_CALLS_ENTRY "roofmark_native_calls"

/* The next sigaction(2) behind roofmark's. */
typedef int (*roof_native_sigaction)(int, const struct sigaction*, struct sigaction*);

/* The caches to model; without levels none are, and addresses are not recorded. */
struct roof_native_model {
  struct roof_geometry geometry;
  uint32_t line_sampling;
  const char* latencies; /* dataflow/latency_text.h; NULL: dependences are not followed */
  uint64_t burst_ticks;  /* of the time-stamp counter in a microsecond; 0: no bursts (bursts.h) */
};

/* What the plug-in asks the library for. */
struct roof_native_asks {
  roof_native_sigaction next_sigaction;
  /* Threads that pthread_create made and that have not called thread_began yet. */
  int (*threads_on_the_way)(void);
  /* A thread of roofmark, by its number. */
  int (*is_uncounted)(int thread);
  /* Cancels a thread that does nothing else, so that libc sets its handler. */
  void (*cancel_a_thread)(void);
  /* 1: what is executed in no region is counted as well, to path 0. */
  int outside;
  /* 1: forked processes are to be counted. */
  int children;
};

struct roof_native_sums {
  void* cookie;
  void (*add)(void* cookie, uint32_t thread, uint32_t path, uint32_t layer, uint32_t extent,
              const uint64_t* counters);
  void (*incomplete)(void* cookie, uint32_t path, const char* reason, uint64_t exits);
  /* Places in code where its windows spent most of their cycles; NULL: nobody asks. */
  void (*critical)(void* cookie, uint32_t thread, uint32_t path, uint32_t layer, uint32_t extent,
                   const struct roof_critical* critical);
  /* How often the nest was entered that the context's path ends with. */
  void (*entered)(void* cookie, uint32_t thread, uint32_t path, uint32_t layer, uint32_t extent,
                  uint64_t times);
};

/* Of one context, in their order: cache/record.h. */
typedef void (*roof_native_accesses)(void* cookie, uint32_t thread, uint32_t path, uint32_t layer,
                                     uint32_t extent, const uint64_t* records, size_t count);

/* Executed code, in any order; places are offsets from the lowest address of their file. */
struct roof_native_executed {
  void* cookie;
  void (*block)(void* cookie, const char* file, const struct roof_block* block);
  void (*way)(void* cookie, const char* file, const struct roof_block_way* way);
  void (*part)(void* cookie, const char* file, const struct roof_block_part* part);
  void (*called)(void* cookie, const char* file, const char* to_file,
                 const struct roof_called* called);
};

/* A path below another one, by the nest that was entered there, from 1. Parents first. */
typedef void (*roof_native_nest_path)(void* cookie, uint32_t path, uint32_t parent, uint32_t nest);

struct roof_native_calls {
  uint32_t version;
  /* NULL, or why this machine cannot execute translated code. */
  const char* (*missing)(void);
  /* NULL, or why it does not count here. Called by the main thread. */
  const char* (*start)(const struct roof_native_asks* asks, const struct roof_native_model* model);
  void (*team)(uint32_t path, int counted);
  void (*own)(uint32_t path, int counted);
  void (*thread_began)(void);
  void (*thread_ended)(void);
  void (*enter_layer)(uint32_t layer);
  void (*leave_layer)(void);
  /* The sums so far. */
  void (*harvest)(const struct roof_native_sums* to);
  /* The extent, by its number, with which everything is counted from here on, on all threads. */
  void (*count)(uint32_t extent);
  /* Accesses to one line in `line_sampling` are handed over as well; before the first region. Never
   * on two threads at once. */
  void (*listen)(uint32_t line_sampling, roof_native_accesses take, void* cookie);
  /* Libraries were unloaded. */
  void (*files_changed)(void);
  /* mprotect was called. */
  void (*memory_changed)(const void* begin, uint64_t bytes);
  /* The same, for memory in which there is mostly no code. */
  void (*memory_replaced)(const void* begin, uint64_t bytes);
  /* A thread is about to be cancelled: libc is to be shown where it is in the program. */
  void (*follow_cancellation)(void);
  int (*sigaction)(int, const struct sigaction*, struct sigaction*);
  /* Blocks are kept; unless 0, by path as well. Before the first region. NULL, or why not. */
  const char* (*keep_blocks)(int by_path);
  /* What was executed in regions. After the last one, on one thread; others may still run.
   * Returned: how many ways and parts were lost, because memory was short. */
  uint64_t (*executed)(const struct roof_native_executed* to);
  /* Before the first region. 0: the plan makes no sense, or there is no memory. */
  int (*set_nests)(const struct roof_nest_plan* plan);
  /* The paths that were made so far. Returned: entries that have none of their own. */
  uint64_t (*nest_paths)(void* cookie, roof_native_nest_path take);
  /* Bursts that measured nothing so far (bursts.h). */
  uint32_t (*cold_bursts)(void);
  /* NULL, or why the engine was given up: nothing is known of any path. */
  const char* (*why_given_up)(void);
  /* In a forked child, which is not counted until then: counts begin at zero, and the calling
   * thread is its main thread. NULL, or why it does not count there. */
  const char* (*start_in_child)(void);
};

typedef const struct roof_native_calls* (*roof_native_calls_entry)(void);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_NATIVE_CALLS_H_ */
