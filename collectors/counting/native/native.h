/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Counts by translation in the process itself. Code of the program is copied, block by block, to
 * code caches, with instructions that count executions; the copies compute what the program
 * computes, on the same stack, with the same registers. Return addresses are the program's own, so
 * at the border of any two blocks a thread can go on as native code, and does where code cannot be
 * translated: `exits` of its area then tell why and how often.
 *
 * Signal handlers run as native code: signals.h. Code that changes after it was translated has to
 * be forgotten: roof_native_forget.
 *
 * What the dispatcher executes uses no heap, and no libc but what copies and clears memory. Its
 * lock is held by nobody else; a signal handler must not run translated code on a thread that is in
 * it. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_NATIVE_NATIVE_H_
#define ROOFMARK_COLLECTORS_COUNTING_NATIVE_NATIVE_H_

#include <stddef.h>
#include <stdint.h>

#include "collectors/counting/contexts/nests.h"
#include "collectors/counting/contexts/segments.h"
#include "collectors/counting/memory.h"
#include "collectors/counting/native/area.h"
#include "collectors/counting/native/trail.h"

#ifdef __cplusplus
extern "C" {
#endif

/* NULL if this machine can execute translated code, else the reason why it cannot. */
const char* roof_native_missing(void);

/* Whether gs is set by an instruction; else by a system call, which takes longer. Known once a
 * translator was created. */
extern int roof_native_gs_by_instruction __attribute__((visibility("hidden")));

/* Versions of code with this bit write no trail. */
enum { ROOF_NATIVE_QUIET = 1 << 15 };

/* The translator of a process; NULL without memory. Each area gets so many counters. */
struct roof_native* roof_native_create(const struct roof_memory* memory, uint32_t slots);
/* No thread executes translated code any more. */
void roof_native_destroy(struct roof_native* native);

/* From now on, before the first area is made: memory accesses are handed over, on the thread that
 * made them and in their order. One line in 2^shift is wanted. */
void roof_native_trace(struct roof_native* native, uint32_t shift, roof_native_records take,
                       void* cookie);
/* Takes what was written in [begin, end) of a trail, before the reader does: as much as it wants,
 * block by block. Returns where it stopped. */
typedef const uint64_t* (*roof_native_window)(struct roof_native_area* area, const uint64_t* begin,
                                              const uint64_t* end);
/* With a trail, before the first area is made: every block writes one, and has its code
 * (pieces.h). */
void roof_native_keep_code(struct roof_native* native, roof_native_window window);

/* From now on, before the first area is made: blocks are told apart by their place, and so are the
 * ways between them. */
void roof_native_keep_blocks(struct roof_native* native);
/* What was kept; with the lock held. Executions are there once they are folded, jumps through
 * registers and memory once those of each thread are. */
struct roof_blocks* roof_native_blocks(struct roof_native* native);
void roof_native_fold_jumps(struct roof_native* native, const struct roof_native_room* room);
/* Nothing is added any more, as what is there is read without the lock. */
void roof_native_keep_no_more(struct roof_native* native);
/* Files whose blocks are kept, from 1. 0 where none are, or there is no more room. */
uint64_t roof_native_file_number(struct roof_native* native, const char* path);
const char* roof_native_file(const struct roof_native* native, uint64_t number);

/* From now on, before the first area is made: where a thread crosses a border of these nests the
 * guide is asked. They stay where they are; `files` are copied. 0 without memory. */
int roof_native_follow_nests(struct roof_native* native, const struct roof_nests* nests,
                             const char* const* files, uint32_t count);
/* Each area gets so many counters, or more. Before the first area. */
void roof_native_take_slots(struct roof_native* native, uint32_t slots);
/* The number of the module of nests that is mapped from this file; 0: it has none. */
uint32_t roof_native_nests_in(const struct roof_native* native, const char* path);

/* What a thread does at a border of nests (contexts/nests.h). Lies in the cache; the assembly in
 * entry.c knows the place of the first member. */
enum roof_native_crosses {
  ROOF_CROSSES_NOT,
  ROOF_CROSSES_ON_ITS_WAY, /* goes on from `from` in `to` */
  ROOF_CROSSES_BY_CALL,    /* calls, in `from`, what comes back in `to` */
  ROOF_CROSSES_BY_JUMP,    /* from `from` to wherever it jumps, */
  ROOF_CROSSES_BY_RETURN,  /* returns, */
  ROOF_CROSSES_BY_BEGIN    /* or is where a function begins, in `to` */
};
struct roof_native_crossing {
  uint64_t pc; /* where it goes on; unknown for jumps, returns, and calls through pointers */
  uint64_t kind;
  uint32_t from, to;
  uint64_t place;  /* where a call comes back; of jumps the lowest address of their file, */
  uint64_t module; /* and its number among the modules of nests */
};

/* Hands over what the area's thread accessed, which is the calling one and is not in translated
 * code. */
void roof_native_flush(struct roof_native_area* area);

/* Code in [begin, end), which must stay as it is, may be translated, into a cache of so many bytes.
 * 0, with an errno in `error`, if there is no room in reach. Not while code is translated. */
int roof_native_allow(struct roof_native* native, uint64_t begin, uint64_t end, uint64_t bytes,
                      int* error);
/* The same for code of an owner (contexts/owner.h), which was mapped from a file, where no code of
 * another one is left: see roof_native_forget. */
struct roof_native_code {
  uint64_t begin, end, bytes;
  uint64_t file;     /* tells files apart; 0: of none */
  uint64_t identity; /* the same for places in files */
  uint32_t owner;
  uint64_t base;   /* the lowest address of the file */
  uint64_t number; /* of the file, of roof_native_file_number; 0: its blocks are not kept */
  uint32_t nests;  /* of roof_native_nests_in */
};
int roof_native_allow_owned(struct roof_native* native, const struct roof_native_code* code,
                            int* error);
/* What was translated of [begin, end) is not used any more, and not allowed any more; nor is other
 * code of the same file, which jumps there directly. A thread that is in it goes on in the
 * translation until it comes to the dispatcher. With the lock held. */
void roof_native_forget(struct roof_native* native, uint64_t begin, uint64_t end);
/* Some of it was translated. Without the lock: what is allowed meanwhile may be missed. */
int roof_native_has_code(const struct roof_native* native, uint64_t begin, uint64_t end);

/* Whoever decides what a thread counts to. Everything is called by the dispatcher with the lock
 * held; vector registers may be used, libc and heap may not. */
struct roof_native_guide {
  void* cookie;
  /* Code at `pc` is wanted that is not allowed. ROOF_LEAVE_REASONS: it is now; else why not. */
  unsigned (*find)(void* cookie, uint64_t pc);
  /* The thread arrives at code of `owner`: the area that it goes on in; NULL without memory. */
  struct roof_native_area* (*arrive)(void* cookie, struct roof_native_area* area, uint32_t owner,
                                     uint64_t stack_pointer);
  /* Its trail is full, or it was in code without one for long: whether it goes on in another area,
   * which it arrives at anew. */
  int (*full)(void* cookie, struct roof_native_area* area);
  /* It crosses a border of nests, and goes on at area->pc: the same. */
  struct roof_native_area* (*cross)(void* cookie, struct roof_native_area* area,
                                    const struct roof_native_crossing* crossing);
  /* That led to this code, if the crossing says where it goes on. */
  void (*led_to)(void* cookie, struct roof_native_area* area, const void* code);
  /* A crossing again, without the lock and with general registers alone: in the same area. 0: it
   * has to be followed. `code` is where it led, NULL: unknown. */
  int (*cross_again)(void* cookie, struct roof_native_area* area,
                     const struct roof_native_crossing* crossing, const void** code);
  /* It goes on as native code. */
  void (*left)(void* cookie, struct roof_native_area* area, unsigned reason);
  /* It makes a system call. The arguments are in area->registers. Returned: whether it is executed
   * here (which a process or thread that it makes leaves), or natively, with what follows. */
  int (*system_call)(void* cookie, struct roof_native_area* area);
};
void roof_native_set_guide(struct roof_native* native, const struct roof_native_guide* guide);
/* Every thread asks its guide anew which area it is in, at the latest at its next system call. */
void roof_native_change(struct roof_native* native);
uint64_t roof_native_epoch(const struct roof_native* native);

/* What blocks add to the counters. */
struct roof_segments* roof_native_segments(struct roof_native* native);

/* 0: it was given up, and is not to be asked for anything any more. */
int roof_native_lock(struct roof_native* native);
void roof_native_unlock(struct roof_native* native);
/* Nobody gets the lock from here on, and all threads go on as native code when they come to the
 * dispatcher. Without the lock. */
void roof_native_give_up(struct roof_native* native);
int roof_native_is_given_up(const struct roof_native* native);
int roof_native_is_locked(const struct roof_native* native);

/* Here threads go on as native code. 0: there are too many such places already. */
int roof_native_stop_at(struct roof_native* native, uint64_t pc);

/* Of a thread; NULL without memory. */
struct roof_native_room* roof_native_room_create(struct roof_native* native);
/* NULL without memory. Without `room` it gets one of its own. */
struct roof_native_area* roof_native_area_create(struct roof_native* native,
                                                 struct roof_native_room* room);
/* Code of an owner without a bit in `accepts` is not entered without the guide. `layer`: areas of
 * one have the same bits. */
enum { ROOF_NATIVE_LAYERS = 4 };
void roof_native_area_accept(struct roof_native_area* area, uint32_t layer, uint32_t accepts);
/* The area goes to another thread. */
void roof_native_area_give(struct roof_native_area* area, struct roof_native_room* room);
void roof_native_area_destroy(struct roof_native_area* area);
/* Adds what was executed in the area to counters[ROOF_COUNTERS], and clears it there. The thread
 * must not be executing translated code. */
void roof_native_fold(struct roof_native_area* area, uint64_t* counters);
/* The same for code of one version, and its blocks were executed by these; `parts` as in
 * roof_segments_fold. */
void roof_native_fold_blocks(struct roof_native_area* area, uint32_t version,
                             const struct roof_executor* by, uint64_t* counters,
                             struct roof_blocks* parts);
/* The same two without clearing, while the thread goes on. With the lock held. */
void roof_native_sum(const struct roof_native_area* area, uint32_t version, uint64_t* counters);
void roof_native_sum_blocks(const struct roof_native_area* area, uint32_t version,
                            const struct roof_executor* by, uint64_t* counters,
                            struct roof_blocks* parts);

/* The thread goes on as translated code where this call returns to, with 0. Otherwise it goes on as
 * it is: the process may not set gs, since its system calls are restricted. Nothing else in the
 * process may use gs. */
int roof_native_enter(struct roof_native_area* area);
/* 1: signals that can wait do so, on the calling thread. roof_native_enter() ends that: from there
 * on the dispatcher sends the one that waited. */
extern __thread uint32_t roof_native_signals_wait __attribute__((tls_model("initial-exec")));
/* Sets the segment register gs of the calling thread, and nothing else. 0, or not allowed. */
int roof_native_set_gs(const void* to);
/* As roof_native_enter() for a thread whose gs is an area already: goes on at the address on top of
 * the stack. Changes no register. */
void roof_native_resume(void);

/* From here on the thread executes native code again; does nothing in one that does already. */
void roof_native_leave(void);

/* If `at` is in translated code: the address of the program's instruction that is to be executed
 * next, and in `state` where the program's registers are: enum roof_mark, and from bit 16 on the
 * numbers of those that are kept, 4 bits each. Else 0. Takes no lock. */
uint64_t roof_native_locate(const struct roof_native* native, uint64_t at, unsigned* state);
/* It is in the way to the dispatcher or back. */
int roof_native_is_entry(uint64_t at);
/* There, on the way back: all registers of the program are in the area. */
int roof_native_is_restoring(uint64_t at);
/* Bytes of a room, the stack included. */
size_t roof_native_room_bytes(void);

/* Code is not what it was when it was translated. With the lock held. */
int roof_native_is_changed(const struct roof_native* native);

/* Bytes of translated code. */
uint64_t roof_native_code_bytes(const struct roof_native* native);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_NATIVE_NATIVE_H_ */
