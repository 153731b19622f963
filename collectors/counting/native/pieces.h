/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The code of a block for windows (windows/windows.h), and its trail as they want it: segments,
 * each with an address for each access; 0 for one that did not take place. A repeated string
 * instruction is a segment for each repetition. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_NATIVE_PIECES_H_
#define ROOFMARK_COLLECTORS_COUNTING_NATIVE_PIECES_H_

#include <stdint.h>

#include "collectors/counting/contexts/segments.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Instructions in a row. Of the descriptors the code and the accesses are set alone. */
struct roof_native_piece {
  const struct roof_descriptor* code;
  const struct roof_descriptor* again; /* of a repetition but the first; NULL: nothing repeats */
  uint32_t accesses;                   /* of the trail */
};
struct roof_native_pieces {
  struct roof_entry entry;
  uint32_t count;
  uint32_t words; /* of the segments of one execution, in which nothing repeats */
  struct roof_native_piece piece[1];
};

/* Takes one segment in [words, end). */
typedef void (*roof_native_take_piece)(void* cookie, const uint64_t* words, const uint64_t* end);
/* Where the block at `next` of a trail begins in the code of the program. */
uint64_t roof_native_place_of_pieces(const uint64_t* next);
/* Reads the block at `next` of a trail, all its iterations, and returns the next one. `words` has
 * room for ROOF_PIECE_WORDS. */
enum { ROOF_PIECE_WORDS = ROOF_MAX_ACCESSES + 1 };
const uint64_t* roof_native_read_pieces(const uint64_t* next, uint64_t* words,
                                        roof_native_take_piece take, void* cookie);
/* How many words segments have for what is in [begin, end), each string instruction executed once.
 */
uint64_t roof_native_count_words(const uint64_t* begin, const uint64_t* end);

#ifdef __cplusplus
}
#endif

#endif /* ROOFMARK_COLLECTORS_COUNTING_NATIVE_PIECES_H_ */
