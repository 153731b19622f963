/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to the plug-in: threads, and the areas that they are in. A context (thread x path x
 * layer) has one area. Which layer a thread is in is asked where it goes from the code of one owner
 * to that of another; which path, there and behind system calls.
 *
 * Threads that began under the engine are always translated. The others, the main thread among
 * them, are so in regions of their own; the main thread also in those of the team. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_NATIVE_THREADS_H_
#define ROOFMARK_COLLECTORS_COUNTING_NATIVE_THREADS_H_

#include "collectors/counting/cache/lanes.h"
#include "collectors/counting/contexts/contexts.h"
#include "collectors/counting/native/bursts.h"
#include "collectors/counting/native/calls.h"
#include "collectors/counting/native/native.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A crossing that one visit was entered or left by. */
struct roof_native_way {
  const struct roof_native_crossing* crossing; /* NULL: the place is free */
  const struct roof_context* from;
  struct roof_context* to;      /* in the same area */
  const void* code;             /* where it led; NULL: look it up */
  uint64_t epoch;               /* of the area */
  uint32_t leaves;              /* the visit; else enters it */
  struct roof_visit visit;      /* its stack pointer is another one each time */
  struct roof_context* entered; /* counts it; NULL: nobody does */
};
enum { ROOF_NATIVE_WAYS = 256 };

struct roof_native_thread {
  uint32_t slot;          /* in contexts */
  uint32_t alive;         /* 0: a later thread can have it */
  uint32_t always;        /* it is translated in and outside of regions */
  uint32_t inside;        /* it was translated when it was last decided */
  uint32_t own_counts;    /* its own region is to be counted */
  uint32_t left;          /* goes on natively because of reason left - 1; 0: does not */
  uint32_t fresh;         /* in roofmark, entered natively: until it comes to other code */
  uint64_t call_next;     /* where the last system call goes on */
  uint32_t burst;         /* the part that it is in: bursts.h */
  uint64_t handler_frame; /* of the handler that interrupted translated code; 0: none */
  uint64_t other_stack, other_stack_end; /* on which it was executed; 0: on that of the thread */
  struct roof_native_room* room;
  struct roof_native_area* area;       /* that it was in last */
  struct roof_cache_lane* lane;        /* NULL: no caches are modelled */
  struct roof_native_windows* windows; /* NULL: there are none */
  struct roof_native_way ways[ROOF_NATIVE_WAYS];
  struct roof_native_way* last_way; /* NULL: it was not kept */
  struct roof_native_thread*
      outer; /* whose handlers of signals it executes; NULL: it is a thread */
  struct roof_native_thread* handler; /* the one that executes those of this one; NULL: none yet */
  struct roof_native_thread* next;    /* of all */
  struct roof_native_thread* next_free;
};

/* Why a path's counts are not all there. */
struct roof_native_gap {
  uint32_t path, reason;
  uint64_t exits;
};

/* Regions of the team for which threads that nobody told of were not looked for yet. */
enum { ROOF_NATIVE_UNASKED = 64 };
struct roof_native_unasked {
  uint32_t path[ROOF_NATIVE_UNASKED];
  uint32_t count;
  uint64_t asked_at; /* by the clock of the CPU */
};

/* The path in whose region nothing is counted. */
enum { ROOF_NATIVE_NOWHERE = ROOF_MAX_PATHS - 1 };

