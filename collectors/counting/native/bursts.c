/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectors/counting/native/bursts.h"

/* In microseconds. A thread is in a burst for two fifths of the time: where that makes it eight
 * times as slow, it does a tenth of its work there, and takes twice as long in all. */
enum { kPeriod = 100000, kBurst = 40000, kFirst = 10000 };
/* First parts take no more than a quarter of the time, and never count below so many. */
enum { kFirstShare = 4, kFirstAllowance = 100000 };
enum { kStrata = ROOF_NATIVE_WARM - ROOF_NATIVE_STRATUM + 1 };

int roof_native_bursts_start(struct roof_native_bursts* bursts, const struct roof_memory* memory,
                             uint64_t ticks, uint64_t last_bytes) {
  const size_t count = (size_t)ROOF_MAX_PATHS * ROOF_LAYERS;
  bursts->first_part = roof_memory_allocate(memory, count * sizeof *bursts->first_part);
  bursts->last_bytes = last_bytes;
  bursts->ticks = bursts->first_part ? ticks : 0;
  return bursts->first_part != NULL;
}

static int part_is_over(const struct roof_native_bursts* bursts, uint64_t now) {
  if (now >= __atomic_load_n(&bursts->until, __ATOMIC_RELAXED)) return 1;
  return bursts->part == ROOF_BURST_WARM &&
         __atomic_load_n(&bursts->asked, __ATOMIC_RELAXED) >= bursts->last_bytes;
}

int roof_native_burst_is_over(const struct roof_native_bursts* bursts, uint32_t number) {
  if (!bursts->ticks) return 0;
  return number != __atomic_load_n(&bursts->number, __ATOMIC_RELAXED) ||
         part_is_over(bursts, __builtin_ia32_rdtsc());
}

/* Microseconds until the next period of all processes begins. */
static uint64_t until_next_period(const struct roof_native_bursts* bursts) {
  if (!bursts->realtime) return kPeriod - kBurst;
  return kPeriod - bursts->realtime() % kPeriod;
}

static void begin(struct roof_native_bursts* bursts, enum roof_native_part_of_burst part,
                  uint64_t now) {
  const uint64_t ends = bursts->began + kBurst * bursts->ticks;
  uint64_t until = now + kFirst * bursts->ticks;
  if (bursts->part == ROOF_BURST_FIRST) bursts->first += now - bursts->began;
  if (part == ROOF_BURST_WARM) until = now + kBurst / 2 * bursts->ticks;
  /* As long as it takes for the rest of the burst, whose warm part began when the last part did. */
  if (part == ROOF_BURST_MEASURED) {
    until = ends;
    ++bursts->bursts;
  }
  if (part == ROOF_BURST_RESTING) until = now + until_next_period(bursts) * bursts->ticks;
  bursts->began = now;
  bursts->asked = 0;
  bursts->part = part;
  __atomic_store_n(&bursts->until, until, __ATOMIC_RELAXED);
  __atomic_store_n(&bursts->number, bursts->number + 1, __ATOMIC_RELAXED);
}

/* The part that is now. */
static void follow(struct roof_native_bursts* bursts, uint64_t now) {
  if (!bursts->number) {
    bursts->start = bursts->began = now;
    begin(bursts, ROOF_BURST_FIRST, now);
  }
  if (!part_is_over(bursts, now)) return;
  switch (bursts->part) {
    case ROOF_BURST_WARM:
      begin(bursts, ROOF_BURST_MEASURED, now);
      break;
    case ROOF_BURST_RESTING:
      begin(bursts, ROOF_BURST_WARM, now);
      break;
    default:
      begin(bursts, ROOF_BURST_RESTING, now);
      break;
  }
}

static int may_be_first(const struct roof_native_bursts* bursts, uint64_t now) {
  return bursts->first < kFirstAllowance * bursts->ticks ||
         bursts->first < (now - bursts->start) / kFirstShare;
}

uint32_t roof_native_bursts_extent(struct roof_native_bursts* bursts, uint32_t path, uint32_t layer,
                                   uint64_t now) {
  follow(bursts, now);
  const int rests = bursts->part == ROOF_BURST_RESTING;
  if (bursts->part == ROOF_BURST_WARM) return ROOF_NATIVE_WARM;
  if (layer == ROOF_LAYER_OWN) return rests ? ROOF_NATIVE_CHEAP : ROOF_NATIVE_FIRST;
  uint32_t* first = &bursts->first_part[path * ROOF_LAYERS + layer];
  if (rests) {
    if (*first || !may_be_first(bursts, now)) return ROOF_NATIVE_CHEAP;
    begin(bursts, ROOF_BURST_FIRST, now);
  }
  if (!*first) *first = bursts->number;
  if (*first == bursts->number || bursts->part == ROOF_BURST_FIRST) return ROOF_NATIVE_FIRST;
  const uint32_t stratum = bursts->bursts % kStrata;
  return stratum == 0 ? ROOF_NATIVE_ALL : ROOF_NATIVE_STRATUM + stratum - 1;
}
