// SPDX-License-Identifier: BSD-3-Clause
//
// Time inside calls of MPI on the process's main thread, by the way of calls that led there: how
// long a rank waits depends on who called, and nothing that is executed meanwhile tells that.
#ifndef ROOFMARK_MARKERS_SAMPLES_CALL_TIMES_H_
#define ROOFMARK_MARKERS_SAMPLES_CALL_TIMES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <vector>

#include "lib/core/clock.h"
#include "lib/core/stack_bounds.h"
#include "lib/samples/samples.h"
#include "markers/samples/modules.h"

namespace roofmark::samples {

// A stack is walked once for each place of it from which a call is made: afterwards the return
// addresses that were found are compared with those that stand there now, ~20 ns. Walking takes at
// most a two-hundredth of the time that passes; beyond it, only who called is known.
class CallTimes {
 public:
  CallTimes();
  CallTimes(const CallTimes&) = delete;
  CallTimes& operator=(const CallTimes&) = delete;

  // A call has ended that took `ticks`. `frame` is that of a function which is still on the stack,
  // the same one for calls of a kind; `caller` is the address to which the function returns that
  // the program called. Calls on stacks other than the main thread's are ignored. Any thread.
  void Add(uint64_t ticks, const void* frame, const void* caller) noexcept;

  // By frames, each once. May throw std::bad_alloc.
  std::vector<TimedCalls> Take();

 private:
  struct Sums {
    std::vector<CodePlace> frames;
    uint64_t calls = 0, ticks = 0;
  };
  using Addresses = std::vector<uintptr_t>;
  using Ways = std::map<Addresses, Sums>;
  // A way of calls, and where its return addresses stand.
  struct Known {
    const void* frame = nullptr;
    Ways::value_type* way = nullptr;
    std::array<const uintptr_t*, kMostTimedFrames> slots = {};

    bool IsStill(const void* called_frame, uintptr_t caller) const;
  };

  // Several ways lead to one place, and often in turns: each place has room for some.
  static constexpr size_t kWaysOfAPlace = 8;
  std::span<Known> KnownOf(const void* frame, uintptr_t caller);
  void AddNew(uint64_t ticks, const void* frame, uintptr_t caller);
  bool MayWalk(uint64_t now) const;
  Ways::value_type* Find(const Addresses& addresses);
  void NoteModules();
  // The ways so far, as addresses; their sums stay.
  void Forget();
  static bool IsBefore(const Sums& one, const Sums& other);

  const ClockPair started_;
  const StackBounds stack_;  // empty: the thread that made this is not the main one

  // For all below. Nobody waits for it: a handler of signals may have left Add() for good.
  std::mutex mutex_;
  std::vector<Known> known_;  // empty before the first call
  Ways ways_;
  std::vector<Sums> earlier_;  // of modules that were unloaded
  ModuleMap map_;
  ModuleChanges changes_;
  size_t replaced_ = 0;
  uint64_t walks_ = 0, ticks_of_walks_ = 0;
};

}  // namespace roofmark::samples

#endif  // ROOFMARK_MARKERS_SAMPLES_CALL_TIMES_H_
