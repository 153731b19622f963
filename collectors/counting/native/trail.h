/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The trail of a thread: what translated code writes down of the memory that it accesses. Each
 * execution of a block writes a header and then slots; what they mean is told by constants of the
 * block, which the header names. A loop that is one block writes one header for several iterations,
 * followed by their number. So an access costs translated code an address and a store. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_NATIVE_TRAIL_H_
#define ROOFMARK_COLLECTORS_COUNTING_NATIVE_TRAIL_H_

#include <stddef.h>
#include <stdint.h>

#include "collectors/counting/cache/record.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Filled before it is read. Behind it is as much again, more than a block writes. It begins at a
 * multiple of ROOF_TRAIL_ALIGNMENT, so that the byte at ROOF_TRAIL_FULL_BYTE of a position is 0
 * until it is full. */
#define ROOF_TRAIL_BYTES (1 << 16)
#define ROOF_TRAIL_ALIGNMENT (1 << 24)
#define ROOF_TRAIL_FULL_BYTE 2
/* Slots of a block, those of all copies of a loop included. */
#define ROOF_TRAIL_MOST 2048
/* Of the body of a loop that is one block. */
#define ROOF_LOOP_COPIES 8

enum roof_native_access_kind {
  ROOF_ACCESS_PLAIN,   /* address */
  ROOF_ACCESS_LANES,   /* address, mask: lanes that it selects, each in its place */
  ROOF_ACCESS_PACKED,  /* address, mask: as many lanes as it selects, one behind the other */
  ROOF_ACCESS_GATHER,  /* address, mask, vector of indices */
  ROOF_ACCESS_REPEATED /* address, rcx before and behind it, address behind it */
};
enum roof_native_mask_kind {
  ROOF_MASK_BITS,  /* of a mask register, from the lowest: one slot */
  ROOF_MASK_SIGNS, /* of the lanes of a vector: the whole vector */
  ROOF_MASK_NONE
};

struct roof_native_access {
  uint8_t kind;
  uint8_t mask; /* enum roof_native_mask_kind */
  uint8_t slots;
  uint8_t mask_slots;
  uint8_t lanes;
  uint8_t element; /* bytes of a lane */
  uint8_t index;   /* bytes of an index */
  uint8_t scale;   /* of indices */
  uint64_t tag;    /* cache/record.h: of the whole access, or of an element */
};

/* Of a block; 8-byte aligned. */
struct roof_native_trail {
  uint64_t accesses; /* of one execution */
  uint64_t pieces;   /* its code: struct roof_native_pieces; 0: not kept */
  uint64_t data[1];  /* of a plain one tags, then limits of a byte, for all copies of a loop and
                        ROOF_TRAIL_PADDING more; else struct roof_native_access */
};
enum { ROOF_TRAIL_PADDING = 8 };

/* A header: the address of the constants, slots of one execution from ROOF_HEADER_SLOTS on, and
 * what the block is. So it is known where the next one lies before its constants are there. */
#define ROOF_HEADER_SLOTS 48
#define ROOF_HEADER_WORDS (UINT64_C(1) << 61) /* its segments have one word more than slots */
#define ROOF_HEADER_LOOP (UINT64_C(1) << 62)  /* the number of iterations follows */
#define ROOF_HEADER_PLAIN (UINT64_C(1) << 63) /* all accesses are ROOF_ACCESS_PLAIN */

static inline const struct roof_native_trail* roof_native_trail_of(uint64_t header) {
  const uint64_t address = header & ((UINT64_C(1) << ROOF_HEADER_SLOTS) - 1);
  return (const struct roof_native_trail*)(uintptr_t)address;
}
static inline uint32_t roof_native_slots_of(uint64_t header) {
  return (uint32_t)(header >> ROOF_HEADER_SLOTS) & (2 * ROOF_TRAIL_MOST - 1);
}
/* How many executions the header at `*next` stands for; moves on to their first slot. */
static inline uint32_t roof_native_times_of(const uint64_t** next) {
  const uint64_t* header = *next;
  const int is_loop = (*header & ROOF_HEADER_LOOP) != 0;
  *next = header + 1 + is_loop;
  return is_loop ? (uint32_t)header[1] : 1;
}

/* The last byte of a line at which the access of a tag may begin and end in the same line; -1: it
 * is longer than a line. */
static inline int8_t roof_native_limit(uint64_t tag) {
  const uint64_t extent = ROOF_RECORD_EXTENT(tag);
  return (int8_t)(extent > 63 ? -1 : 63 - (int)extent);
}
static inline const int8_t* roof_native_limits(uint64_t header) {
  const uint32_t copies = header & ROOF_HEADER_LOOP ? ROOF_LOOP_COPIES : 1;
  const uint32_t tags = copies * roof_native_slots_of(header) + ROOF_TRAIL_PADDING;
  return (const int8_t*)(roof_native_trail_of(header)->data + tags);
}

/* What a thread writes to and what is made of it. */
struct roof_native_area;
typedef void (*roof_native_records)(void* cookie, struct roof_native_area* area,
                                    const uint64_t* records, size_t count);
/* Turns what was written in [begin, end) to records, those of sampled lines alone if `shift` is not
 * 0, and hands them over in their order, in pieces. `records` has room for ROOF_TRAIL_RECORDS. */
enum { ROOF_TRAIL_RECORDS = 4096 + ROOF_TRAIL_MOST + ROOF_TRAIL_PADDING };
struct roof_native_reader {
  uint32_t shift; /* one line in 2^shift is wanted */
  roof_native_records take;
  void* cookie;
  uint64_t* records;
};
void roof_native_read_trail(const struct roof_native_reader* reader, struct roof_native_area* area,
                            const uint64_t* begin, const uint64_t* end);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_NATIVE_TRAIL_H_ */
