// SPDX-License-Identifier: BSD-3-Clause
//
// One perf_event group: a leader and siblings that the kernel puts on the CPU's counters together,
// for one thread or one CPU. Opened once, enabled once, never reset: what it gives are raw totals,
// of which delta.h takes differences.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_PERF_GROUP_H_
#define ROOFMARK_COLLECTORS_HARDWARE_PERF_GROUP_H_

#include <linux/perf_event.h>
#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "collectors/hardware/threads/counters.h"
#include "lib/core/event_descriptor.h"

namespace roofmark::perf {

using threads::kMostInGroup;
using threads::OpenFailure;  // `error` is errno
using threads::Reading;

enum class ReadStatus : uint8_t {
  kOk,
  kError,      // errno says why
  kEndOfFile,  // the kernel took the events off for good (a pinned group that does not fit)
  kShort,
  kForeign,  // not the events that were opened: the program closed the descriptor and reused it
};

class Group {
 public:
  // `events` (1 to kMostInGroup) say what is counted: type, config..., bp_*; the rest is set here.
  // For `tid` on any CPU (0: the caller), or, with tid -1, for everything on `cpu` in all modes. A
  // thread's user mode only unless `with_kernel`.
  static std::optional<Group> Open(const std::vector<perf_event_attr>& events, pid_t tid, int cpu,
                                   bool with_kernel, OpenFailure* failure);
  // A group that another process opened, by descriptors and ids of all events, the leader first: an
  // event ends with its last descriptor, so that a leader alone would lose its siblings when the
  // process that opened them ends. Takes the descriptors.
  static Group Adopt(const std::vector<int>& descriptors,
                     const std::vector<uint64_t>& ids) noexcept;
  ~Group();
  Group(Group&& other) noexcept;
  Group& operator=(Group&& other) noexcept;
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  size_t size() const { return size_; }
  std::vector<EventDescriptor> Descriptors() const {
    return {events_.begin(), events_.begin() + size_};
  }
  std::vector<uint64_t> Ids() const;

  // One read(2), from any thread of the process, after asking what the descriptor stands for.
  ReadStatus Read(Reading& reading) const noexcept;
  // Only by the thread that is counted: without a system call where the kernel allows, else Read.
  ReadStatus ReadOwn(Reading& reading) const noexcept;
  // Asks the kernel for the pages that ReadOwn needs; without them it is as slow as Read. False if
  // it will be.
  bool MapPages() noexcept;

  // Counts on, or stands still; its totals stay.
  bool Enable(bool on) noexcept;

  // Of a forked child: gives up the descriptors; the pages are not mapped there.
  void CloseInChild() noexcept;

 private:
  Group() = default;
  void CloseAll() noexcept;

  size_t size_ = 0;
  std::array<EventDescriptor, kMostInGroup> events_;
  std::array<const perf_event_mmap_page*, kMostInGroup> pages_{};
  bool mapped_ = false;
};

}  // namespace roofmark::perf

#endif  // ROOFMARK_COLLECTORS_HARDWARE_PERF_GROUP_H_
