/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to the cache model: which way of a set of the first level is the least recently used. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_CACHE_STAMPS_H_
#define ROOFMARK_COLLECTORS_COUNTING_CACHE_STAMPS_H_

#include <stdint.h>
#ifdef __AVX2__
#include <immintrin.h>
#endif

/* Enough bits for ROOF_CACHE_MAX_WAYS. */
#define ROOF_WAY_BITS 10

/* The way of a set that is empty or least recently used; the first of those. Padding never is. */
#if defined(__AVX2__)
static inline __m128i roof_four_stamps(const uint32_t* stamps) {
  return _mm_load_si128((const __m128i*)stamps);
}
static inline uint32_t roof_equal_four(const uint32_t* stamps, __m128i stamp) {
  const __m128i equal = _mm_cmpeq_epi32(roof_four_stamps(stamps), stamp);
  return (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(equal));
}

static inline __attribute__((always_inline)) uint32_t roof_oldest(const uint32_t* stamps,
                                                                  uint32_t padded) {
  __m128i least = roof_four_stamps(stamps);
  if (padded > 4) least = _mm_min_epu32(least, roof_four_stamps(stamps + 4));
  if (padded > 8) least = _mm_min_epu32(least, roof_four_stamps(stamps + 8));
  for (uint32_t way = 12; way < padded; way += 4)
    least = _mm_min_epu32(least, roof_four_stamps(stamps + way));
  least = _mm_min_epu32(least, _mm_shuffle_epi32(least, _MM_SHUFFLE(1, 0, 3, 2)));
  least = _mm_min_epu32(least, _mm_shuffle_epi32(least, _MM_SHUFFLE(2, 3, 0, 1)));
  uint32_t mask = roof_equal_four(stamps, least);
  if (padded > 4) mask |= roof_equal_four(stamps + 4, least) << 4;
  if (padded > 8) mask |= roof_equal_four(stamps + 8, least) << 8;
  uint32_t block = 0;
  while (padded > 12 && !mask) {
    block = block ? block + 4 : 12;
    mask = roof_equal_four(stamps + block, least);
  }
  return block + (uint32_t)__builtin_ctz(mask);
}
#else
/* Ways stand in the low bits of what is compared (they are unique then), and two chains run side by
 * side: half the latency. */
static inline uint32_t roof_oldest(const uint32_t* stamps, uint32_t padded) {
  uint64_t even = UINT64_MAX, odd = UINT64_MAX;
  for (uint32_t way = 0; way < padded; way += 2) {
    const uint64_t a = (uint64_t)stamps[way] << ROOF_WAY_BITS | way;
    const uint64_t b = (uint64_t)stamps[way + 1] << ROOF_WAY_BITS | (way + 1);
    even = a < even ? a : even;
    odd = b < odd ? b : odd;
  }
  return (uint32_t)((even < odd ? even : odd) & ((1 << ROOF_WAY_BITS) - 1));
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_CACHE_STAMPS_H_ */
