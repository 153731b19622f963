/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectors/counting/branches/targets.h"

#include <stddef.h>

enum { kSurest = 3 };

static void learn_target(struct roof_target* entry, uint64_t target) {
  if (entry->target == target) {
    if (entry->confidence < kSurest) ++entry->confidence;
  } else if (entry->confidence) {
    --entry->confidence;
  } else {
    entry->target = target;
  }
}

/* The first table is by place alone; the others look at 7, 18 and 48 branches. */
int roof_targets_take(struct roof_targets* targets, const uint64_t hash[ROOF_HISTORIES],
                      uint64_t place, uint64_t target, int skip) {
  const uint64_t key[ROOF_TARGET_TABLES] = {place * UINT64_C(0x9E3779B97F4A7C15), hash[1], hash[3],
                                            hash[5]};
  struct roof_target* entry[ROOF_TARGET_TABLES];
  uint16_t tag[ROOF_TARGET_TABLES];
  int provider = -1;
  for (int i = 0; i < ROOF_TARGET_TABLES; ++i) {
    entry[i] = &targets->table[i][key[i] >> (64 - ROOF_TARGET_BITS)];
    tag[i] = (uint16_t)(key[i] >> (48 - ROOF_TARGET_BITS) | 1);
    if (entry[i]->tag == tag[i]) provider = i;
  }
  if (entry[0]->tag != tag[0]) { /* never seen, or forgotten */
    *entry[0] = (struct roof_target){target, tag[0], 0};
    return 0;
  }
  const int mispredicted = entry[provider]->target != target;
  learn_target(entry[provider], target);
  for (int i = provider + 1; mispredicted && i < ROOF_TARGET_TABLES; ++i) {
    if (entry[i]->confidence) {
      --entry[i]->confidence;
    } else if (skip && i + 1 < ROOF_TARGET_TABLES) {
      skip = 0;
    } else {
      *entry[i] = (struct roof_target){target, tag[i], 0};
      break;
    }
  }
  return mispredicted;
}