enum { ROOF_NATIVE_SLOTS = 4096, ROOF_NATIVE_ENDED = 256, ROOF_NATIVE_COUNTERS = 1 << 15 };
struct roof_native_process {
  struct roof_memory memory;
  struct roof_native* native;
  struct roof_contexts contexts;
  struct roof_native_area** area; /* by number of the context; NULL: it has none */
  uint32_t area_capacity;
  struct roof_native_area* free_areas; /* by `context` */
  struct roof_native_thread *threads, *free_threads;
  struct roof_native_thread* main;
  uint32_t slots_used;
  uint32_t lost;            /* threads that have left and may work for a team */
  uint32_t unknown_threads; /* for which there was no memory */
  uint32_t team_counts;
  uint32_t off;       /* for good: all goes on natively */
  uint32_t sandboxed; /* files cannot be opened any more: no more code is translated */
  struct roof_native_gap* gap;
  uint32_t gaps, gap_capacity;
  uint64_t arena, arena_end;         /* memory that is handed out */
  uint64_t ended[ROOF_NATIVE_ENDED]; /* numbers of the last threads that did */
  uint32_t ends;
  uint32_t said_changed; /* that code was changed */
  uint32_t switches;     /* a handler switches contexts: no later one is translated */
  struct roof_native_unasked unasked;
  struct roof_cache* cache; /* NULL: none is modelled */
  uint64_t** traffic;       /* counters by number of the context, for the model */
  uint32_t traffic_capacity;
  uint32_t cache_levels;
  uint32_t asked;    /* the counter of bytes that were asked of the last level */
  uint32_t windowed; /* dependences are followed */
  struct roof_native_bursts bursts;
  struct roof_native_asks asks;
  struct roof_blocks* parts; /* who executed which block; NULL: not wanted */
  uint32_t gave_blocks;      /* nobody is said to execute anything any more */
};

extern struct roof_native_process roof_native_process;
/* The calling thread; NULL: not known. */
extern __thread struct roof_native_thread* roof_native_this_thread
    __attribute__((tls_model("initial-exec")));

const char* roof_native_start_process(const struct roof_native_asks* asks,
                                      const struct roof_native_model* model);
const char* roof_native_start_in_child(void);
/* On the thread that forks, one at a time, while all signals are blocked. */
void roof_native_before_fork(void);
void roof_native_behind_fork(void);
void roof_native_in_child(void);
/* The calling thread has it from here on, and nothing of another one is left in it. */
void roof_native_begin_thread(struct roof_native_thread* thread, int always);
/* One more, of which nothing is decided. With the lock held. NULL without memory. */
struct roof_native_thread* roof_native_new_thread(void);
/* The area in which the thread goes on in code of roofmark, with the lock held; NULL: it goes on
 * natively. */
struct roof_native_area* roof_native_area_to_enter(struct roof_native_thread* thread, uint64_t sp);
/* The thread is not translated any more, with the lock held. */
void roof_native_is_out(struct roof_native_thread* thread);
/* With the lock held, but for the first thread. NULL without memory. */
struct roof_native_thread* roof_native_make_thread(int always);
void roof_native_team(uint32_t path, int counted);
void roof_native_own(uint32_t path, int counted);
void roof_native_thread_began(void);
void roof_native_thread_ended(void);
void roof_native_enter_layer(uint32_t layer);
void roof_native_leave_layer(void);
void roof_native_files_changed(void);
void roof_native_memory_changed(const void* begin, uint64_t bytes);
void roof_native_memory_replaced(const void* begin, uint64_t bytes);
void roof_native_follow_cancellation(void);
void roof_native_count(uint32_t extent);
void roof_native_harvest(const struct roof_native_sums* to);
/* NULL: it was not. Nothing is harvested else. */
const char* roof_native_why_given_up(void);

/* Threads of the process that the engine was not told of: they began before it, or were made by
 * other means than pthread_create. A region of the team begins, in which they may work; it is asked
 * for them, unless that was done a moment ago; it is asked for them now. With the lock held,
 * outside of the dispatcher. */
void roof_native_note_strangers(uint32_t path);
void roof_native_ask_when_due(void);
void roof_native_ask_for_strangers(void);

/* With the lock held, or in the dispatcher. */
void roof_native_note_gap(uint32_t path, unsigned reason);
/* The region that loses what is not counted in this area from here on. Code of roofmark, such as a
 * function that it interposes, counts to none, and is executed in one as well. */
uint32_t roof_native_path_of(const struct roof_native_area* area);
/* It executes code of roofmark. */
int roof_native_is_own(const struct roof_native_area* area);
/* The region of markers in which the thread is, whatever code it executes there. */
uint32_t roof_native_region_of(const struct roof_native_thread* thread);
/* Outside of all regions nothing is promised, unless it was asked for. */
int roof_native_is_promised(uint32_t path);

