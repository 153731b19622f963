// SPDX-License-Identifier: BSD-3-Clause
//
// What the folder `threads` needs from a collector: raw totals of a set of events, for any thread
// of the process, readable from another one. perf_event and PAPI implement it.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_THREADS_COUNTERS_H_
#define ROOFMARK_COLLECTORS_HARDWARE_THREADS_COUNTERS_H_

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace roofmark::threads {

// More than any core has counters; groups of software events are split here too.
inline constexpr size_t kMostInGroup = 16;
// Counters::CountOnly: none of them.
inline constexpr size_t kNoGroup = SIZE_MAX;

// Totals of one group since it was opened. A plain array: reading must not touch the heap.
struct Reading {
  uint64_t enabled_ns = 0, running_ns = 0;
  std::array<uint64_t, kMostInGroup> values;
};

// Why nothing was opened: an error of the source's own kind, and for which event.
struct OpenFailure {
  int error = 0;
  size_t event = 0;
};

// The counters of one thread. Destroying them closes them. Calls are serialised by the caller.
class Counters {
 public:
  virtual ~Counters() = default;
  // The totals of one group; false if they cannot be had or not be trusted. `own`: the caller is
  // the thread that is counted.
  virtual bool Read(size_t group, bool own, Reading& reading) noexcept = 0;
  // By the thread that is counted, before its first own reading.
  virtual void PrepareOwnReads() noexcept {}
  // ROOFMARK_ROTATE: from here on only this group counts. False if that could not be done: any of
  // them may count now, until the next call.
  virtual bool CountOnly(size_t /*group*/) noexcept { return false; }
  // Of a forked child: gives up what the parent goes on using.
  virtual void CloseInChild() noexcept = 0;
};

// Opens the same events for every thread. Thread-safe; outlives all counters.
class Source {
 public:
  virtual ~Source() = default;
  // Events in each group; the events are numbered through in this order.
  virtual const std::vector<size_t>& Groups() const = 0;
  virtual size_t Descriptors() const = 0;  // per thread
  // Descriptors of destroyed counters that stay open until the process ends.
  virtual size_t KeptOpen() const { return 0; }
  // nullptr, and why, if the thread cannot be counted. ESRCH: it has ended.
  virtual std::unique_ptr<Counters> Open(pid_t tid, OpenFailure& failure) noexcept = 0;
  // A sentence with cause and cure. `error` is an OpenFailure's, neither EMFILE nor ESRCH.
  virtual std::string Explain(int error) const = 0;

  size_t Events() const { return std::accumulate(Groups().begin(), Groups().end(), size_t{0}); }
};

}  // namespace roofmark::threads

#endif  // ROOFMARK_COLLECTORS_HARDWARE_THREADS_COUNTERS_H_
