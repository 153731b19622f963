// SPDX-License-Identifier: BSD-3-Clause
//
// One thread that is counted: its counters, the last reading of each group, the path it is in, and
// what it did in every path so far. Its lock is taken by the thread itself and by the main thread,
// which reads for the team; it is held for one read of each group.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_THREADS_COUNTED_THREAD_H_
#define ROOFMARK_COLLECTORS_HARDWARE_THREADS_COUNTED_THREAD_H_

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "collectors/hardware/threads/counters.h"
#include "collectors/hardware/threads/kept_sums.h"
#include "collectors/hardware/threads/path_sums.h"
#include "lib/core/layer.h"

namespace roofmark::threads {

class CountedThread {
 public:
  // `source` must outlive this. `worker` names the thread in the harvest. With `rotate` one group
  // counts at a time: that which the path entered has seen least of.
  CountedThread(Source& source, uint32_t worker, bool rotate)
      : source_(source),
        sizes_(source.Groups()),
        worker_(worker),
        rotate_(rotate),
        groups_(source.Groups().size()),
        sums_(source.Events()) {}

  // Begins to count `tid`, which is in the team's path. On failure says why and stays closed.
  std::optional<OpenFailure> Attach(pid_t tid, const std::atomic<uint32_t>& team_path) noexcept;
  // What the thread did in `path` before it was attached is missing there.
  void MissedWork(uint32_t path) noexcept;
  // Counts of finished visits are kept in `store` from now on; before the first visit.
  void KeepIn(counts::CountStore& store) noexcept;
  // By the thread that is counted: its own readings will be cheap where the kernel allows.
  void PrepareOwnReads() noexcept;
  // Adds what the thread did until now and closes. Another thread may be attached afterwards.
  void Detach() noexcept;
  void DetachInChild() noexcept;

  // The thread goes on in another path: what it did since the last boundary belongs to the path it
  // was in. `finished`, if not nullptr, ends there.
  void EnterTeam(uint32_t path, bool own, const counts::FinishedVisit* finished) noexcept;
  void EnterOwn(uint32_t path, const counts::FinishedVisit* finished) noexcept;
  // By the thread that is counted: from here on what it does belongs to this layer of its path.
  // Returns the one in which it was. A boundary of its own brings it back to its work: markers are
  // the program's.
  Layer EnterLayer(Layer layer) noexcept;
  // By any thread. Without counting what it does is in no path.
  void SetCounting(bool on) noexcept;

  pid_t tid() const { return tid_.load(); }  // 0: attached to none
  uint32_t worker() const { return worker_; }
  // Something could not be stored for lack of memory.
  bool lost() const { return lost_.load(); }

  // Adds what the thread did until now, then calls visit(layer, path, sums of all events).
  template <typename Visit>
  void Harvest(Visit visit) {
    const std::lock_guard lock(mutex_);
    Account(false);
    for (const Layer layer : {Layer::kWork, Layer::kMpi, Layer::kRuntime}) {
      const PathSums* sums = SumsOf(layer);
      if (sums == nullptr) continue;
      sums->ForEach([&](uint32_t path, const Sum* row) { visit(layer, path, row); });
    }
  }

 private:
  struct Group {
    Reading last;
    bool known = false;  // `last` is the total at the last boundary
  };

  // Where counts are added: the sums of one path, by event. `row` is nullptr where they go nowhere;
  // `open` (KeptSums::Open) as well if they are not kept.
  struct Places {
    Sum* row = nullptr;
    Sum* open = nullptr;

    Places From(size_t event) const {
      return {row == nullptr ? nullptr : row + event, open == nullptr ? nullptr : open + event};
    }
    template <typename Change>
    void Both(size_t event, Change change) const {
      if (row != nullptr) change(row[event]);
      if (open != nullptr) change(open[event]);
    }
  };

  // nullptr where the thread was never in it, or memory was short.
  PathSums* SumsOf(Layer layer) noexcept {
    return layer == Layer::kWork ? &sums_ : apart_[layer == Layer::kMpi ? 0 : 1].get();
  }

  // With the lock held.
  Places PlacesOf(uint32_t path, Layer layer) noexcept;
  void Account(bool own) noexcept;
  void AccountOne(const Places& places, bool own) noexcept;
  void Rotate() noexcept;
  void Activate(size_t group) noexcept;
  // False if the interval is not known.
  bool AccountGroup(size_t group, const Places& places, bool own) noexcept;
  void Finish(const counts::FinishedVisit* finished) noexcept;
  void Close() noexcept;
  uint32_t Path() const {
    if (!counting_) return kNotMeasured;
    return own_path_ != 0 ? own_path_ : team_path_;
  }

  Source& source_;
  const std::vector<size_t>& sizes_;  // of its groups
  const uint32_t worker_;
  const bool rotate_;
  size_t active_ = 0;     // the group that counts, if they rotate
  bool switched_ = true;  // and the only one
  std::mutex mutex_;
  std::atomic<pid_t> tid_{0};
  uint32_t team_path_ = 0, own_path_ = 0;
  Layer layer_ = Layer::kWork;
  bool counting_ = true;
  std::unique_ptr<Counters> counters_;
  std::vector<Group> groups_;
  PathSums sums_;                       // of its work
  std::unique_ptr<PathSums> apart_[2];  // of what it did for MPI, and for an OpenMP runtime
  counts::CountStore* store_ = nullptr;
  std::unique_ptr<KeptSums> kept_;
  std::atomic<bool> lost_{false};

 public:
  CountedThread* next = nullptr;  // in the list of Threads
};

}  // namespace roofmark::threads

#endif  // ROOFMARK_COLLECTORS_HARDWARE_THREADS_COUNTED_THREAD_H_
