/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where a key begins to look for its place in a table of 2^bits. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_HASH_H_
#define ROOFMARK_COLLECTORS_COUNTING_HASH_H_

#include <stdint.h>

/* The upper bits, 1 to 64 of them, of the product with the golden ratio times 2^64 (Knuth, The Art
 * of Computer Programming 3, 6.4): neighbours and multiples of a power of two come far apart. */
static inline uint64_t roof_hash(uint64_t key, uint32_t bits) {
  return key * UINT64_C(0x9E3779B97F4A7C15) >> (64 - bits);
}

#endif /* ROOFMARK_COLLECTORS_COUNTING_HASH_H_ */
