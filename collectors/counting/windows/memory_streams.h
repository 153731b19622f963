/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The streams in which a window's lines come from DRAM. One stream draws less than what a core can
 * draw: prefetchers run only so far ahead of it, and stop where its page ends. How many go on side
 * by side decides how much of the bandwidth a core can use (Williams, Waterman, Patterson, The
 * Roofline Model, technical report UCB/EECS-2008-134, appendix A.1.2: memory level parallelism).
 *
 * A line belongs to a stream if it lies near the last line of it, in either direction. Lines that
 * lie near none begin one: lines in random order are streams of one line each. Two streams that
 * come one after the other count as two, so that the number is never too low; only two that run so
 * near to each other that no prefetcher tells them apart are one.
 *
 * Plain C without libc. Cost: a few ns for each line that comes from DRAM. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_WINDOWS_MEMORY_STREAMS_H_
#define ROOFMARK_COLLECTORS_COUNTING_WINDOWS_MEMORY_STREAMS_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* That are followed at once. The one whose last line is oldest gives way. */
#define ROOF_MEMORY_STREAMS 32

struct roof_memory_stream {
  uint64_t line;    /* the last one */
  uint64_t came_at; /* as the how manyeth line of all; 0: no stream */
  uint64_t lines;
};

/* All zero: a window begins. */
struct roof_memory_streams {
  struct roof_memory_stream stream[ROOF_MEMORY_STREAMS];
  uint64_t came;  /* lines so far */
  uint64_t lines; /* of those that are counted */
  uint64_t most;  /* in one stream */
};

/* A line came from DRAM. `counts` 0: it only tells where streams are. */
void roof_memory_streams_add(struct roof_memory_streams* streams, uint64_t line, int counts);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_WINDOWS_MEMORY_STREAMS_H_ */
