/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to the cache model: what one cached line is, as one 64-bit word, and how a set of them is
 * searched. A word has the line number in bits 63..23 (41 bits: user addresses have 47), then
 * valid, dirty, and the context that last dirtied the line. Zero is an empty way. A word with only
 * line and valid bit is called a key; it is at once the needle of a search, a clean line, and the
 * request to fill that line in the queue of a level. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_CACHE_WORDS_H_
#define ROOFMARK_COLLECTORS_COUNTING_CACHE_WORDS_H_

#include <stdint.h>
#ifdef __SSE2__
#include <immintrin.h>
#endif

#define ROOF_WORD_LINE_SHIFT 23
#define ROOF_WORD_VALID (UINT64_C(1) << 22)
#define ROOF_WORD_DIRTY (UINT64_C(1) << 21)
#define ROOF_WORD_OWNER (ROOF_WORD_DIRTY - 1)

#define ROOF_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define ROOF_UNLIKELY(condition) __builtin_expect(!!(condition), 0)

/* The key of the line that holds an address: bit 47 and above (the tag of a record) shift out. */
static inline uint64_t roof_key_of_address(uint64_t address) {
  return (address & ~UINT64_C(63)) << (ROOF_WORD_LINE_SHIFT - 6) | ROOF_WORD_VALID;
}
static inline uint64_t roof_key_of_line(uint64_t line) {
  return line << ROOF_WORD_LINE_SHIFT | ROOF_WORD_VALID;
}
static inline uint64_t roof_line_of(uint64_t word) { return word >> ROOF_WORD_LINE_SHIFT; }
static inline uint64_t roof_key_of(uint64_t word) {
  return word & ~(ROOF_WORD_DIRTY | ROOF_WORD_OWNER);
}
/* Same line and valid, whatever the dirty bit and the owner. */
static inline int roof_word_is(uint64_t word, uint64_t key) { return word - key < ROOF_WORD_VALID; }

/* line modulo any number of sets, without a division: the quotient by the rounded-down reciprocal
 * is exact or one too small. Most caches have a power of two of them. */
struct roof_modulus {
  uint64_t reciprocal; /* UINT64_MAX / divisor */
  uint64_t divisor;
  uint64_t mask; /* divisor - 1 where that is a mask, else 0 */
};
static inline struct roof_modulus roof_modulus_of(uint64_t divisor) {
  struct roof_modulus modulus = {UINT64_MAX / divisor, divisor,
                                 divisor & (divisor - 1) ? 0 : divisor - 1};
  return modulus;
}
__extension__ typedef unsigned __int128 roof_product;
static inline uint64_t roof_modulo(const struct roof_modulus* modulus, uint64_t line) {
  if (ROOF_LIKELY(modulus->mask)) return line & modulus->mask;
  uint64_t quotient = (uint64_t)(((roof_product)line * modulus->reciprocal) >> 64);
  uint64_t rest = line - quotient * modulus->divisor;
  return rest >= modulus->divisor ? rest - modulus->divisor : rest;
}

/* Ways are padded with empty words to a multiple of four, so that four are compared at once. */
static inline uint32_t roof_padded(uint32_t ways) { return (ways + 3) & ~3u; }

/* One bit for each of four words whose line may be the key's. SSE2 compares the low 32 bits of the
 * line numbers: lines that differ in higher bits alone are 256 GiB apart, so that the exact check
 * of the caller hardly ever fails. */
#if defined(__AVX2__)
#define ROOF_MATCH_IS_EXACT 1
static inline uint32_t roof_match_four(const uint64_t* words, uint64_t key) {
  const int shift = ROOF_WORD_LINE_SHIFT - 1; /* down to the valid bit */
  const __m256i lines = _mm256_srli_epi64(_mm256_load_si256((const __m256i*)words), shift);
  const __m256i needle = _mm256_set1_epi64x((long long)(key >> shift));
  return (uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(lines, needle)));
}
#elif defined(__SSE2__)
#define ROOF_MATCH_IS_EXACT 0
static inline uint32_t roof_match_four(const uint64_t* words, uint64_t key) {
  const __m128i needle = _mm_set1_epi32((int)(key >> ROOF_WORD_LINE_SHIFT));
  const __m128i* at = (const __m128i*)words;
  const __m128i low = _mm_srli_epi64(_mm_load_si128(at), ROOF_WORD_LINE_SHIFT);
  const __m128i high = _mm_srli_epi64(_mm_load_si128(at + 1), ROOF_WORD_LINE_SHIFT);
  const __m128i four = _mm_castps_si128(
      _mm_shuffle_ps(_mm_castsi128_ps(low), _mm_castsi128_ps(high), _MM_SHUFFLE(2, 0, 2, 0)));
  return (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(four, needle)));
}
#else
#define ROOF_MATCH_IS_EXACT 1
static inline uint32_t roof_match_four(const uint64_t* words, uint64_t key) {
  uint32_t mask = 0;
  for (uint32_t i = 0; i < 4; ++i) mask |= (uint32_t)roof_word_is(words[i], key) << i;
  return mask;
}
#endif

/* One bit for each of up to 32 words, `padded` of them; straight code where that is a constant up
 * to
 * 16. Compares all before anyone looks: a search that ends early is a mispredicted branch. */
static inline __attribute__((always_inline)) uint32_t roof_match(const uint64_t* words,
                                                                 uint32_t padded, uint64_t key) {
  uint32_t mask = roof_match_four(words, key);
  if (padded > 4) mask |= roof_match_four(words + 4, key) << 4;
  if (padded > 8) mask |= roof_match_four(words + 8, key) << 8;
  if (padded > 12) mask |= roof_match_four(words + 12, key) << 12;
  for (uint32_t way = 16; way < padded; way += 4) mask |= roof_match_four(words + way, key) << way;
  return mask;
}

/* The way that holds the key, or a number >= padded. */
static inline __attribute__((always_inline)) uint32_t roof_find(const uint64_t* set,
                                                                uint32_t padded, uint64_t key) {
  for (uint32_t block = 0; block < padded; block += 32) {
    uint32_t mask = roof_match(set + block, padded - block < 32 ? padded - block : 32, key);
    for (; mask; mask &= mask - 1) {
      const uint32_t found = block + (uint32_t)__builtin_ctz(mask);
      if (ROOF_MATCH_IS_EXACT || ROOF_LIKELY(roof_word_is(set[found], key))) return found;
    }
  }
  return padded;
}

#endif /* ROOFMARK_COLLECTORS_COUNTING_CACHE_WORDS_H_ */
