/* SPDX-License-Identifier: BSD-3-Clause */
#include <immintrin.h>
#include <string.h>

#include "collectors/counting/cache/record.h"
#include "collectors/counting/native/trail_read.h"

/* As ROOF_SAMPLE_SELECTED for four addresses. */
__attribute__((target("avx2"))) static inline __m256i selected(__m256i address, __m256i shift,
                                                               __m256i mask) {
  const __m256i factor = _mm256_set1_epi64x((int64_t)ROOF_SAMPLE_FACTOR);
  const __m256i product = _mm256_mul_epu32(_mm256_srlv_epi64(address, shift), factor);
  const __m256i differs = _mm256_xor_si256(_mm256_srli_epi64(product, ROOF_SAMPLE_DOWN), address);
  return _mm256_cmpeq_epi64(_mm256_and_si256(differs, mask), _mm256_setzero_si256());
}

__attribute__((target("avx2"))) static inline __attribute__((always_inline)) uint32_t sample(
    const uint64_t* address, const uint64_t* tag, const int8_t* limit, uint32_t count,
    uint32_t shift, uint64_t* out) {
  const __m256i down = _mm256_set1_epi64x((int64_t)(6 + shift));
  const __m256i mask = _mm256_set1_epi64x((int64_t)ROOF_SAMPLE_MASK(shift));
  const __m256i in_line = _mm256_set1_epi64x(63);
  uint32_t n = 0;
  for (uint32_t i = 0; i < count; i += 4) {
    const __m256i addresses = _mm256_loadu_si256((const __m256i*)(const void*)(address + i));
    int32_t four;
    memcpy(&four, limit + i, sizeof four);
    const __m256i limits = _mm256_cvtepi8_epi64(_mm_cvtsi32_si128(four));
    const __m256i crosses = _mm256_cmpgt_epi64(_mm256_and_si256(addresses, in_line), limits);
    __m256i wanted = selected(addresses, down, mask);
    if (!_mm256_testz_si256(crosses, crosses)) {
      const __m256i extent = _mm256_sub_epi64(in_line, limits);
      const __m256i last = selected(_mm256_add_epi64(addresses, extent), down, mask);
      wanted = _mm256_or_si256(wanted, _mm256_and_si256(crosses, last));
      wanted = _mm256_or_si256(wanted, _mm256_cmpgt_epi64(extent, in_line));
    }
    uint32_t bits = (uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(wanted));
    if (count - i < 4) bits &= (1u << (count - i)) - 1;
    for (; bits; bits &= bits - 1) {
      const uint32_t k = i + (uint32_t)__builtin_ctz(bits);
      out[n++] = address[k] | tag[k];
    }
  }
  return n;
}

__attribute__((target("avx2"))) const uint64_t* roof_native_sample_avx2(
    const uint64_t* next, const uint64_t* end, uint32_t shift, uint64_t* out, uint32_t* count) {
  return roof_native_sample_blocks(next, end, shift, out, count, sample);
}
