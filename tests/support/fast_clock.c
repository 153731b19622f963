/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Preloaded, it makes CLOCK_MONOTONIC go a thousand times as fast, and everything that is measured
 * by it a thousand times as short: bursts of the native engine follow each other every 100 us. */
#define _GNU_SOURCE
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { kTimes = 1000 };

__attribute__((visibility("default"))) int clock_gettime(clockid_t clock, struct timespec* now) {
  const long result = syscall(SYS_clock_gettime, clock, now);
  if (clock != CLOCK_MONOTONIC || result != 0) return (int)result;
  const uint64_t ns = kTimes * ((uint64_t)now->tv_sec * 1000000000 + (uint64_t)now->tv_nsec);
  now->tv_sec = (time_t)(ns / 1000000000);
  now->tv_nsec = (long)(ns % 1000000000);
  return 0;
}
