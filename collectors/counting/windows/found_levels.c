/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectors/counting/windows/found_levels.h"

#include "collectors/counting/cache/record.h"

/* Programs have phases: half of what is known of an instruction is older than some fifty accesses.
 */
enum { kPlaceBits = 14, kLineBits = 16, kWhole = 1 << 16, kOne = 256, kMost = 64 * kOne };
/* Of an instruction, by their powers of two, and all of them together. */
enum { kAnyStep = 63, kSteps = 64 };

/* Of lines that the window had not touched: accesses of simulated ones, kOne each, by level, and
 * what each level is owed, in parts of kWhole. */
struct shares {
  uint32_t found[ROOF_FLOW_LEVELS];
  int32_t owed[ROOF_FLOW_LEVELS];
};

/* [0]: of lines that no window touched before, as far as is known, [1]: of others. */
struct place {
  uint64_t key;
  struct shares of[2];
};

struct touched {
  uint64_t line;
  uint64_t at; /* which access this was */
};

struct last {
  uint64_t key, address;
};

struct roof_found_levels {
  struct roof_line_sampling sampling;
  uint64_t accesses, begin; /* so far, and when the window began */
  struct shares all[2];     /* of all instructions: for those of which nothing is known yet */
  struct place place[1 << kPlaceBits];
  struct touched touched[1 << kLineBits];
  struct last last[1 << kPlaceBits];
};

struct roof_found_levels* roof_found_levels_create(const struct roof_memory* memory,
                                                   const struct roof_line_sampling* sampling) {
  struct roof_found_levels* levels = roof_memory_allocate(memory, sizeof *levels);
  if (levels) levels->sampling = *sampling;
  return levels;
}

void roof_found_levels_begin(struct roof_found_levels* levels) { levels->begin = levels->accesses; }

static uint64_t mix(uint64_t value, unsigned bits) {
  return value * UINT64_C(0x9E3779B97F4A7C15) >> (64 - bits);
}

/* How many accesses of windows came since one of them touched the line last; 0: none did. Two lines
 * have room in a pair of entries, of more the oldest one goes. */
static uint64_t touch(struct roof_found_levels* levels, uint64_t line) {
  struct touched* pair = &levels->touched[mix(line, kLineBits) & ~UINT64_C(1)];
  struct touched* entry = pair[0].at < pair[1].at ? &pair[0] : &pair[1];
  uint64_t since = 0;
  ++levels->accesses;
  for (unsigned i = 0; i < 2; ++i) {
    if (pair[i].line != line) continue;
    entry = &pair[i];
    since = levels->accesses - entry->at;
  }
  entry->line = line;
  entry->at = levels->accesses;
  return since;
}

/* Of two instructions with one entry the later one has it, and begins anew. */
static struct shares* shares_of(struct roof_found_levels* levels, uint64_t key, int before) {
  static const struct place kNone;
  struct place* place = &levels->place[mix(key, kPlaceBits)];
  if (place->key != key) {
    *place = kNone;
    place->key = key;
  }
  return &place->of[before];
}

/* How far the instruction went since its last access, as a power of two: a search comes to lines
 * that nobody has had for long in its last steps, which are short. */
static unsigned step_of(struct roof_found_levels* levels, uint64_t key, uint64_t address) {
  struct last* last = &levels->last[mix(key, kPlaceBits)];
  const uint64_t before = last->key == key ? last->address : address;
  const uint64_t step = address > before ? address - before : before - address;
  last->key = key;
  last->address = address;
  return step ? 63 - (unsigned)__builtin_clzll(step) : 0;
}

static uint64_t sum_of(const struct shares* shares) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < ROOF_FLOW_LEVELS; ++i) sum += shares->found[i];
  return sum;
}

static void learn(struct shares* shares, unsigned level) {
  shares->found[level] += kOne;
  if (sum_of(shares) < kMost) return;
  for (unsigned i = 0; i < ROOF_FLOW_LEVELS; ++i) shares->found[i] /= 2;
}

/* The level that is owed most. */
static unsigned choose(struct shares* shares, uint64_t sum) {
  unsigned most = 0;
  for (unsigned i = 0; i < ROOF_FLOW_LEVELS; ++i) {
    shares->owed[i] += (int32_t)((uint64_t)shares->found[i] * kWhole / sum);
    if (shares->owed[i] > shares->owed[most]) most = i;
  }
  shares->owed[most] -= kWhole;
  return most;
}

unsigned roof_found_levels_of(struct roof_found_levels* levels, uint64_t key, uint64_t address,
                              unsigned found) {
  const int is_simulated = ROOF_SAMPLE_SELECTED(address, levels->sampling.shift);
  const uint64_t since = touch(levels, address / 64);
  const unsigned step = step_of(levels, key, address);
  const int before = since != 0;
  if (before && since < levels->accesses - levels->begin) {
    if (is_simulated) return found;
    return since < levels->sampling.first_lines ? (unsigned)ROOF_FLOW_L1 : levels->sampling.second;
  }
  /* What is known, from the most special to the most general. */
  struct shares* const known[] = {shares_of(levels, key * kSteps + step, before),
                                  shares_of(levels, key * kSteps + kAnyStep, before),
                                  &levels->all[before]};
  for (unsigned i = 0; i < 3; ++i) {
    const uint64_t sum = sum_of(known[i]);
    if (is_simulated) {
      learn(known[i], found);
    } else if (sum) {
      return choose(known[i], sum);
    }
  }
  return is_simulated ? found : (unsigned)ROOF_FLOW_L1;
}
