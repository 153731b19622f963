/* SPDX-License-Identifier: BSD-3-Clause */
#include <immintrin.h>

#include "collectors/counting/cache/record.h"
#include "collectors/counting/native/trail_read.h"

#define ROOF_WITH_AVX512 __attribute__((target("avx512f,avx512dq")))

/* As ROOF_SAMPLE_SELECTED for eight addresses. */
ROOF_WITH_AVX512 static inline __mmask8 selected(__m512i address, __m128i shift, __m512i mask) {
  const __m512i factor = _mm512_set1_epi64((int64_t)ROOF_SAMPLE_FACTOR);
  const __m512i product = _mm512_mullo_epi64(_mm512_srl_epi64(address, shift), factor);
  return _mm512_testn_epi64_mask(_mm512_xor_si512(_mm512_srli_epi64(product, 50), address), mask);
}

ROOF_WITH_AVX512 static inline __attribute__((always_inline)) uint32_t sample(
    const uint64_t* address, const uint64_t* tag, uint32_t count, uint32_t shift, uint64_t* out) {
  const __m128i down = _mm_cvtsi32_si128((int)(6 + shift));
  const __m512i mask = _mm512_set1_epi64((int64_t)ROOF_SAMPLE_MASK(shift));
  const __m512i in_line = _mm512_set1_epi64(63);
  uint32_t n = 0;
  for (uint32_t i = 0; i < count; i += 8) {
    const __mmask8 there = count - i < 8 ? (__mmask8)((1u << (count - i)) - 1) : (__mmask8)255;
    const __m512i first = _mm512_loadu_si512(address + i);
    const __m512i tags = _mm512_loadu_si512(tag + i);
    const __m512i extent = _mm512_srli_epi64(_mm512_slli_epi64(tags, 1), 50);
    const __m512i end = _mm512_add_epi64(_mm512_and_si512(first, in_line), extent);
    const __mmask8 crosses = _mm512_mask_cmpgt_epi64_mask(there, end, in_line);
    __mmask8 wanted = selected(first, down, mask) & there;
    if (crosses) {
      wanted |= selected(_mm512_add_epi64(first, extent), down, mask) & crosses;
      wanted |= _mm512_mask_cmpgt_epi64_mask(crosses, extent, in_line);
    }
    _mm512_storeu_si512(out + n, _mm512_maskz_compress_epi64(wanted, _mm512_or_si512(first, tags)));
    n += (uint32_t)__builtin_popcount(wanted);
  }
  return n;
}

ROOF_WITH_AVX512 const uint64_t* roof_native_sample_avx512(const uint64_t* next,
                                                           const uint64_t* end, uint32_t shift,
                                                           uint64_t* out, uint32_t* count) {
  return roof_native_sample_blocks(next, end, shift, out, count, sample);
}
