/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What translated code finds through the segment register gs: where it puts registers that it needs
 * for a moment, and the counters of the context that its thread is in. So neither a register nor
 * the stack of the program is touched, and a switch of the context is one change of gs.
 *
 * An area belongs to one thread at a time. The counters follow the first page. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_NATIVE_AREA_H_
#define ROOFMARK_COLLECTORS_COUNTING_NATIVE_AREA_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Why translated code goes on as native code. */
enum roof_native_reason {
  ROOF_LEAVE_STOP = 0,     /* the program reached an address where it was to leave */
  ROOF_LEAVE_OUTSIDE,      /* no code of a file: made at run time */
  ROOF_LEAVE_UNDECODABLE,  /* bytes that the decoder does not know */
  ROOF_LEAVE_UNCOUNTABLE,  /* it is not known what the instruction would count */
  ROOF_LEAVE_SYSTEM_CALL,  /* one that makes threads or processes, or changes code */
  ROOF_LEAVE_GS,           /* uses the segment gs */
  ROOF_LEAVE_CONTROL,      /* interrupts, far branches, privileged instructions */
  ROOF_LEAVE_TRANSACTION,  /* transactional memory */
  ROOF_LEAVE_SHADOW_STACK, /* instructions that look at one */
  ROOF_LEAVE_OUT_OF_REACH, /* data that lies too far from the translated code */
  ROOF_LEAVE_NO_MEMORY,    /* the code cache or the counters are full */
  ROOF_LEAVE_SIGNAL,       /* a signal handler was executed, natively */
  ROOF_LEAVE_CONTEXT,  /* a signal handler changed where the thread goes on, or did not return */
  ROOF_LEAVE_SEQUENCE, /* code that may have restartable sequences */
  ROOF_LEAVE_THREAD,   /* of which nobody was told */
  ROOF_LEAVE_PATH,     /* a thread worked on while the team went to another region */
  ROOF_LEAVE_CHANGED,  /* code is not what was translated */
  ROOF_LEAVE_SANDBOX,  /* system calls are restricted, also those of the engine */
  ROOF_LEAVE_STRANGE_HANDLER, /* one that the engine was not told of interrupted it */
  ROOF_LEAVE_REASONS
};

/* In plain English, as the end of "code went on uncounted: ...". */
const char* roof_native_reason_text(unsigned reason);

/* Places of the members, for translated code and the assembly in entry.c. */
#define ROOF_AT_SELF 0
#define ROOF_AT_STACK 8
#define ROOF_AT_TABLE 16
#define ROOF_AT_MISS 24
#define ROOF_AT_LINK 32
#define ROOF_AT_LINKED 40
#define ROOF_AT_PC 48
#define ROOF_AT_JUMP 56
#define ROOF_AT_XSAVE 64
#define ROOF_AT_REGISTERS 72
#define ROOF_AT_SPILL 200
#define ROOF_AT_LEFT 232
#define ROOF_AT_EXITS 240
#define ROOF_AT_SYSTEM (ROOF_AT_EXITS + 8 * 19)
#define ROOF_AT_CALL (ROOF_AT_SYSTEM + 8)
#define ROOF_AT_ROOM (ROOF_AT_SYSTEM + 16)
#define ROOF_AT_LINKAGE (ROOF_AT_SYSTEM + 24)
#define ROOF_AT_BY_LINKAGE (ROOF_AT_SYSTEM + 32)
#define ROOF_AT_POSITION (ROOF_AT_SYSTEM + 40)
#define ROOF_AT_FULL_ENTRY (ROOF_AT_SYSTEM + 48)
#define ROOF_AT_FULL (ROOF_AT_SYSTEM + 56)
#define ROOF_AT_JUMPED (ROOF_AT_SYSTEM + 64)
#define ROOF_AT_CROSS (ROOF_AT_SYSTEM + 72)
#define ROOF_AT_CROSSED (ROOF_AT_SYSTEM + 80)
#define ROOF_AT_FRAME_ENDS (ROOF_AT_SYSTEM + 88)
#define ROOF_AT_ROUNDS (ROOF_AT_SYSTEM + 96)
#define ROOF_AT_COUNTS 4096

struct roof_native;
struct roof_native_link;
struct roof_native_full;
struct roof_native_jump;
struct roof_native_crossing;

/* A jump through a register or memory, and how often it led to `to`, an offset in the same file. */
struct roof_native_jumps {
  const struct roof_native_jump* jump;
  uint64_t to, times; /* never: the place is free */
};
enum { ROOF_NATIVE_JUMPS = 256 };

