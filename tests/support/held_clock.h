/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A clock that a test holds. Where this is linked, CLOCK_MONOTONIC is `held_clock_ns` while that is
 * not 0: it stands still unless the test moves it. It stands in front of clock_gettime(), so
 * nothing in roofmark knows of it. Who sleeps until a time of it moves it there.
 *
 * A test is linked with `held_clock`, holds one for a while (HeldClock), and starts no process
 * meanwhile. A marked program is linked with `held_program`, and its clock is held from the start:
 * its regions last what it says. */
#ifndef ROOFMARK_TESTS_SUPPORT_HELD_CLOCK_H_
#define ROOFMARK_TESTS_SUPPORT_HELD_CLOCK_H_

#include <stdint.h>

#define HELD_CLOCK_BEGIN_NS UINT64_C(1000000000000)

#ifdef __cplusplus
extern "C" {
#endif

extern uint64_t held_clock_ns;
/* What a reading takes, 1 at the start of a program. Where something waits for a time, it is not 0:
 * so the time comes. */
extern uint64_t held_clock_reading_ns;
/* How far CLOCK_REALTIME is ahead of the kernel's, whether or not a clock is held. */
extern int64_t held_clock_wall_s;

/* One thread moves the clock; others may read it. */
static inline void held_clock_pass(uint64_t ns) {
  const uint64_t now = __atomic_load_n(&held_clock_ns, __ATOMIC_RELAXED);
  __atomic_store_n(&held_clock_ns, now + ns, __ATOMIC_RELAXED);
}

#ifdef __cplusplus
}

namespace roofmark::test {

class HeldClock {
 public:
  // A reading takes `reading_ns`.
  explicit HeldClock(uint64_t reading_ns = 0) { Set(HELD_CLOCK_BEGIN_NS, reading_ns); }
  ~HeldClock() { Set(0, 0); }
  HeldClock(const HeldClock&) = delete;
  HeldClock& operator=(const HeldClock&) = delete;

 private:
  static void Set(uint64_t ns, uint64_t reading_ns) {
    __atomic_store_n(&held_clock_reading_ns, reading_ns, __ATOMIC_RELAXED);
    __atomic_store_n(&held_clock_ns, ns, __ATOMIC_RELAXED);
  }
};

}  // namespace roofmark::test
#endif

#endif /* ROOFMARK_TESTS_SUPPORT_HELD_CLOCK_H_ */
