/* SPDX-License-Identifier: BSD-3-Clause */
#include <immintrin.h>

#include "collectors/counting/cache/record.h"
#include "collectors/counting/native/trail_read.h"

#define ROOF_WITH_AVX512 __attribute__((target("avx512f")))

/* As ROOF_SAMPLE_SELECTED for eight addresses. */
ROOF_WITH_AVX512 static inline __mmask8 selected(__m512i address, __m512i shift, __m512i mask) {
  const __m512i factor = _mm512_set1_epi64((int64_t)ROOF_SAMPLE_FACTOR);
  const __m512i product = _mm512_mul_epu32(_mm512_srlv_epi64(address, shift), factor);
  const __m512i differs = _mm512_xor_si512(_mm512_srli_epi64(product, ROOF_SAMPLE_DOWN), address);
  return _mm512_testn_epi64_mask(differs, mask);
}

/* Of those `there` of eight. */
ROOF_WITH_AVX512 static inline __attribute__((always_inline)) uint32_t sample_eight(
    const uint64_t* address, const uint64_t* tag, const int8_t* limit, __mmask8 there,
    uint32_t shift, uint64_t* out) {
  const __m512i down = _mm512_set1_epi64((int64_t)(6 + shift));
  const __m512i mask = _mm512_set1_epi64((int64_t)ROOF_SAMPLE_MASK(shift));
  const __m512i in_line = _mm512_set1_epi64(63);
  const __m512i first = _mm512_loadu_si512(address);
  const __m512i tags = _mm512_loadu_si512(tag);
  const __m512i limits = _mm512_cvtepi8_epi64(_mm_loadl_epi64((const __m128i*)(const void*)limit));
  const __mmask8 crosses =
      _mm512_mask_cmpgt_epi64_mask(there, _mm512_and_si512(first, in_line), limits);
  __mmask8 wanted = selected(first, down, mask) & there;
  if (crosses) {
    const __m512i extent = _mm512_sub_epi64(in_line, limits);
    wanted |= selected(_mm512_add_epi64(first, extent), down, mask) & crosses;
    wanted |= _mm512_mask_cmpgt_epi64_mask(crosses, extent, in_line);
  }
  _mm512_storeu_si512(out, _mm512_maskz_compress_epi64(wanted, _mm512_or_si512(first, tags)));
  return (uint32_t)__builtin_popcount(wanted);
}

ROOF_WITH_AVX512 static inline __attribute__((always_inline)) uint32_t sample(
    const uint64_t* address, const uint64_t* tag, const int8_t* limit, uint32_t count,
    uint32_t shift, uint64_t* out) {
  uint32_t n = 0, i = 0;
  for (; i + 8 <= count; i += 8)
    n += sample_eight(address + i, tag + i, limit + i, (__mmask8)255, shift, out + n);
  if (i < count) {
    const __mmask8 there = (__mmask8)((1u << (count - i)) - 1);
    n += sample_eight(address + i, tag + i, limit + i, there, shift, out + n);
  }
  return n;
}

ROOF_WITH_AVX512 const uint64_t* roof_native_sample_avx512(const uint64_t* next,
                                                           const uint64_t* end, uint32_t shift,
                                                           uint64_t* out, uint32_t* count) {
  return roof_native_sample_blocks(next, end, shift, out, count, sample);
}
