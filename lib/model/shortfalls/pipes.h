// SPDX-License-Identifier: BSD-3-Clause
//
// What the floating-point units do not get: fused operations, full registers, cheap operations, and
// the issue slots of other instructions (2008 A.1.3, A.1.4). PipeFlaws of pipe_times.h has their
// cost.
#ifndef ROOFMARK_LIB_MODEL_SHORTFALLS_PIPES_H_
#define ROOFMARK_LIB_MODEL_SHORTFALLS_PIPES_H_

#include <algorithm>

#include "lib/model/pipe_times.h"
#include "lib/model/shortfall_rule.h"

namespace roofmark::shortfalls {

inline bool IsDivision(const FlopClass& work) {
  return work.kind == FlopKind::kDiv || work.kind == FlopKind::kSqrt;
}

// The share of the FLOPs that belongs to classes for which `of` is true.
template <typename Is>
double FlopShare(const RegionInputs& region, Is is) {
  double part = 0, all = 0;
  for (const FlopClass& work : region.flops) {
    all += work.flops;
    if (is(work)) part += work.flops;
  }
  return part / all;
}

inline bool KindsAreTold(const RegionInputs& region) {
  return std::all_of(region.flops.begin(), region.flops.end(),
                     [](const FlopClass& work) { return work.kind.has_value(); });
}

// None of the four can be told of a region without FLOPs.
inline Value NoFlops(const RegionInputs& region) {
  const Value& flops = region.total_flops;
  return flops ? Value::None(Reason::kNoFlops, flops.status) : flops;
}

inline Value OfFlops(double number, const RegionInputs& region) {
  return Value::Of(number, region.total_flops.status, region.total_flops.origin);
}

inline Value FmaExtent(const RegionSource&, RegionInputs& region) {
  if (region.flops.empty()) return NoFlops(region);
  region.kinds_told = KindsAreTold(region);
  const auto fused = [](const FlopClass& work) { return work.kind == FlopKind::kFma; };
  return OfFlops(region.kinds_told ? FlopShare(region, fused) : 0, region);
}

inline Value SimdExtent(const RegionSource& from, RegionInputs& region) {
  if (region.flops.empty()) return NoFlops(region);
  double all = 0, issued = 0, widest = 0;
  bool widths = true, rates = true;
  for (const FlopClass& work : region.flops) {
    const auto p = static_cast<size_t>(work.precision);
    const double lanes = work.width ? Lanes(work.precision, *work.width) : 1;
    all += work.flops;
    issued += work.flops / lanes;
    widest += work.flops / std::max(lanes, from.model.rates.widest_lanes[p]);
    widths &= work.width.has_value();
    rates &= work.width && from.model.rates.At(work.precision, *work.width).best > 0;
  }
  region.lanes_possible = all / widest;
  if (!widths) return Value::None(Reason::kWidthsNotTold);
  if (!rates) return Value::None(Reason::kNoWidthRate);
  return OfFlops(all / issued, region);
}

inline bool DividerIsMeasured(const RegionInputs& region, const JobModel& model) {
  return std::all_of(region.flops.begin(), region.flops.end(), [&](const FlopClass& work) {
    if (!IsDivision(work)) return true;
    const auto& widest = model.rates.widest[static_cast<size_t>(work.precision)];
    return widest.alone[static_cast<size_t>(*work.kind)] > 0;
  });
}

inline Value DividesExtent(const RegionSource& from, RegionInputs& region) {
  if (region.flops.empty()) return NoFlops(region);
  if (!KindsAreTold(region)) return Value::None(Reason::kDivisionsNotTold);
  const double share = FlopShare(region, IsDivision);
  if (share > 0 && !DividerIsMeasured(region, from.model)) {
    return Value::None(Reason::kNoDivisionRate);
  }
  return OfFlops(share, region);
}

// The share of issue slots that perform FLOPs.
inline Value InstructionMixExtent(const RegionSource& from, RegionInputs& region) {
  if (region.flops.empty()) return NoFlops(region);
  if (!region.issue_slots) return region.issue_slots;
  if (from.model.rates.issue <= 0) return Value::None(Reason::kNoInstructionMixes);
  const PipeTimes times = LeastPipeTimes(region.flops, from.model.rates, {}, Untold::kBest);
  const double slots = *region.issue_slots;
  return Value::Of(slots > 0 ? std::min(1.0, times.instructions / slots) : 1,
                   region.issue_slots.status, region.issue_slots.origin);
}

inline constexpr ShortfallRule kFmaBalance = {FmaExtent};
inline constexpr ShortfallRule kSimd = {SimdExtent};
inline constexpr ShortfallRule kDivides = {DividesExtent};
inline constexpr ShortfallRule kInstructionMix = {InstructionMixExtent};

}  // namespace roofmark::shortfalls

#endif  // ROOFMARK_LIB_MODEL_SHORTFALLS_PIPES_H_
