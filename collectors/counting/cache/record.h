/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What an engine writes of each memory access, and which accesses a sampled model wants. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_CACHE_RECORD_H_
#define ROOFMARK_COLLECTORS_COUNTING_CACHE_RECORD_H_

#include <stdint.h>

/* One memory access is one 64-bit record, address | tag, where the tag is a constant of the
 * instruction: instrumented code costs one OR and one store per access. User addresses of x86-64
 * have 47 bits. A read-modify-write is one ROOF_STORE. Sizes 1..16384; an access may cross lines.
 * From the top: non-temporal, size - 1 (14 bits), store, address (48 bits). One sum then tells
 * whether an access is anything but a plain one within a line. */
enum roof_access { ROOF_LOAD = 0, ROOF_STORE = 1, ROOF_NT_STORE = 2 };
#define ROOF_RECORD_ADDRESS_BITS 48
#define ROOF_RECORD_TAG(access, size)                               \
  (((uint64_t)(access) >> 1 << 63) | ((uint64_t)((size)-1) << 49) | \
   (((uint64_t)(access)&1) << ROOF_RECORD_ADDRESS_BITS))
/* size - 1 of a record or tag. */
#define ROOF_RECORD_EXTENT(record) ((uint64_t)(record) >> 49 & 0x3FFF)
#define ROOF_RECORD_ADDRESS(record) \
  ((uint64_t)(record) & (((uint64_t)1 << ROOF_RECORD_ADDRESS_BITS) - 1))

/* Line sampling keeps exactly one line of each aligned group of N = 2^shift lines, chosen by a hash
 * of the group that needs the lower 32 bits of its number alone: vectors multiply those at once.
 * Instrumented code may drop records that are not selected before writing them (write
 * always, advance the buffer only if selected); the simulator tests every line again, so it may
 * also hand over everything. An access that crosses lines must be tested on its first and its last
 * byte. shift 1..8; with shift 0 every address is selected. Nonzero: selected. */
#define ROOF_SAMPLE_FACTOR UINT64_C(0x9E3779B9)
#define ROOF_SAMPLE_DOWN 18 /* from the top of the product's lower 32 bits to that of the mask */
#define ROOF_SAMPLE_MASK(shift) ((((uint64_t)1 << (shift)) - 1) << 6)
#define ROOF_SAMPLE_SELECTED(address, shift)                                             \
  ((((((uint64_t)(address) >> (6 + (shift))) * ROOF_SAMPLE_FACTOR >> ROOF_SAMPLE_DOWN) ^ \
     (uint64_t)(address)) &                                                              \
    ROOF_SAMPLE_MASK(shift)) == 0)
#define ROOF_SAMPLE_MAX 256

#endif /* ROOFMARK_COLLECTORS_COUNTING_CACHE_RECORD_H_ */
