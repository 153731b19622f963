/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private: addresses and tags become records. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_NATIVE_TRAIL_READ_H_
#define ROOFMARK_COLLECTORS_COUNTING_NATIVE_TRAIL_READ_H_

#include <stdint.h>

#include "collectors/counting/cache/record.h"
#include "collectors/counting/native/trail.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Records of those accesses whose first or last line is sampled, and of those that are longer than
 * a line: of blocks from `next` on that have plain accesses alone, until there are
 * ROOF_TRAIL_ENOUGH. `count`: how many there are. Returns where it stopped. Reads up to 7 places
 * beyond a block, and writes up to 8 beyond what it returns. */
enum { ROOF_TRAIL_ENOUGH = 4096 };
typedef const uint64_t* (*roof_native_sampler)(const uint64_t* next, const uint64_t* end,
                                               uint32_t shift, uint64_t* out, uint32_t* count);
const uint64_t* roof_native_sample_base(const uint64_t* next, const uint64_t* end, uint32_t shift,
                                        uint64_t* out, uint32_t* count);
const uint64_t* roof_native_sample_avx2(const uint64_t* next, const uint64_t* end, uint32_t shift,
                                        uint64_t* out, uint32_t* count);
const uint64_t* roof_native_sample_avx512(const uint64_t* next, const uint64_t* end, uint32_t shift,
                                          uint64_t* out, uint32_t* count);

/* The loop of all three over blocks; `sample` does one. */
static inline __attribute__((always_inline)) const uint64_t* roof_native_sample_blocks(
    const uint64_t* next, const uint64_t* end, uint32_t shift, uint64_t* out, uint32_t* count,
    uint32_t (*sample)(const uint64_t* address, const uint64_t* tag, const int8_t* limit,
                       uint32_t slots, uint32_t shift, uint64_t* out)) {
  uint32_t n = *count;
  while (next < end && n < ROOF_TRAIL_ENOUGH) {
    const uint64_t header = *next;
    if (!(header & ROOF_HEADER_PLAIN)) break;
    const uint32_t slots = roof_native_times_of(&next) * roof_native_slots_of(header);
    n += sample(next, roof_native_trail_of(header)->data, roof_native_limits(header), slots, shift,
                out + n);
    next += slots;
  }
  *count = n;
  return next;
}

/* Bits of the lanes that are accessed. */
uint64_t roof_native_lanes_of(const struct roof_native_access* access, const uint64_t* mask);

/* Whether a sampler takes this access, of whose tag `limit` is the limit. */
static inline int roof_native_is_sampled(uint64_t first, int limit, uint32_t shift) {
  return ROOF_SAMPLE_SELECTED(first, shift) || limit < 0 ||
         ((int)(first & 63) > limit && ROOF_SAMPLE_SELECTED(first + 63 - (unsigned)limit, shift));
}

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_NATIVE_TRAIL_READ_H_ */
