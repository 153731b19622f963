// SPDX-License-Identifier: BSD-3-Clause
//
// Samples of one thread by a timer of its CPU time, where perf_event is denied. The timer's signal
// interrupts the thread, and the handler notes where. The signal is SIGURG: unlike SIGPROF it does
// no harm where a program resets its handlers, and a program's own profiler can use SIGPROF beside
// it. A system call that waits can be interrupted by it (SA_RESTART restarts most). Timers do not
// exist in a forked child.
#ifndef ROOFMARK_MARKERS_SAMPLES_SIGNAL_TIMER_H_
#define ROOFMARK_MARKERS_SAMPLES_SIGNAL_TIMER_H_

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "markers/samples/drained.h"

namespace roofmark::samples {

// Written by the handler on its thread, read by one other thread at a time. Never freed: a signal
// may be under way when its timer is deleted.
struct SignalBuffer {
  static constexpr uint32_t kEntries = 1024;
  std::atomic<uint32_t> written{0}, read{0};
  std::atomic<uint64_t> lost{0};
  std::atomic<uint64_t> address[kEntries];
};

class SignalTimer {
 public:
  // Puts the handler in place. Returns why not: the program has one of its own, say.
  static std::string Install() noexcept;
  // False once the program has put another one in its place.
  static bool IsInstalled() noexcept;
  // Gives back what was there before, unless it was replaced; in a forked child, too.
  static void Uninstall() noexcept;

  // Timers run out with the kernel's tick. The least multiple of it that is not below `period_ns`.
  static uint64_t PeriodFor(uint64_t period_ns) noexcept;

  // Of any thread of this process, after Install(). On failure errno is in `error`.
  static std::optional<SignalTimer> Start(pid_t tid, uint64_t period_ns, int* error) noexcept;
  ~SignalTimer();
  SignalTimer(SignalTimer&& other) noexcept;
  SignalTimer& operator=(SignalTimer&&) = delete;

  // Adds the addresses. No system call, except for memory of `addresses`. One thread at a time,
  // which need not be the one that is sampled.
  void Drain(std::vector<uint64_t>& addresses, Drained& drained) noexcept;

 private:
  SignalTimer(int timer, size_t slot) : timer_(timer), slot_(slot) {}

  int timer_;  // the kernel's number; -1: moved from
  size_t slot_;
};

}  // namespace roofmark::samples

#endif  // ROOFMARK_MARKERS_SAMPLES_SIGNAL_TIMER_H_
