// SPDX-License-Identifier: BSD-3-Clause
//
// Operations that wait for each other, branches that go another way than expected, atomics, and
// loads that come from far: what a core cannot hide (2008 A.1.2, A.1.3, A.3). Windows of executed
// instructions tell them, with the machine's own latencies.
#ifndef ROOFMARK_LIB_MODEL_SHORTFALLS_DEPENDENCES_H_
#define ROOFMARK_LIB_MODEL_SHORTFALLS_DEPENDENCES_H_

#include "lib/model/shortfall_rule.h"

namespace roofmark::shortfalls {

// Share of the least time by dependences. What it costs stands in resource_times.cc.
inline Value DependenceExtent(const RegionInputs& region, double share) {
  const Value& busiest = region.dependences.seconds.as_is;
  return busiest ? Value::Of(share, busiest.status, busiest.origin) : busiest;
}

inline Value ChainExtent(const RegionSource&, RegionInputs& region) {
  return DependenceExtent(region, region.dependences.Chain());
}
inline Value LatencyExtent(const RegionSource&, RegionInputs& region) {
  return DependenceExtent(region, region.dependences.Far());
}

inline Value BranchExtent(const RegionSource&, RegionInputs& region) {
  return DependenceExtent(region, region.dependences.Share(Dependence::kBranch));
}
inline Value AtomicExtent(const RegionSource&, RegionInputs& region) {
  return DependenceExtent(region, region.dependences.Share(Dependence::kAtomic));
}

inline constexpr ShortfallRule kDependences = {ChainExtent};
inline constexpr ShortfallRule kBranches = {BranchExtent};
inline constexpr ShortfallRule kAtomics = {AtomicExtent};
inline constexpr ShortfallRule kLatency = {LatencyExtent};

}  // namespace roofmark::shortfalls

#endif  // ROOFMARK_LIB_MODEL_SHORTFALLS_DEPENDENCES_H_
