/* SPDX-License-Identifier: BSD-3-Clause */
#include "collectors/counting/native/bursts.h"

/* In microseconds. A thread is in a burst for two fifths of the time: where that makes it eight
 * times as slow, it does a tenth of its work there, and takes twice as long in all. */
enum { kPeriod = 100000, kBurst = 40000, kFirst = 10000 };
/* A part that waits for its threads to have CPUs ends after so many times its time, and looks no
 * more often than this. A rest has no more than so many periods. */
enum { kLongest = 10, kLook = 1000, kLongestRest = 10 };
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

static struct roof_native_clocks clocks_of(const struct roof_native_bursts* bursts) {
  const struct roof_native_clocks unknown = {0, 0};
  return bursts->clocks ? bursts->clocks() : unknown;
}

/* Ticks of this part in which its threads had CPUs: the mean of those that were in it. Code of the
 * engine has no floating point. */
static uint64_t work(const struct roof_native_bursts* bursts, uint64_t now) {
  enum { kOne = 1024 };
  const struct roof_native_clocks clocks = clocks_of(bursts);
  const uint64_t passed = now - bursts->began, threads = bursts->threads ? bursts->threads : 1;
  const uint64_t real = (clocks.realtime - bursts->then.realtime) * threads;
  const uint64_t cpu = clocks.cpu - bursts->then.cpu;
  return real > cpu ? passed / kOne * (cpu * kOne / real) : passed;
}

/* Ticks for which a burst that began then is followed by none, so that bursts take two fifths of
 * the time. The next one begins when one of all processes does. */
static uint64_t rest(const struct roof_native_bursts* bursts, uint64_t now) {
  const uint64_t most = (uint64_t)kLongestRest * kPeriod, realtime = clocks_of(bursts).realtime;
  uint64_t least = (now - bursts->burst) / bursts->ticks * (kPeriod - kBurst) / kBurst;
  if (least > most) least = most;
  if (!realtime) return (least > kPeriod - kBurst ? least : kPeriod - kBurst) * bursts->ticks;
  const uint64_t begins = realtime / 1000 % kPeriod;
  const uint64_t periods = (begins + least + kPeriod / 2) / kPeriod;
  return ((periods ? periods : 1) * kPeriod - begins) * bursts->ticks;
}

static void begin(struct roof_native_bursts* bursts, enum roof_native_part_of_burst part,
                  uint64_t now) {
  if (bursts->part == ROOF_BURST_FIRST) bursts->first += now - bursts->began;
  if (part == ROOF_BURST_FIRST || part == ROOF_BURST_WARM) {
    bursts->burst = now;
    bursts->worked = 0;
    bursts->wanted = (part == ROOF_BURST_WARM ? kBurst / 2 : kFirst) * bursts->ticks;
  }
  /* What is left of the burst is measured. */
  if (part == ROOF_BURST_MEASURED) {
    const uint64_t whole = kBurst * bursts->ticks;
    bursts->wanted = bursts->worked < whole ? whole - bursts->worked : 0;
    ++bursts->bursts;
  }
  if (part == ROOF_BURST_RESTING) bursts->wanted = rest(bursts, now);
  bursts->began = now;
  bursts->then = clocks_of(bursts);
  bursts->asked = 0;
  bursts->threads = 0;
  bursts->part = part;
  __atomic_store_n(&bursts->until, now + bursts->wanted, __ATOMIC_RELAXED);
  __atomic_store_n(&bursts->number, bursts->number + 1, __ATOMIC_RELAXED);
}

/* A burst that goes on has a part that ends when its threads have worked for long enough. */
static void follow_burst(struct roof_native_bursts* bursts, uint64_t now) {
  const uint64_t worked = work(bursts, now);
  const int is_asked = __atomic_load_n(&bursts->asked, __ATOMIC_RELAXED) >= bursts->last_bytes;
  const int is_long = worked + kLook * bursts->ticks >= bursts->wanted;
  const int is_warm = bursts->part == ROOF_BURST_WARM && (is_asked || is_long);
  if (!is_warm && !is_long && now - bursts->began < kLongest * bursts->wanted) {
    __atomic_store_n(&bursts->until, now + bursts->wanted - worked, __ATOMIC_RELAXED);
    return;
  }
  bursts->worked = worked;
  if (bursts->part == ROOF_BURST_WARM && !is_warm) ++bursts->cold;
  begin(bursts, is_warm ? ROOF_BURST_MEASURED : ROOF_BURST_RESTING, now);
}

/* The part that is now. */
static void follow(struct roof_native_bursts* bursts, uint64_t now) {
  if (!bursts->number) {
    bursts->start = bursts->began = now;
    begin(bursts, ROOF_BURST_FIRST, now);
  }
  if (!part_is_over(bursts, now)) return;
  if (bursts->part == ROOF_BURST_RESTING)
    begin(bursts, ROOF_BURST_WARM, now);
  else
    follow_burst(bursts, now);
}

static int may_be_first(const struct roof_native_bursts* bursts, uint64_t now) {
  return bursts->first < kFirstAllowance * bursts->ticks ||
         bursts->first < (now - bursts->start) / kFirstShare;
}

static uint32_t extent_of(struct roof_native_bursts* bursts, uint32_t path, uint32_t layer,
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

uint32_t roof_native_bursts_extent(struct roof_native_bursts* bursts, uint32_t path, uint32_t layer,
                                   uint64_t now, uint32_t* number) {
  const uint32_t extent = extent_of(bursts, path, layer, now);
  if (*number != bursts->number) ++bursts->threads;
  *number = bursts->number;
  return extent;
}
