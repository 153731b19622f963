// SPDX-License-Identifier: BSD-3-Clause
//
// DRAM traffic that is not compulsory (2008 §5): lines that stores fetch only to overwrite them,
// and lines that the last level did not keep.
#ifndef ROOFMARK_LIB_MODEL_SHORTFALLS_MISSES_H_
#define ROOFMARK_LIB_MODEL_SHORTFALLS_MISSES_H_

#include <algorithm>
#include <functional>

#include "lib/model/shortfall_rule.h"

namespace roofmark::shortfalls {

// How many times as much the machine's own triad does with non-temporal stores; 0: not measured.
inline double GainOfNtTriad(const JobModel& model) {
  const CeilingCurve* triad = model.kinds.front().machine->Find("bandwidth.DRAM.triad");
  const CeilingCurve* past = model.kinds.front().machine->Find("bandwidth.DRAM.triad_nt");
  if (triad == nullptr || past == nullptr) return 0;
  const std::vector<ActiveHost>& hosts = model.kinds.front().hosts;
  const double ordinary = JobValue(*triad, hosts) / triad->counted_factor;
  const double noise = JobNoise(*triad, hosts) + JobNoise(*past, hosts);
  return ordinary > 0 ? JobValue(*past, hosts) / past->counted_factor / ordinary / (1 + noise) : 0;
}

// Lines that are read from L3 may be those that were stored: past the caches they would come from
// DRAM.
inline double ReadFromL3(const RegionSource& from) {
  return std::max(
      0.0, NumberOr0(from.Sum(metric::kL2ReadBytes)) - NumberOr0(from.Sum(metric::kDramReadBytes)));
}

// Where fetches for stores are not told apart, at least what no load can have wanted, and at most
// what was written back. Lines that stay in the caches are read there by what follows: they are not
// among them. It surely saves if the machine's own triad gains by it.
inline Value WriteAllocateExtent(const RegionSource& from, RegionInputs& region) {
  const Value reads = from.Sum(metric::kDramReadBytes);
  const Value loads = from.Sum(metric::kLoadBytes);
  const Value stores = from.Sum(metric::kStoreBytes);
  const Value known = Combine(Combine(reads, loads, std::plus<>()), stores, std::plus<>());
  if (!known) return known;
  const double written =
      NumberOr0(from.Sum(metric::kDramWriteBytes)) - NumberOr0(from.Sum(metric::kDramNtBytes));
  const double most = std::max(0.0, std::min({*reads, written, *stores}));
  const Value fills = from.Sum(metric::kStoreFillBytes);
  const double of_model = fills ? std::min(most, *fills) : most;
  const double unread = fills ? of_model : std::min(most, std::max(0.0, *reads - *loads));
  const double least = std::max(0.0, unread - ReadFromL3(from));
  region.unproven[Index(Shortfall::kWriteAllocate)] = GainOfNtTriad(from.model) <= 1;
  region.write_allocate_most = of_model * region.dram_over_model;
  region.write_allocate_least = least * region.dram_over_model;
  const double all = NumberOr0(region.bytes[static_cast<size_t>(MemoryLevel::kDram)]);
  return Value::Of(all > 0 ? region.write_allocate_most / all : 0, known.status, known.origin);
}

// The share of the last level's misses that are of one kind.
inline Value MissShare(const RegionSource& from, MetricId part) {
  const Value all = Combine(Combine(from.Sum(metric::kMissesCompulsory),
                                    from.Sum(metric::kMissesCapacity), std::plus<>()),
                            from.Sum(metric::kMissesConflict), std::plus<>());
  return Combine(from.Sum(part), all,
                 [](double misses, double sum) { return sum > 0 ? misses / sum : 0; });
}

inline Value CapacityExtent(const RegionSource& from, RegionInputs& region) {
  const Value share = MissShare(from, metric::kMissesCapacity);
  region.capacity = NumberOr0(share);
  return share;
}

inline Value ConflictExtent(const RegionSource& from, RegionInputs& region) {
  const Value share = MissShare(from, metric::kMissesConflict);
  region.conflict = NumberOr0(share);
  return share;
}

inline void SpareFills(const RegionInputs& region, Untold untold, WallBytes& bytes) {
  bytes.removed =
      untold == Untold::kBest ? region.write_allocate_least : region.write_allocate_most;
}
inline void SpareCapacity(const RegionInputs& region, Untold, WallBytes& bytes) {
  bytes.kept -= region.capacity;
}
inline void SpareConflicts(const RegionInputs& region, Untold, WallBytes& bytes) {
  bytes.kept -= region.conflict;
}

inline constexpr ShortfallRule kWriteAllocate = {WriteAllocateExtent, nullptr, SpareFills};
inline constexpr ShortfallRule kCapacity = {CapacityExtent, nullptr, SpareCapacity};
inline constexpr ShortfallRule kConflict = {ConflictExtent, nullptr, SpareConflicts};

}  // namespace roofmark::shortfalls

#endif  // ROOFMARK_LIB_MODEL_SHORTFALLS_MISSES_H_
