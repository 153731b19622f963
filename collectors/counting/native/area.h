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
#define ROOF_AT_COUNTS 4096

struct roof_native;
struct roof_native_link;

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
  uint64_t dispatches; /* how often the dispatcher was asked */
  struct roof_native* native;
  void* room;     /* of the stack and xsave */
  uint32_t slots; /* of counters */
};

static inline uint64_t* roof_native_counts(struct roof_native_area* area) {
  return (uint64_t*)((char*)area + ROOF_AT_COUNTS);
}

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_NATIVE_AREA_H_ */
