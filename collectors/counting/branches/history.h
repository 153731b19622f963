/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to the predictor: the way that led to a branch, as a number for each table.
 *
 * The way is that of branches, two bits each, without those that were never taken. So it seems to
 * be on Zen 3: measured there, loops are learned up to 100 iterations, even with three branches in
 * them that are never taken; with three that are taken now and then up to 40. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_BRANCHES_HISTORY_H_
#define ROOFMARK_COLLECTORS_COUNTING_BRANCHES_HISTORY_H_

#include <stdint.h>

#include "collectors/counting/hash.h"

enum { ROOF_HISTORIES = 8, ROOF_HISTORY_WORDS = 4 };

struct roof_branch_history {
  uint64_t word[ROOF_HISTORY_WORDS]; /* the latest branches in the lowest bits of the first */
};

/* `to`: the target of an indirect branch; else 1: taken, 0: not. */
static inline void roof_history_push(struct roof_branch_history* history, uint64_t place,
                                     uint64_t to) {
  enum { kBits = 2, kPrint = 8 };
  for (unsigned i = ROOF_HISTORY_WORDS - 1; i > 0; --i)
    history->word[i] = history->word[i] << kBits | history->word[i - 1] >> (64 - kBits);
  history->word[0] = history->word[0] << kBits ^ roof_hash(place << 1 ^ to, kPrint);
}

/* What comes before a word, and so many of its lowest bits. */
static inline uint64_t roof_history_end(uint64_t before, uint64_t word, unsigned bits) {
  const uint64_t last = word & ~UINT64_C(0) >> (64 - bits);
  return (before ^ last) * UINT64_C(0x9E3779B97F4A7C15);
}
static inline uint64_t roof_history_mix(uint64_t before, uint64_t word) {
  const uint64_t both = (before ^ word) * UINT64_C(0xC2B2AE3D27D4EB4F);
  return both ^ both >> 32;
}

/* hash[i]: of the branch at the place and the latest 4, 7, 11, 18, 29, 48, 78 and 128 of its way, a
 * geometric series. The upper bits are good. */
static inline void roof_history_hash(const struct roof_branch_history* history, uint64_t place,
                                     uint64_t hash[ROOF_HISTORIES]) {
  const uint64_t* word = history->word;
  const uint64_t none = roof_history_mix(0, place), one = roof_history_mix(none, word[0]);
  const uint64_t two = roof_history_mix(one, word[1]), three = roof_history_mix(two, word[2]);
  hash[0] = roof_history_end(none, word[0], 2 * 4);
  hash[1] = roof_history_end(none, word[0], 2 * 7);
  hash[2] = roof_history_end(none, word[0], 2 * 11);
  hash[3] = roof_history_end(none, word[0], 2 * 18);
  hash[4] = roof_history_end(none, word[0], 2 * 29);
  hash[5] = roof_history_end(one, word[1], 2 * 48 - 64);
  hash[6] = roof_history_end(two, word[2], 2 * 78 - 128);
  hash[7] = roof_history_end(three, word[3], 2 * 128 - 192);
}

#endif /* ROOFMARK_COLLECTORS_COUNTING_BRANCHES_HISTORY_H_ */