/* On the calling thread, which is not in the dispatcher; signals wait in between. 0: the engine was
 * given up, and nothing of it is to be looked at. */
int roof_native_hold(void);
void roof_native_let_go(void);
/* The calling thread, which is in a call of the library, leaves translated code, and what it
 * accessed goes to the model. Signals wait from here on, until roof_native_let_go(),
 * roof_native_let_signals_in() or roof_native_go_on(). 0: the engine is off, or it gives up here,
 * because what the thread interrupted is in the engine's hands; signals do not wait. */
int roof_native_come_out(void);
void roof_native_let_signals_in(void);
/* The calling thread is that one from here on. While signals wait. */
void roof_native_become(struct roof_native_thread* next);
/* The calling thread, NULL if it is not known, gives back the lock and goes on: translated, if it
 * is to be counted. */
void roof_native_go_on(struct roof_native_thread* thread, uint64_t stack_pointer);

/* Executed code. */
const char* roof_native_want_blocks(int by_path);
uint64_t roof_native_give_blocks(const struct roof_native_executed* to);
/* Who is said to execute what the context does; outside of regions nobody, nor once
 * blocks were given. */
struct roof_executor roof_native_executor_of(const struct roof_context* context);

/* The model of caches. 0: there is no memory. */
int roof_native_start_model(const struct roof_native_model* model);
/* Before the first thread but the main one. */
void roof_native_listen(uint32_t line_sampling, roof_native_accesses take, void* cookie);
int roof_native_give_lane(struct roof_native_thread* thread);
/* Accesses in the area's context, by its thread. */
void roof_native_simulate(struct roof_native_area* area, const uint64_t* records, size_t count);
/* Windows. The first two return 0 without memory. */
int roof_native_start_windows(const struct roof_native_model* model);
/* Accesses that are in no window. */
void roof_native_note(const struct roof_native_thread* thread, const uint64_t* records,
                      size_t count);
int roof_native_give_windows(struct roof_native_thread* thread);
void roof_native_finish_windows(struct roof_native_thread* thread);
int roof_native_tell_model(const struct roof_context* context);
void roof_native_count_dirty(void);
/* On the calling thread, without the lock and while signals wait, after it has left translated
 * code: what it accessed goes to the model. Not while a handler is executed that interrupted it. */
void roof_native_hand_over(struct roof_native_thread* thread, uint64_t stack_pointer);

/* Nests. 0: they make no sense, there is no memory, or others are set. */
int roof_native_set_nests(const struct roof_nest_plan* plan);
/* On the calling thread, which goes on natively, up to the next call. Returned: entries that have
 * no path of their own. */
uint64_t roof_native_give_nest_paths(void* cookie, roof_native_nest_path take);
/* The nest in which a jump arrived; 0: in none. */
static inline uint32_t roof_native_nest_reached(const struct roof_nests* nests,
                                                const struct roof_native_crossing* crossing,
                                                uint64_t to) {
  const struct roof_nest_range* range =
      crossing->module ? roof_nests_at(nests, (uint32_t)crossing->module, to - crossing->place)
                       : NULL;
  return range ? range->nest : 0;
}
/* What a crossing found. */
struct roof_nesting_change {
  const struct roof_context* context;
  uint64_t epoch;
  uint32_t depth;
  uint32_t ended; /* the frame of the innermost visit had gone */
  struct roof_visit innermost;
};
/* Crossings that were seen before, without the lock; 0: it has to be followed. */
int roof_native_cross_again(void* cookie, struct roof_native_area* area,
                            const struct roof_native_crossing* crossing, const void** code);
/* One that was followed: next time it need not be. */
void roof_native_keep_way(const struct roof_native_area* area,
                          const struct roof_native_crossing* crossing,
                          const struct roof_nesting_change* change);
void roof_native_way_led_to(void* cookie, struct roof_native_area* area, const void* code);
/* The path of markers that a path is below. */
uint32_t roof_native_base_of(uint32_t path);

/* The guide. */
extern const struct roof_native_guide kRoofNativeGuide;

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_NATIVE_THREADS_H_ */
