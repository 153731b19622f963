/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Non-temporal stores where the instruction set has them: they go around the caches, so that a
 * line that is only written is not read first. Elsewhere these are ordinary stores and
 * ROOFMARK_HAS_STREAMING is 0.
 */
#ifndef ROOFMARK_BENCHMARKS_KERNELS_STREAMING_H_
#define ROOFMARK_BENCHMARKS_KERNELS_STREAMING_H_

#if defined(__AVX__)
#include <immintrin.h>
#define ROOFMARK_HAS_STREAMING 1
/* `to` is 32-byte aligned. */
static inline void StreamFour(double* to, const double* from) {
  _mm256_stream_pd(to, _mm256_loadu_pd(from));
}
/* Orders the stores above before whatever tells another thread about them. */
static inline void StreamEnd(void) { _mm_sfence(); }
#elif defined(__SSE2__)
#include <emmintrin.h>
#define ROOFMARK_HAS_STREAMING 1
static inline void StreamFour(double* to, const double* from) {
  _mm_stream_pd(to, _mm_loadu_pd(from));
  _mm_stream_pd(to + 2, _mm_loadu_pd(from + 2));
}
static inline void StreamEnd(void) { _mm_sfence(); }
#else
#define ROOFMARK_HAS_STREAMING 0
static inline void StreamFour(double* to, const double* from) {
  for (int i = 0; i < 4; ++i) to[i] = from[i];
}
static inline void StreamEnd(void) {}
#endif

#endif /* ROOFMARK_BENCHMARKS_KERNELS_STREAMING_H_ */
