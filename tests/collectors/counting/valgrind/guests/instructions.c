/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Instruction sequences written out, each in a path of its own. The requests around them are
 * counted too, so path 99 holds an empty sequence to subtract. */
#include <immintrin.h>
#include <stdint.h>

#include "tests/collectors/counting/valgrind/guests/guest.h"

#define MEASURE(path, ...)             \
  do {                                 \
    guest_own(path);                   \
    __asm__ volatile("" ::: "memory"); \
    __VA_ARGS__;                       \
    __asm__ volatile("" ::: "memory"); \
    guest_own(0);                      \
  } while (0)

static double data[64] __attribute__((aligned(64)));
static char text[512], copy[512];

/* The same code with other counts: what differs is what the repetitions do. */
#define STRING(name, instruction)                                                                \
  __attribute__((noinline)) static void name(unsigned long path, void* to, const void* from,     \
                                             long count, char value) {                           \
    MEASURE(path,                                                                                \
            __asm__ volatile(instruction                                                         \
                             : "+D"(to), "+S"(from), "+c"(count), "+a"(value)::"memory", "cc")); \
  }
STRING(move_bytes, "rep movsb")
STRING(store_words, "rep stosq")
STRING(scan_bytes, "repne scasb")

static void strings(void) {
  move_bytes(20, copy, text, 0, 0);
  move_bytes(21, copy, text, 100, 0);
  store_words(22, copy, text, 0, 7);
  store_words(23, copy, text, 10, 7);
  text[20] = 'x'; /* found in the 21st byte */
  scan_bytes(24, text, text, 0, 'x');
  scan_bytes(25, text, text, 100, 'x');
  scan_bytes(26, text, text, 5, 'x'); /* not found */
}

__attribute__((noinline)) static void masked_bytes(unsigned long path, __m128i value,
                                                   __m128i mask) {
  MEASURE(path, _mm_maskmoveu_si128(value, mask, (char*)data));
}

static void non_temporal(void) {
  __m128d two = _mm_set1_pd(2);
  MEASURE(6, _mm_stream_pd(data, two); _mm_stream_pd(data + 2, two);
          _mm_stream_si64((long long*)data + 4, 1));
  MEASURE(7, _mm_store_pd(data, two); _mm_store_pd(data + 2, two));
  /* The mask selects 8 of 16 bytes, but the engine can only write all of them back. */
  masked_bytes(8, _mm_set1_epi8(1), _mm_set_epi64x(0, -1));
}

/* The same code around each. */
#define CHANGES(name, instruction)                                                   \
  __attribute__((noinline)) static void name(unsigned long path, long* at) {         \
    MEASURE(path, __asm__ volatile(instruction : "+m"(*at)::"rax", "memory", "cc")); \
  }
CHANGES(add_locked, "lock addq $1, %0")
CHANGES(swap_locked, "lock cmpxchgq %%rcx, %0")

static void locked(void) {
  static long number;
  add_locked(15, &number);
  swap_locked(14, &number);
}

/* Loops, so that what VEX would drop or lower is seen as executed. */
static void lowered(void) {
  for (int i = 0; i < 10; ++i)
    MEASURE(10, __asm__ volatile("addsubpd %%xmm1, %%xmm2\n\tmulpd %%xmm1, %%xmm3\n\t"
                                 "movapd %%xmm1, %%xmm3\n\tdpps $0xf1, %%xmm1, %%xmm4" ::
                                     : "xmm2", "xmm3", "xmm4"));
  for (int i = 0; i < 10; ++i)
    MEASURE(11, __asm__ volatile("fld1\n\tfld1\n\tfaddp\n\tfsqrt\n\tfsin\n\tfstp %%st(0)" :::));
  MEASURE(12, __asm__ volatile("haddpd %%xmm1, %%xmm2\n\tminpd %%xmm1, %%xmm2\n\t"
                               "rcpps %%xmm1, %%xmm3" ::
                                   : "xmm2", "xmm3"));
}

/* What is executed depends on the first condition; both lead to the same place. */
__attribute__((noinline)) static void conditions(unsigned long path, long first, long second) {
  MEASURE(path, __asm__ volatile("test %0, %0\n\tje 1f\n\ttest %1, %1\n\tje 1f\n\t"
                                 "movapd %%xmm1, %%xmm2\n1:" ::"r"(first),
                                 "r"(second)
                                 : "xmm2", "cc"));
}

#define AVX2 __attribute__((target("avx2"), noinline)) static void

AVX2 gather(unsigned long path, __m256d mask) {
  __m256d value = _mm256_setzero_pd();
  MEASURE(path, value = _mm256_mask_i32gather_pd(value, data, _mm_set_epi32(3, 2, 1, 0), mask, 8);
          __asm__ volatile("" ::"x"(value)));
}
AVX2 load_masked(unsigned long path, __m256i mask) {
  MEASURE(path, __m256d value = _mm256_maskload_pd(data, mask); __asm__ volatile("" ::"x"(value)));
}
AVX2 store_masked(unsigned long path, __m256i mask) {
  MEASURE(path, _mm256_maskstore_pd(data, mask, _mm256_setzero_pd()));
}

AVX2 masked(void) {
  __m256i all = _mm256_set1_epi64x(-1), even = _mm256_set_epi64x(0, -1, 0, -1);
  gather(30, _mm256_castsi256_pd(all));
  gather(31, _mm256_castsi256_pd(even));
  load_masked(32, all);
  load_masked(33, even);
  store_masked(34, all);
  store_masked(35, even);
}

int main(void) {
  strings();
  non_temporal();
  locked();
  lowered();
  for (long i = 0; i < 3; ++i) conditions(40 + (unsigned long)i, i > 0, i > 1);
  if (__builtin_cpu_supports("avx2")) masked();
  MEASURE(99, (void)0);
  return guest_report();
}
