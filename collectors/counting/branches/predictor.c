/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectors/counting/branches/predictor.h"

#include <stddef.h>

#include "collectors/counting/branches/history.h"
#include "collectors/counting/branches/targets.h"

/* 8 tables of 2,048 entries: a random sequence of outcomes that repeats is learned where it is not
 * much longer than on Zen 3, on which one of 16,384 is mostly learned and one of 65,536 is not. */
enum { kBaseBits = 13, kBits = 11, kTagBits = 16 };
enum { kStrongest = 3, kWeakest = -4, kMostUseful = 3, kMostTrust = 8 };

struct entry {
  uint16_t tag;   /* 0: empty */
  int8_t counter; /* expects that the branch is taken if it is not negative */
  /* How often lately it was right where its alternative was wrong; 0: it may go. In the base
   * instead whether the branch was ever taken. */
  uint8_t useful;
};

static int8_t learn(int8_t counter, int taken) {
  if (taken) return (int8_t)(counter < kStrongest ? counter + 1 : counter);
  return (int8_t)(counter > kWeakest ? counter - 1 : counter);
}
static int is_weak(int8_t counter) { return counter == 0 || counter == -1; }
static struct entry fresh(uint16_t tag, int taken) {
  return (struct entry){tag, (int8_t)(taken ? 0 : -1), 0};
}

struct roof_predictor {
  struct roof_branch_history history;
  struct entry base[1 << kBaseBits]; /* of branches by their place alone; all seen ones are there */
  struct entry table[ROOF_HISTORIES][1 << kBits];
  struct roof_targets targets;
  int8_t trusts_new; /* not negative: a weak entry that was never useful is believed */
  uint32_t random;
};

struct roof_predictor* roof_predictor_create(const struct roof_memory* memory) {
  return roof_memory_allocate(memory, sizeof(struct roof_predictor));
}

/* Of one branch. */
struct lookup {
  struct entry* entry[ROOF_HISTORIES + 1]; /* the first is that of the base */
  uint16_t tag[ROOF_HISTORIES + 1];
  int provider;    /* the one with the longest history that is of this branch */
  int alternative; /* the next one; the base itself has no other */
};

/* Bit i if the entry is of this branch and history. */
static inline unsigned look_at(struct roof_predictor* predictor, unsigned i, uint64_t hash,
                               struct lookup* out) {
  out->entry[i] = &predictor->table[i - 1][hash >> (64 - kBits)];
  out->tag[i] = (uint16_t)(hash >> (64 - kBits - kTagBits) | 1);
  return (unsigned)(out->entry[i]->tag == out->tag[i]) << i;
}

/* A loop would take half as long again. */
static void look(struct roof_predictor* predictor, const uint64_t hash[ROOF_HISTORIES],
                 struct entry* base, struct lookup* out) {
  unsigned known = look_at(predictor, 1, hash[0], out) | look_at(predictor, 2, hash[1], out) |
                   look_at(predictor, 3, hash[2], out) | look_at(predictor, 4, hash[3], out) |
                   look_at(predictor, 5, hash[4], out) | look_at(predictor, 6, hash[5], out) |
                   look_at(predictor, 7, hash[6], out) | look_at(predictor, 8, hash[7], out) | 1;
  out->entry[0] = base;
  out->provider = 31 - __builtin_clz(known);
  known &= ~(1u << out->provider) | 1;
  out->alternative = 31 - __builtin_clz(known);
}

static uint32_t next_random(struct roof_predictor* predictor) {
  predictor->random = predictor->random * 1664525 + 1013904223; /* Numerical Recipes, 7.1 */
  return predictor->random >> 16;
}

/* An entry with a longer history, of the first table that can spare one; half of the time of a
 * later one, so that branches do not take turns in one place. */
static void allocate(struct roof_predictor* predictor, const struct lookup* found, int taken) {
  struct entry* place = NULL;
  int at = 0;
  for (int i = found->provider + 1; i <= ROOF_HISTORIES; ++i) {
    if (found->entry[i]->useful) continue;
    const int is_second = place != NULL;
    place = found->entry[i];
    at = i;
    if (is_second || next_random(predictor) & 1) break;
  }
  if (place) {
    *place = fresh(found->tag[at], taken);
    return;
  }
  for (int i = found->provider + 1; i <= ROOF_HISTORIES; ++i) --found->entry[i]->useful;
}

static int predict(struct roof_predictor* predictor, struct entry* base, uint64_t place,
                   int taken) {
  uint64_t hash[ROOF_HISTORIES];
  struct lookup found;
  roof_history_hash(&predictor->history, place, hash);
  look(predictor, hash, base, &found);
  struct entry* provider = found.entry[found.provider];
  const int by_provider = provider->counter >= 0;
  const int otherwise = found.entry[found.alternative]->counter >= 0;
  const int is_new = found.provider && !provider->useful && is_weak(provider->counter);
  const int expected = is_new && predictor->trusts_new < 0 ? otherwise : by_provider;
  if (by_provider != otherwise) {
    const int trust = predictor->trusts_new + (by_provider == taken ? 1 : -1);
    if (is_new && trust >= -kMostTrust && trust < kMostTrust) predictor->trusts_new = (int8_t)trust;
    if (by_provider == taken && provider->useful < kMostUseful) ++provider->useful;
    if (by_provider != taken && provider->useful) --provider->useful;
  }
  if (expected != taken && !(is_new && by_provider == taken)) allocate(predictor, &found, taken);
  provider->counter = learn(provider->counter, taken);
  return expected != taken;
}

int roof_predictor_branch(struct roof_predictor* predictor, uint64_t place, int taken) {
  const uint64_t hash = roof_hash(place, kBaseBits + kTagBits);
  const uint16_t tag = (uint16_t)(hash | 1);
  struct entry* base = &predictor->base[hash >> kTagBits];
  int mispredicted = 0;
  if (base->tag == tag) {
    mispredicted = predict(predictor, base, place, taken);
  } else {
    *base = fresh(tag, taken);
  }
  base->useful |= taken != 0;
  if (base->useful) roof_history_push(&predictor->history, place, (uint64_t)taken);
  return mispredicted;
}

int roof_predictor_jump(struct roof_predictor* predictor, uint64_t place, uint64_t target) {
  uint64_t hash[ROOF_HISTORIES];
  roof_history_hash(&predictor->history, place, hash);
  const int mispredicted = roof_targets_take(&predictor->targets, hash, place, target,
                                             (int)(next_random(predictor) & 1));
  roof_history_push(&predictor->history, place, target);
  return mispredicted;
}
