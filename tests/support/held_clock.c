/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "tests/support/held_clock.h"

#include <errno.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))

#ifdef HELD_FROM_THE_START
EXPORTED uint64_t held_clock_ns = HELD_CLOCK_BEGIN_NS, held_clock_reading_ns = 1;
#else
EXPORTED uint64_t held_clock_ns = 0, held_clock_reading_ns = 0;
#endif
EXPORTED int64_t held_clock_wall_s = 0;

EXPORTED int clock_gettime(clockid_t clock, struct timespec* now) {
  if (clock != CLOCK_MONOTONIC || __atomic_load_n(&held_clock_ns, __ATOMIC_RELAXED) == 0) {
    const long result = syscall(SYS_clock_gettime, clock, now);
    if (clock == CLOCK_REALTIME && result == 0) now->tv_sec += held_clock_wall_s;
    return (int)result;
  }
  const uint64_t took = __atomic_load_n(&held_clock_reading_ns, __ATOMIC_RELAXED);
  const uint64_t ns = __atomic_add_fetch(&held_clock_ns, took, __ATOMIC_RELAXED);
  now->tv_sec = (time_t)(ns / 1000000000);
  now->tv_nsec = (long)(ns % 1000000000);
  return 0;
}

/* Who sleeps until a time of a held clock moves it there. */
EXPORTED int clock_nanosleep(clockid_t clock, int flags, const struct timespec* wanted,
                             struct timespec* left) {
  uint64_t now = __atomic_load_n(&held_clock_ns, __ATOMIC_RELAXED);
  if (clock != CLOCK_MONOTONIC || flags != TIMER_ABSTIME || now == 0) {
    return syscall(SYS_clock_nanosleep, clock, flags, wanted, left) == 0 ? 0 : errno;
  }
  const uint64_t until = (uint64_t)wanted->tv_sec * 1000000000 + (uint64_t)wanted->tv_nsec;
  while (now < until && !__atomic_compare_exchange_n(&held_clock_ns, &now, until, 0,
                                                     __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  return 0;
}