/* A part of a trail, up to `end`: of another context of whoever made the area. */
struct roof_native_part {
  void* context;
  const uint64_t* end;
};
enum { ROOF_NATIVE_PARTS = 256 };

enum { ROOF_NATIVE_ROUNDS = 1 << 15 };

/* Of a thread, which has one and shares it among its areas: a signal that came while the dispatcher
 * was at work and is sent again when it has ended, the stack of the dispatcher, and room for vector
 * registers. The assembly in entry.c knows the places of the first members. */
#define ROOF_ROOM_PENDING 0
#define ROOF_ROOM_DELIVERING 8
#define ROOF_ROOM_PROCESS 16
#define ROOF_ROOM_THREAD 24
#define ROOF_ROOM_MASK 32
#define ROOF_ROOM_INFO 64
#define ROOF_ROOM_OUTSIDE 192
#define ROOF_ROOM_PASSES 200
struct roof_native_room {
  uint64_t pending;    /* its number; 0: none */
  uint64_t delivering; /* 1: registers are those of the program, as far as the area has them */
  uint64_t process, thread;
  uint64_t mask;                            /* of signals, before it came */
  const struct roof_native_jump* looked_up; /* what the linker looks for; NULL: nothing */
  uint64_t* trail;                          /* NULL: it writes none, */
  uint64_t* records;                        /* nor is it read */
  uint64_t info[16];                        /* siginfo_t */
  uint64_t outside; /* 1: the thread executes native code, and the engine knows */
  uint64_t passes;  /* through the dispatcher */
  struct roof_native_jumps jumps[ROOF_NATIVE_JUMPS]; /* that are not in the blocks yet */
  /* Which parts of the trail were written in other contexts than the one that the thread is in. */
  struct roof_native_part parts[ROOF_NATIVE_PARTS];
  uint64_t part_count;
};

struct roof_native_area {
  struct roof_native_area* self;
  void* stack;                     /* top of the stack on which translation happens */
  const void* const* table;        /* translated code by the low 16 bits of its address */
  void (*miss)(void);              /* a jump whose target the table does not have */
  void (*link)(void);              /* a jump whose target was not translated yet */
  struct roof_native_link* linked; /* the latter; NULL for the former */
  uint64_t pc;                     /* where it goes */
  const void* jump;
  void* xsave;            /* room for the state of vector registers */
  uint64_t registers[16]; /* in the order of their encoding */
  uint64_t spill[4];
  uint64_t left_at; /* the address at which code was left for native code last */
  uint64_t exits[ROOF_LEAVE_REASONS];
  void (*system)(void);                /* a system call */
  const struct roof_native_call* call; /* that one; NULL for the other two */
  struct roof_native_room* room;
  void (*linkage)(void); /* as miss, from a table of the linker */
  uint64_t by_linkage;   /* the last jump was such a one */
  uint64_t* position;    /* where the trail goes on */
  void (*full_entry)(void);
  const struct roof_native_full* full;   /* the trail is to be read; NULL: it need not */
  const struct roof_native_jump* jumped; /* the last jump is to be noted; NULL: it need not */
  void (*cross)(void);
  const struct roof_native_crossing* crossed; /* of nests; NULL: the thread stays where it is */
  /* The stack pointer plus this: not negative once the innermost visit of a nest has ended. */
  uint64_t frame_ends;
  uint64_t rounds;     /* until code without a trail asks the dispatcher; pauses.c */
  uint64_t dispatches; /* how often the dispatcher was asked */
  struct roof_native* native;
  void *user, *context, *home; /* of whoever made the area */
  uint64_t version;            /* of code, which the thread executes in it */
  uint64_t epoch;              /* of native.h's roof_native_change when the area was chosen */
  uint32_t accepts; /* bits of owners whose code the thread may go to without a choice of an area */
  uint32_t slots;   /* of counters */
  uint32_t owns_room;
  uint32_t keeps_jumps; /* those of its thread are wanted */
};

/* The one that gs is. */
static inline struct roof_native_area* roof_native_this_area(void) {
  struct roof_native_area* area;
  __asm__ volatile("mov %%gs:%c1, %0" : "=r"(area) : "i"(ROOF_AT_SELF));
  return area;
}

static inline uint64_t* roof_native_counts(struct roof_native_area* area) {
  return (uint64_t*)((char*)area + ROOF_AT_COUNTS);
}

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_NATIVE_AREA_H_ */
