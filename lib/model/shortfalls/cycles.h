// SPDX-License-Identifier: BSD-3-Clause
//
// Cycles that issue nothing: dependent instructions, and loads that nothing hides (2008 A.3).
// Hardware counters tell them.
#ifndef ROOFMARK_LIB_MODEL_SHORTFALLS_CYCLES_H_
#define ROOFMARK_LIB_MODEL_SHORTFALLS_CYCLES_H_

#include <algorithm>

#include "lib/model/shortfall_rule.h"

namespace roofmark::shortfalls {

// Share of the cycles that are stalled on memory. Both rules have the same.
inline Value CyclesExtent(const RegionSource& from, RegionInputs& region) {
  const Value cycles = from.Sum(metric::kCycles);
  const Value share = Combine(from.Sum(metric::kMemoryStallCycles), cycles,
                              [](double s, double c) { return c > 0 ? std::min(1.0, s / c) : 0; });
  if (!share) return share;
  const double per_second = from.model.rates.clock_ghz * 1e9 * from.model.rates.cores;
  if (per_second <= 0) return Value::None(Reason::kNoClock);
  region.stalled_s = *cycles * *share / per_second;
  region.busy_s = *cycles / per_second - region.stalled_s;
  return share;
}

inline void IlpCost(const TimesSource& of, ResourceTimes& times) {
  times.cycles_s += of.region.busy_s;
}

inline void PrefetchCost(const TimesSource& of, ResourceTimes& times) {
  times.stalled_s += of.region.stalled_s;
  times.cycles_s += of.region.stalled_s;
}

inline constexpr ShortfallRule kIlp = {CyclesExtent, IlpCost};
inline constexpr ShortfallRule kPrefetch = {CyclesExtent, PrefetchCost};

}  // namespace roofmark::shortfalls

#endif  // ROOFMARK_LIB_MODEL_SHORTFALLS_CYCLES_H_
