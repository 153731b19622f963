// SPDX-License-Identifier: BSD-3-Clause
//
// Where visits take turns, everything is counted in some visits only, and scaled to all.
#ifndef ROOFMARK_COLLECTORS_COUNTING_SCALED_VISITS_H_
#define ROOFMARK_COLLECTORS_COUNTING_SCALED_VISITS_H_

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "collectors/collector.h"
#include "collectors/counting/engine.h"
#include "lib/counts/strata.h"

namespace roofmark::counting {

// What is known of a path without those inside it.
struct ScaledPath {
  // kMeasured: all visits were counted; kUnsupported: none was.
  Status status = Status::kMeasured;
  // How far its FLOPs can be wrong: see counts::Margin(); and more where the first visit, which is
  // not counted, took another time than the others. Empty: not known.
  std::optional<double> flops_margin;
  // Other threads than the main one did at least 1 % as many instructions as the busiest. The
  // engine always executes them, so that visits which are timed are not as without it.
  bool by_other_threads = false;
};

// Takes an engine's counts, each in the stratum of its visit, and hands them over scaled.
class ScaledVisits final : public CountSink {
 public:
  void Add(const Context& context, std::span<const uint64_t, ROOF_COUNTERS> counters) override;
  void Incomplete(const IncompletePath& path) override { incomplete_.push_back(path); }
  void Critical(const Context& /*context*/, const SourceLine& /*line*/, uint64_t) override {}
  void Entered(const Context& /*context*/, uint64_t /*times*/) override {}

  ScaledPath Judge(uint32_t path, const VisitCounts& visits) const;
  // `visits` tells of each path how often it was visited.
  void HandOver(CountSink& sink, const HarvestSink& visits) const;

 private:
  using Counters = std::array<uint64_t, ROOF_COUNTERS>;
  using Strata = std::array<Counters, counts::kStrata>;
  using Threads = std::map<uint32_t, Strata>;
  using Layered = std::pair<uint32_t, Layer>;  // path, layer

  bool ByOtherThreads(const Threads& threads) const;

  std::map<Layered, Threads> threads_;
  std::vector<IncompletePath> incomplete_;
};

}  // namespace roofmark::counting

#endif  // ROOFMARK_COLLECTORS_COUNTING_SCALED_VISITS_H_
