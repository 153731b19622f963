/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/collectors/counting/native/kernels.h"

#include <immintrin.h>

#define ROOF_V4 __attribute__((noinline, target("avx512f,avx512dq,avx512vl,avx512bw")))

/* Volatile: else a compiler calls a function without effects once only. */
__attribute__((noinline)) double kernel_tree(int depth) {
  static const volatile double one = 1;
  if (depth == 0) return one;
  const double left = kernel_tree(depth - 1);
  return left + kernel_tree(depth - 1);
}

static double add_one(double x) { return x + 1; }
static double add_two(double x) { return x + 2; }

__attribute__((noinline)) double kernel_through_pointers(size_t n) {
  double (*volatile functions[2])(double) = {add_one, add_two};
  double x = 0;
  for (size_t i = 0; i < n; ++i) x = functions[i % 2](x);
  return x;
}

__attribute__((noinline)) double kernel_scalar(const double* a, const double* b, size_t n) {
  __m128d sum = _mm_setzero_pd();
  for (size_t i = 0; i < n; ++i)
    sum = _mm_add_sd(sum, _mm_mul_sd(_mm_load_sd(a + i), _mm_load_sd(b + i)));
  return _mm_cvtsd_f64(sum);
}

ROOF_V4 double kernel_dot512(const double* a, const double* b, size_t n) {
  __m512d sum = _mm512_setzero_pd();
  double lanes[8];
  for (size_t i = 0; i < n; i += 8) {
    const __mmask8 mask = n - i >= 8 ? 0xFF : (__mmask8)((1u << (n - i)) - 1);
    sum = _mm512_mask3_fmadd_pd(_mm512_maskz_loadu_pd(mask, a + i),
                                _mm512_maskz_loadu_pd(mask, b + i), sum, mask);
  }
  _mm512_storeu_pd(lanes, sum);
  return lanes[0];
}

ROOF_V4 void kernel_positive512(const float* x, float* y, size_t n) {
  const __m512 two = _mm512_set1_ps(2);
  for (size_t i = 0; i < n; i += 16) {
    const __m512 value = _mm512_loadu_ps(x + i);
    const __mmask16 mask = _mm512_cmp_ps_mask(value, _mm512_setzero_ps(), _CMP_GT_OQ);
    _mm512_mask_storeu_ps(y + i, mask, _mm512_mask_mul_ps(value, mask, value, two));
  }
}

ROOF_V4 double kernel_gather512(const double* x, const int64_t* index, size_t n) {
  __m512d sum = _mm512_setzero_pd();
  double lanes[8];
  for (size_t i = 0; i < n; i += 8)
    sum = _mm512_add_pd(sum, _mm512_mask_i64gather_pd(sum, 0x2D, _mm512_loadu_si512(index + i), x,
                                                      8)); /* four of eight */
  _mm512_storeu_pd(lanes, sum);
  return lanes[0];
}

__attribute__((noinline, target("avx2"))) float kernel_few_avx2(const float* x, int n) {
  const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  const __m256 few = _mm256_maskload_ps(x, _mm256_cmpgt_epi32(_mm256_set1_epi32(n), lane));
  return _mm256_cvtss_f32(few);
}

__attribute__((noinline, target("avx512f,avx512vnni"))) int32_t kernel_bytes512(size_t n,
                                                                                unsigned lanes) {
  const __m512i ones = _mm512_set1_epi32(0x01010101), twos = _mm512_set1_epi32(0x02020202);
  __m512i sum = _mm512_setzero_si512();
  for (size_t i = 0; i < n; ++i) sum = _mm512_dpbusd_epi32(sum, ones, twos);
  sum = _mm512_mask_dpbusd_epi32(sum, (__mmask16)((1u << lanes) - 1), ones, twos);
  return _mm_cvtsi128_si32(_mm512_castsi512_si128(sum));
}

__attribute__((noinline, target("avx512f,avx512bf16"))) float kernel_bf16_512(size_t n,
                                                                              unsigned lanes) {
  /* 1 and 2 in BF16, twice in each lane. */
  union {
    __m512i bits;
    __m512bh pairs;
  } ones = {_mm512_set1_epi32(0x3F803F80)}, twos = {_mm512_set1_epi32(0x40004000)};
  __m512 sum = _mm512_setzero_ps();
  for (size_t i = 0; i < n; ++i) sum = _mm512_dpbf16_ps(sum, ones.pairs, twos.pairs);
  sum = _mm512_mask_dpbf16_ps(sum, (__mmask16)((1u << lanes) - 1), ones.pairs, twos.pairs);
  return _mm512_cvtss_f32(sum);
}
