/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Private to the predictor: where indirect jumps and calls are expected to go. */
#ifndef ROOFMARK_COLLECTORS_COUNTING_BRANCHES_TARGETS_H_
#define ROOFMARK_COLLECTORS_COUNTING_BRANCHES_TARGETS_H_

#include <stdint.h>

#include "collectors/counting/branches/history.h"

enum { ROOF_TARGET_TABLES = 4, ROOF_TARGET_BITS = 9 };

struct roof_target {
  uint64_t target;
  uint16_t tag;
  uint8_t confidence; /* 0: the next other target takes its place */
};

/* All zero: nothing was seen. */
struct roof_targets {
  struct roof_target table[ROOF_TARGET_TABLES][1 << ROOF_TARGET_BITS];
};

/* The jump at `place`, of which these are the hashes of its history, went to `target`. Returns 1 if
 * another one was expected. `skip`: at random, so that two jumps do not take turns in one place;
 * the first table that could learn it does not. */
int roof_targets_take(struct roof_targets* targets, const uint64_t hash[ROOF_HISTORIES],
                      uint64_t place, uint64_t target, int skip);

#endif /* ROOFMARK_COLLECTORS_COUNTING_BRANCHES_TARGETS_H_ */
