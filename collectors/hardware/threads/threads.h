// SPDX-License-Identifier: BSD-3-Clause
//
// All counted threads of the process. A thread is noticed when it is created (thread_hook.h), at
// its first marker, or, for those that bypass both, at a boundary of the team when the link count
// of /proc/self/task says that their number changed. One instance at a time is told of new threads.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_THREADS_THREADS_H_
#define ROOFMARK_COLLECTORS_HARDWARE_THREADS_THREADS_H_

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "collectors/hardware/threads/counted_thread.h"
#include "lib/core/descriptor.h"

namespace roofmark::threads {

// Half of the descriptors that the process may still open: the rest is the application's. None
// where FilesAreFew().
size_t DescriptorBudget();

class Threads {
 public:
  // Counts all threads that there are, and all that come. At most `budget` descriptors. `source`
  // must outlive this.
  // With `rotate` one group counts at a time, another one at each visit (ROOFMARK_ROTATE).
  Threads(Source& source, size_t budget, bool rotate = false);
  ~Threads();
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  // What all of them count in finished visits is kept in `store`, which must outlive this; before
  // the first visit.
  void KeepIn(counts::CountStore& store) noexcept;

  // By the main thread. One read per group and thread. `finished` ends there; nullptr: no visit.
  void EnterTeam(uint32_t path, const counts::FinishedVisit* finished = nullptr) noexcept;
  // By the thread concerned.
  void EnterOwn(uint32_t path, const counts::FinishedVisit* finished = nullptr) noexcept;
  // By the thread concerned; see CountedThread. One read per group.
  Layer EnterLayer(Layer layer) noexcept;
  // By any thread: what follows is in no path, on any thread, or again in those that were entered.
  // One read per group and thread.
  void SetCounting(bool on) noexcept;

  // Brings all sums up to now, then calls visit(worker, layer, path, sums).
  template <typename Visit>
  void Harvest(Visit visit) {
    for (CountedThread* each = head_.load(); each != nullptr; each = each->next) {
      each->Harvest([&](Layer layer, uint32_t path, const Sum* sums) {
        visit(each->worker(), layer, path, sums);
      });
    }
  }

  // Why a thread, or a part of what it did, is missing in the sums; empty if nothing is.
  std::string WhyIncomplete() const;

 private:
  struct Mine;  // the calling thread's record
  static Mine& OfThisThread() noexcept;
  static void ThreadStarted() noexcept;
  static void ThreadEnded() noexcept;
  static void DetachChild() noexcept;

  enum class Seen { kFromItsStart, kLate };
  CountedThread* Adopt(Seen seen) noexcept;
  void Release() noexcept;
  // With attach_mutex_ held.
  CountedThread* Find(pid_t tid) noexcept;
  CountedThread* Attach(pid_t tid) noexcept;
  void DetachLocked(CountedThread* thread) noexcept;
  // What a thread that is first seen now did before, it did in the path `before`.
  void ReconcileIfChanged(uint32_t before) noexcept;
  void Reconcile(uint32_t before) noexcept;
  void AttachNew(const std::vector<pid_t>& listed, uint32_t before) noexcept;
  uint64_t Links() const noexcept;

  Source& source_;
  const size_t budget_;
  const bool rotate_;
  const uint64_t generation_;
  std::atomic<uint32_t> team_path_{0};
  std::atomic<CountedThread*> head_{nullptr};  // grows at its head; never shrinks
  mutable std::mutex attach_mutex_;
  bool counting_ = true;  // with attach_mutex_ held
  size_t used_ = 0;       // descriptors
  uint32_t workers_ = 0;
  OpenFailure first_failure_;  // error 0: none
  counts::CountStore* store_ = nullptr;
  // Counted to their end, but perhaps still in /proc/self/task. With attach_mutex_ held.
  std::vector<pid_t> ended_;
  KnownDescriptor tasks_;     // /proc/self/task, only for its link count
  uint64_t known_links_ = 0;  // main thread only
};

}  // namespace roofmark::threads

#endif  // ROOFMARK_COLLECTORS_HARDWARE_THREADS_THREADS_H_
