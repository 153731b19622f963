// SPDX-License-Identifier: BSD-3-Clause
//
// One thread that is counted: its groups, the last reading of each, the path it is in, and what it
// did in every path so far. Its lock is taken by the thread itself and by the main thread, which
// reads for the team; it is held for one read of each group.
#ifndef ROOFMARK_COLLECTORS_PERF_EVENT_COUNTED_THREAD_H_
#define ROOFMARK_COLLECTORS_PERF_EVENT_COUNTED_THREAD_H_

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "collectors/perf_event/group.h"
#include "collectors/perf_event/path_sums.h"

namespace roofmark::perf {

// What every thread counts: groups of events, in an order that numbers them through.
struct EventSet {
  std::vector<std::vector<perf_event_attr>> groups;
  bool with_kernel = false;

  size_t events() const;  // = descriptors per thread
};

class CountedThread {
 public:
  // `set` must outlive this. `worker` names the thread in the harvest.
  CountedThread(const EventSet& set, uint32_t worker)
      : set_(set), worker_(worker), sums_(set.events()) {}

  // Begins to count `tid`, which is in the team's path. On failure says why and stays closed.
  std::optional<OpenFailure> Attach(pid_t tid, const std::atomic<uint32_t>& team_path) noexcept;
  // What the thread did in `path` before it was attached is missing there.
  void MissedWork(uint32_t path) noexcept;
  // By the thread that is counted: its own readings will be cheap where the kernel allows.
  void MapPages() noexcept;
  // Adds what the thread did until now and closes. Another thread may be attached afterwards.
  void Detach() noexcept;
  void DetachInChild() noexcept;

  // The thread goes on in another path: what it did since the last boundary belongs to the path it
  // was in.
  void EnterTeam(uint32_t path, bool own) noexcept;
  void EnterOwn(uint32_t path) noexcept;

  pid_t tid() const { return tid_.load(); }  // 0: attached to none
  uint32_t worker() const { return worker_; }
  // Something could not be stored for lack of memory.
  bool lost() const { return lost_.load(); }

  // Adds what the thread did until now, then calls visit(path, sums of all events).
  template <typename Visit>
  void Harvest(Visit visit) {
    const std::lock_guard lock(mutex_);
    Account(false);
    sums_.ForEach(visit);
  }

 private:
  struct Counted {
    Group group;
    Reading last;
    bool known;  // `last` is the total at the last boundary
  };

  // With the lock held.
  void Account(bool own) noexcept;
  void AccountGroup(Counted& counted, Sum* row, bool own) noexcept;
  void Close() noexcept;
  uint32_t Path() const { return own_path_ != 0 ? own_path_ : team_path_; }

  const EventSet& set_;
  const uint32_t worker_;
  std::mutex mutex_;
  std::atomic<pid_t> tid_{0};
  uint32_t team_path_ = 0, own_path_ = 0;
  std::vector<Counted> groups_;
  PathSums sums_;
  std::atomic<bool> lost_{false};

 public:
  CountedThread* next = nullptr;  // in the list of Threads
};

}  // namespace roofmark::perf

#endif  // ROOFMARK_COLLECTORS_PERF_EVENT_COUNTED_THREAD_H_
