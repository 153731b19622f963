// SPDX-License-Identifier: BSD-3-Clause
//
// Where visits are sampled, everything is counted of all visits but what only a model of the memory
// hierarchy gives. That is extrapolated.
#ifndef ROOFMARK_COLLECTORS_COUNTING_EXTRAPOLATE_H_
#define ROOFMARK_COLLECTORS_COUNTING_EXTRAPOLATE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "collectors/counting/engine.h"
#include "lib/counts/strata.h"

namespace roofmark::counting {

// True for what an engine does not count with Extent::kCheap and what can be extrapolated by bytes.
// Lines that are dirty at the end are written back once, however little was modelled.
constexpr bool IsTraffic(size_t counter) {
  return counter >= ROOF_C_L1_READ_BYTES && counter <= ROOF_C_STORE_FILL_BYTES &&
         counter != ROOF_C_DRAM_DIRTY_BYTES;
}

// How far the extrapolated traffic of a path's work can be wrong: see counts::Margin().
struct PathMargin {
  uint32_t path = 0;
  // Bytes between a level and the next one, both directions: L1, L2, the last level. Empty: not
  // known.
  std::array<std::optional<double>, 3> bytes;
};

// Takes an engine's counts, and hands them over as if all had been counted in full: traffic in
// proportion to the bytes that were loaded and stored. What this proportion is tell the later
// visits that were counted in full, the first ones where there are no others; for a thread that has
// none, those of the other threads in that path and layer; for a path that has none and accessed
// less than a hundredth of all bytes, those of all paths.
class Extrapolation final : public CountSink {
 public:
  void Add(const Context& context, std::span<const uint64_t, ROOF_COUNTERS> counters) override;
  void Incomplete(const IncompletePath& path) override { incomplete_.push_back(path); }
  void Critical(const Context& context, const SourceLine& line, uint64_t cycles) override {
    critical_.push_back({context, line, cycles});
  }
  void Entered(const Context& context, uint64_t times) override {
    entered_.emplace_back(context, times);
  }

  // Returns the paths whose traffic nothing is known of: it is 0 there.
  std::vector<uint32_t> HandOver(CountSink& sink) const;

  // Of all paths of whose traffic some was extrapolated.
  std::vector<PathMargin> Margins() const;

 private:
  using Counters = std::array<uint64_t, ROOF_COUNTERS>;
  struct Counted {
    Counters first{}, later{}, cheap{};  // by Extent
  };
  using Strata = std::array<Counters, counts::kStrata>;
  struct Everything;
  static const Counters& KnownOf(const Counted& own, const Counted& all);
  using Layered = std::pair<uint32_t, Layer>;  // path, layer

  std::map<Layered, std::map<uint32_t, Counted>> threads_;  // by path and layer, thread
  std::map<uint32_t, Strata> strata_;  // of work, all threads together, by path
  struct CriticalLine {
    Context context;
    SourceLine line;
    uint64_t cycles = 0;
  };
  std::vector<IncompletePath> incomplete_;
  std::vector<CriticalLine> critical_;
  std::vector<std::pair<Context, uint64_t>> entered_;
};

}  // namespace roofmark::counting

#endif  // ROOFMARK_COLLECTORS_COUNTING_EXTRAPOLATE_H_
