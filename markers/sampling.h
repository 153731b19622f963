// SPDX-License-Identifier: BSD-3-Clause
//
// Which visits are measured (ROOFMARK_VISITS), and when the collector may rest: once every known
// region was measured as often as wanted, and while recording is paused.
#ifndef ROOFMARK_MARKERS_SAMPLING_H_
#define ROOFMARK_MARKERS_SAMPLING_H_

#include <atomic>
#include <cstdint>
#include <mutex>

#include "collectors/collector.h"
#include "lib/core/settings.h"
#include "lib/spool/accumulator.h"

namespace roofmark::markers {

// Thread-safe after Start(); an accumulator is its thread's.
class Sampling {
 public:
  // `collector` may be nullptr.
  void Start(const VisitPolicy& visits, Collector* collector) {
    visits_ = visits;
    collector_ = collector;
    counts_every_visit_ = collector != nullptr && collector->CountsEveryVisit();
  }

  // At a begin: counts the visit and says whether it is measured.
  bool Begin(spool::Accumulator* accumulator) noexcept;
  // Whether the collector is to count a visit of which Begin() said so much.
  bool Counts(bool measured) const noexcept { return measured || counts_every_visit_; }
  // At the end of a visit that was measured.
  void End(const spool::Accumulator* accumulator) noexcept;
  void Pause(bool paused) noexcept;

 private:
  bool first_only() const { return visits_.kind == VisitPolicy::Kind::kFirst; }
  Extent Wanted() const noexcept;  // under the lock
  // Switches the collector if what is wanted of it has changed. Takes a lock.
  void Switch() noexcept;

  VisitPolicy visits_;
  Collector* collector_ = nullptr;
  bool counts_every_visit_ = false;
  // With first:K, (thread record, path) pairs with visits left to measure, and of them those that
  // have not ended their first one.
  std::atomic<int64_t> unexhausted_{0}, unvisited_{0};
  std::atomic<bool> begun_{false};  // there are such pairs
  std::mutex mutex_;
  bool paused_ = false;
  Extent counting_ = Extent::kAll;
};

}  // namespace roofmark::markers

#endif  // ROOFMARK_MARKERS_SAMPLING_H_
