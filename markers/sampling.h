// SPDX-License-Identifier: BSD-3-Clause
//
// Which visits are measured (ROOFMARK_VISITS), and when the collector may rest: once no region that
// is in use has visits left to measure, and while recording is paused.
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
  void End() noexcept;
  void Pause(bool paused) noexcept;
  // What is counted from here on is in this stratum; not with first:K, which chooses it itself.
  void SetStratum(size_t stratum) noexcept;

 private:
  bool first_only() const { return visits_.kind == VisitPolicy::Kind::kFirst; }
  uint64_t Patience() const noexcept;
  Extent Wanted() const noexcept;
  // Switches the collector if what is wanted of it has changed. Called after each change.
  void Switch() noexcept;

  VisitPolicy visits_;
  Collector* collector_ = nullptr;
  bool counts_every_visit_ = false;
  // Visits begun since one that was to be measured, at most Patience().
  std::atomic<uint64_t> unmeasured_{0};
  std::atomic<bool> in_first_{false};  // the last boundary was the begin of a first visit
  std::atomic<size_t> stratum_{0};     // of the visit that was begun last
  std::atomic<bool> paused_{false};
  std::atomic<Extent> counting_{Extent::kAll};
  std::mutex mutex_;  // held while the collector is switched
};

}  // namespace roofmark::markers

#endif  // ROOFMARK_MARKERS_SAMPLING_H_
