// SPDX-License-Identifier: BSD-3-Clause
//
// One of PAPI's event sets, attached to a thread by its id. Never multiplexed by PAPI, whose reads
// then hide errors; started once, or stopped and started again by turns. Totals go on over a stop.
#ifndef ROOFMARK_COLLECTORS_PAPI_EVENT_SET_H_
#define ROOFMARK_COLLECTORS_PAPI_EVENT_SET_H_

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "collectors/hardware/threads/counters.h"

namespace roofmark::papi {

class EventSet {
 public:
  struct Options {
    bool with_kernel = false;
    // The set's time is the thread's CPU time, as that of the kernel's groups: counters stand still
    // while the thread waits for a CPU. One more system call for each read.
    bool in_turns = false;
  };
  // 1 to kMostInGroup codes. The failure's error is PAPI's (negative), or EMFILE, or ESRCH if the
  // thread has ended.
  static std::optional<EventSet> Open(const std::vector<int>& codes, pid_t tid,
                                      const Options& options, threads::OpenFailure* failure);
  ~EventSet() { Close(); }
  EventSet(EventSet&& other) noexcept { *this = std::move(other); }
  EventSet& operator=(EventSet&& other) noexcept;
  EventSet(const EventSet&) = delete;
  EventSet& operator=(const EventSet&) = delete;

  // 0, or PAPI's error.
  int Start() noexcept;
  bool Stop() noexcept;
  bool Running() const { return running_; }
  // Totals over all the time that it counted. The set cannot wait for a counter: the kernel gives
  // it all of them or takes it off for good, which is an error. False: nothing is known.
  bool Read(threads::Reading& reading) noexcept;
  // False: PAPI keeps the set and its descriptors until the process ends. PAPI reads a set before
  // it stops it and does not stop it if that fails, as it does for ever once the kernel took the
  // set off its counters for good.
  bool Close() noexcept;
  // Of a forked child: PAPI would stop the parent's counters.
  void Abandon() noexcept { set_ = kNone; }

 private:
  static constexpr int kNone = -1;
  EventSet() = default;
  uint64_t ThreadsNs() noexcept;

  int set_ = kNone;
  pid_t tid_ = 0;
  bool in_turns_ = false;
  size_t size_ = 0;
  bool running_ = false;
  bool lost_ = false;  // what a stop should have given could not be read
  uint64_t started_ns_ = 0;
  uint64_t last_ns_ = 0;
  uint64_t counted_ns_ = 0;  // up to the last stop, as are totals_
  std::array<uint64_t, threads::kMostInGroup> totals_{};
};

}  // namespace roofmark::papi

#endif  // ROOFMARK_COLLECTORS_PAPI_EVENT_SET_H_
