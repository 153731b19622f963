// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/pipe_times.h"

#include <algorithm>
#include <array>

namespace roofmark {
namespace {

// What one class costs each measure. All but the last are seconds over all cores; all add up.
enum CostMeasure {
  kAdders,
  kMultipliers,
  kSlots,
  kTogether,
  kDivider,
  kInstructions,
  kCostMeasures
};
struct ClassCost {
  double flops = 0;
  std::array<double, kCostMeasures> of = {};
};

double At(const WidthRates& rates, FlopKind kind) { return rates.alone[static_cast<size_t>(kind)]; }

// 0 for a rate that was not measured: the bound by the best of all kinds remains.
double Seconds(double operations, double giga_per_second) {
  return giga_per_second > 0 ? operations * 1e-9 / giga_per_second : 0;
}

// One class at the rates and lanes it runs at.
class Pricer {
 public:
  Pricer(const FlopClass& work, const UnitRates& rates, const PipeFlaws& flaws) : flaws_(flaws) {
    const auto p = static_cast<size_t>(work.precision);
    const bool widest = !work.width || !flaws.widths;
    at_ = widest ? &rates.widest[p] : &rates.At(work.precision, *work.width);
    if (at_->best <= 0) at_ = &rates.widest[p];
    lanes_ = widest ? rates.widest_lanes[p] : Lanes(work.precision, *work.width);
    if (lanes_ <= 0) lanes_ = work.width ? Lanes(work.precision, *work.width) : 1;
    cost_.flops = work.flops;
    cost_.of[kTogether] = Seconds(work.flops, at_->best);
  }

  ClassCost Price(const FlopClass& work, Untold untold) {
    if (!work.kind) {
      if (untold == Untold::kWorst) return PriceKind(FlopKind::kAdd, true);
      cost_.of[kInstructions] = work.flops / lanes_ / (CanFuse() ? 2 : 1);
      return cost_;
    }
    const FlopKind kind = *work.kind;
    if (kind != FlopKind::kDiv && kind != FlopKind::kSqrt) return PriceKind(kind, true);
    if (flaws_.divides) cost_.of[kDivider] = Seconds(work.flops, At(*at_, kind));
    return PriceKind(FlopKind::kMul, false);
  }

 private:
  bool CanFuse() const { return At(*at_, FlopKind::kFma) > 0; }

  ClassCost PriceKind(FlopKind kind, bool fusible) {
    const bool fused = kind == FlopKind::kFma || (!flaws_.kinds && fusible && CanFuse());
    const double operations = cost_.flops / (fused ? 2 : 1);
    cost_.of[kInstructions] = operations / lanes_;
    if (!flaws_.kinds) return cost_;
    cost_.of[kSlots] = Seconds(operations, at_->lane_operations);
    cost_.of[kind == FlopKind::kAdd ? kAdders : kMultipliers] =
        Seconds(cost_.flops, At(*at_, kind));
    return cost_;
  }

  const PipeFlaws flaws_;
  const WidthRates* at_;
  double lanes_ = 1;
  ClassCost cost_;
};

std::vector<ClassCost> Price(const std::vector<FlopClass>& classes, const UnitRates& rates,
                             const PipeFlaws& flaws, Untold untold) {
  std::vector<ClassCost> costs;
  for (const FlopClass& work : classes) {
    costs.push_back(Pricer(work, rates, flaws).Price(work, untold));
  }
  return costs;
}

// The least that `flops` of these operations cost: the cheapest ones first.
double Cheapest(std::vector<ClassCost> costs, CostMeasure measure, double flops) {
  std::sort(costs.begin(), costs.end(), [measure](const ClassCost& a, const ClassCost& b) {
    return a.of[measure] * b.flops < b.of[measure] * a.flops;
  });
  double sum = 0;
  for (const ClassCost& cost : costs) {
    const double taken = std::min(flops, cost.flops);
    sum += cost.of[measure] * taken / cost.flops;
    flops -= taken;
  }
  return sum;
}

}  // namespace

PipeTimes LeastPipeTimes(const std::vector<FlopClass>& classes, const UnitRates& rates,
                         const PipeFlaws& flaws, Untold untold) {
  std::array<double, kCostMeasures> sum = {};
  for (const ClassCost& cost : Price(classes, rates, flaws, untold)) {
    for (size_t m = 0; m < kCostMeasures; ++m) sum[m] += cost.of[m];
  }
  return {std::max({sum[kAdders], sum[kMultipliers], sum[kSlots], sum[kTogether]}), sum[kDivider],
          sum[kInstructions]};
}

PipeTimes LeastPipeTimesOfPart(const std::vector<FlopClass>& classes, const UnitRates& rates,
                               const PipeFlaws& flaws, Untold untold, double share) {
  const std::vector<ClassCost> costs = Price(classes, rates, flaws, untold);
  double flops = 0;
  for (const ClassCost& cost : costs) flops += cost.flops * share;
  const auto least = [&](CostMeasure measure) { return Cheapest(costs, measure, flops); };
  return {std::max({least(kAdders), least(kMultipliers), least(kSlots), least(kTogether)}),
          least(kDivider), least(kInstructions)};
}

}  // namespace roofmark
