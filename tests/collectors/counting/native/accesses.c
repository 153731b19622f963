/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/collectors/counting/native/accesses.h"

#include <immintrin.h>

#define ROOF_V4 __attribute__((noinline, target("avx512f,avx512dq,avx512vl,avx512bw")))
#define ROOF_V3 __attribute__((noinline, target("avx2")))

ROOF_V4 void access_gather512(const double* x, const int64_t* index, double* out) {
  const __m512i at = _mm512_loadu_si512(index);
  _mm512_storeu_pd(out, _mm512_mask_i64gather_pd(_mm512_setzero_pd(), 0x2D, at, x, 8));
}

ROOF_V4 void access_scatter512(float* x, const int32_t* index) {
  const __m512i at = _mm512_loadu_si512(index);
  _mm512_mask_i32scatter_ps(x, 0x8421, at, _mm512_set1_ps(3), 4);
}

ROOF_V4 void access_compress512(double* x) {
  _mm512_mask_compressstoreu_pd(x, 0xA5, _mm512_set1_pd(1));
}

ROOF_V4 void access_expand512(const float* x, float* out) {
  _mm512_storeu_ps(out, _mm512_maskz_expandloadu_ps(0xF00F, x));
}

ROOF_V4 void access_bytes512(uint8_t* x) {
  _mm512_mask_storeu_epi8(x, UINT64_C(0x8000000100000001), _mm512_setzero_si512());
}

ROOF_V3 void access_gather256(const double* x, const int32_t* index, double* out) {
  const __m256d mask = _mm256_castsi256_pd(_mm256_setr_epi64x(-1, 0, -1, -1));
  const __m128i at = _mm_loadu_si128((const __m128i*)index);
  _mm256_storeu_pd(out, _mm256_mask_i32gather_pd(_mm256_setzero_pd(), x, at, mask, 8));
}

ROOF_V3 void access_masked256(float* x) {
  const __m256i mask = _mm256_setr_epi32(0, -1, -1, 0, 0, 0, 0, -1);
  _mm256_maskstore_ps(x, mask, _mm256_setzero_ps());
}

ROOF_V3 void access_stream(double* x) { _mm256_stream_pd(x, _mm256_setzero_pd()); }

__attribute__((noinline)) void access_move(uint8_t* to, const uint8_t* from, size_t n) {
  __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
}

__attribute__((noinline)) void access_move_back(uint64_t* to, const uint64_t* from, size_t n) {
  to += n - 1, from += n - 1;
  __asm__ volatile("std; rep movsq; cld" : "+D"(to), "+S"(from), "+c"(n) : : "memory", "cc");
}

__attribute__((noinline)) void access_set(uint32_t* to, size_t n) {
  __asm__ volatile("rep stosl" : "+D"(to), "+c"(n) : "a"(7) : "memory");
}

__attribute__((noinline)) size_t access_compare(const uint8_t* a, const uint8_t* b, size_t n) {
  __asm__ volatile("cmp %%rax, %%rax; repe cmpsb" : "+D"(a), "+S"(b), "+c"(n) : : "memory", "cc");
  return n;
}

__attribute__((noinline)) uint64_t access_table(const uint8_t* table, uint64_t index) {
  __asm__ volatile("xlat" : "+a"(index) : "b"(table) : "memory");
  return index;
}

__attribute__((noinline)) void access_through_stack(const uint64_t* from, uint64_t* to) {
  __asm__ volatile("push (%0); pop (%1)" : : "r"(from), "r"(to) : "memory");
}

static __thread int64_t own[4] __attribute__((tls_model("initial-exec")));
__attribute__((noinline)) int64_t* access_own(int64_t i) {
  own[i] += 1;
  return own;
}

__attribute__((noinline)) void access_change(uint64_t* x) {
  __asm__ volatile("lock addq $1, (%0); xchg %%rax, 8(%0)" : : "r"(x) : "rax", "memory", "cc");
}

__attribute__((noinline)) void access_loop(const double* x, double* y, size_t n) {
  size_t i = 0;
  if (n == 0) return;
  __asm__ volatile(
      "1: movsd (%1,%0,8), %%xmm0; movsd %%xmm0, (%2,%0,8); add $1, %0; cmp %3, %0; jne 1b"
      : "+r"(i)
      : "r"(x), "r"(y), "r"(n)
      : "xmm0", "memory", "cc");
}

/* The carry is read from one iteration to the next one: no flag is free at its begin. */
__attribute__((noinline)) void access_carry(const uint64_t* x, uint64_t* y, size_t n) {
  __asm__ volatile(
      "clc; 1: mov (%1), %%rax; adc %%rax, (%2); lea 8(%1), %1; lea 8(%2), %2; dec %0; jnz 1b"
      : "+r"(n), "+r"(x), "+r"(y)
      :
      : "rax", "memory", "cc");
}

/* F3 45 90: eax and r8d change places, while most other registers are in use. */
__attribute__((noinline)) uint64_t access_exchange(uint64_t* x) {
  uint64_t result = 1;
  __asm__ volatile(
      "mov $7, %%r8d; xor %%r11d, %%r11d; xor %%r10d, %%r10d; xor %%r9d, %%r9d;"
      "jmp 1f; 1: mov (%1), %%r9; mov (%1), %%r10; mov (%1), %%r11; mov (%1), %%r13;"
      "mov (%1), %%r14; mov (%1), %%r15; .byte 0xF3, 0x45, 0x90"
      : "+a"(result)
      : "r"(x)
      : "r8", "r9", "r10", "r11", "r13", "r14", "r15", "memory", "cc");
  return result;
}

/* All registers but rsp, more and more of them. */
__attribute__((noinline)) void access_all_registers(uint64_t* x) {
  __asm__ volatile(
      "push %%rbp; push %%rbx; mov %0, %%rax;"
      "mov (%%rax), %%rbx; mov 8(%%rax), %%rcx; mov 16(%%rax), %%rdx; mov 24(%%rax), %%rsi;"
      "mov 32(%%rax), %%rdi; mov 40(%%rax), %%rbp; mov 48(%%rax), %%r8; mov 56(%%rax), %%r9;"
      "mov 64(%%rax), %%r11; mov 72(%%rax), %%r10; mov 80(%%rax), %%r12; mov 88(%%rax), %%r13;"
      "mov 96(%%rax), %%r15; mov 104(%%rax), %%r14; mov %%r15, 112(%%rax);"
      "add %%rbx, %%rcx; add %%rcx, %%rdx; add %%rdx, %%rsi; add %%rsi, %%rdi; add %%rdi, %%rbp;"
      "add %%rbp, %%r8; add %%r8, %%r9; add %%r9, %%r10; add %%r10, %%r11; add %%r11, %%r12;"
      "add %%r12, %%r13; add %%r13, %%r15; add %%r15, %%r14; mov %%r14, 120(%%rax);"
      "pop %%rbx; pop %%rbp"
      :
      : "r"(x)
      : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
        "memory", "cc");
}
