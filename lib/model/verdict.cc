// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/verdict.h"

#include <algorithm>

#include "lib/model/architecture_ceilings.h"

namespace roofmark {
namespace {

Value Quotient(const Value& a, const Value& b) {
  if (b && *b == 0) return Value::None(Reason::kDividesByZero, b.status);
  return Combine(a, b, [](double x, double y) { return x / y; });
}

Value Rate(const Value& amount, const Value& time_s) {
  const Value rate = Quotient(amount, time_s);
  return rate ? Value::Of(*rate * 1e-9, rate.status, rate.origin) : rate;
}

// Runtime-oriented ceilings that cost the region something.
void AddRuntime(const RuntimeModel& runtime, std::vector<Ceiling>& ceilings) {
  constexpr double kStep = 0.999;
  if (runtime.unit != "FLOP") return;
  double last[2] = {runtime.ideal_gflops, runtime.ideal_gbs};
  for (const Ceiling& ceiling : runtime.ceilings) {
    if (ceiling.axis == CeilingAxis::kWall || !ceiling.height.least) continue;
    double& above = last[ceiling.IsMemory()];
    const double value = ceiling.height.most;
    if (value <= 0 || value > kStep * above) continue;
    above = value;
    ceilings.push_back(ceiling);
  }
}

void FindNeighbours(std::vector<Ceiling> ceilings, const Achieved& achieved, Verdict& verdict) {
  if (!achieved.gflops || *achieved.gflops <= 0) return;
  std::optional<Neighbour> open_below;
  for (Ceiling& ceiling : ceilings) {
    const Value& intensity = achieved.intensity[static_cast<size_t>(ceiling.level)];
    if (ceiling.IsMemory() && !intensity) continue;
    const double gflops = ceiling.At(ceiling.IsMemory() ? *intensity : 0);
    const Neighbour here = {std::move(ceiling), gflops};
    verdict.ceilings.push_back(here);
    const CeilingFit fit = here.ceiling.fit;
    if (fit == CeilingFit::kForeign) continue;
    if (gflops >= *achieved.gflops) {
      const bool lower = !verdict.above || gflops < verdict.above->gflops;
      if (fit == CeilingFit::kOpen && lower) verdict.above = here;
      continue;
    }
    std::optional<Neighbour>& below = fit == CeilingFit::kPassed ? verdict.below : open_below;
    if (!below || gflops > below->gflops) below = here;
  }
  if (!verdict.below) verdict.below = open_below;
}

// Left of where the best bandwidth meets the lowest compute ceiling, only memory optimisations
// help; right of where the lowest bandwidth meets the peak, only those of computation.
std::string OptimisationRegion(const std::vector<Ceiling>& ceilings, const Value& intensity) {
  if (!intensity) return {};
  double low[2] = {0, 0}, high[2] = {0, 0};  // compute, memory
  for (const Ceiling& ceiling : ceilings) {
    if (ceiling.IsMemory() && ceiling.level != MemoryLevel::kDram) continue;
    if (ceiling.fit == CeilingFit::kForeign) continue;
    if (IsOfFewCores(ceiling.id)) continue;
    double &lowest = low[ceiling.IsMemory()], &highest = high[ceiling.IsMemory()];
    const double value = ceiling.height.most;
    lowest = lowest == 0 ? value : std::min(lowest, value);
    highest = std::max(highest, value);
  }
  if (low[0] == 0 || low[1] == 0) return {};
  if (*intensity < low[0] / high[1]) return "memory";
  return *intensity > high[0] / low[1] ? "compute" : "both";
}

Value FlopsAtCost(const RegionInputs& region, const JobModel& model) {
  if (!region.total_flops || region.flops.empty()) return region.total_flops;
  double cost = 0;
  for (const FlopClass& work : region.flops) {
    const bool divides = work.kind == FlopKind::kDiv || work.kind == FlopKind::kSqrt;
    double factor = 1;
    if (divides && work.width) {
      const WidthRates& rates = model.rates.At(work.precision, *work.width);
      const double own = rates.alone[static_cast<size_t>(*work.kind)];
      const double mul = rates.alone[static_cast<size_t>(FlopKind::kMul)];
      const double ordinary = mul > 0 ? mul : rates.best;
      if (own <= 0 || ordinary <= 0) {
        return Value::None(Reason::kNoDivisionRate);
      }
      factor = std::max(1.0, ordinary / own);
    }
    cost += work.flops * factor;
  }
  return Value::Of(cost, region.total_flops.status, region.total_flops.origin);
}

// min(F, B I) of equation 2 of the 2018 paper.
Value Under(double roof_gflops, const Value& memory_gflops) {
  if (roof_gflops <= 0) return Value::None(Reason::kNoRoofOfPrecisions);
  if (!memory_gflops) return memory_gflops;
  return Value::Of(std::min(roof_gflops, *memory_gflops), memory_gflops.status,
                   memory_gflops.origin);
}

void AddEfficiencies(const RegionInputs& region, const Achieved& achieved, const JobModel& model,
                     Verdict& verdict) {
  const auto& dram = model.roofs.bandwidth[kDramLevel];
  if (dram && achieved.fitting_gflops) {
    verdict.ridge_point =
        Value::Of(*achieved.fitting_gflops / dram->value, Status::kMeasured, "machine");
  } else {
    verdict.ridge_point = dram ? achieved.fitting_gflops : Value::None(Reason::kNoDramBandwidth);
  }
  for (size_t l = 0; l < kMemoryLevels; ++l) {
    const auto& roof = model.roofs.bandwidth[l];
    const Value& intensity = achieved.intensity[l];
    if (!roof) {
      verdict.level_gflops[l] = Value::None(Reason::kNoLevelBandwidth);
    } else {
      verdict.level_gflops[l] =
          intensity ? Value::Of(*intensity * roof->value, intensity.status, intensity.origin)
                    : intensity;
    }
  }
  verdict.top_attainable_gflops = Under(TopRoof(region, model), verdict.level_gflops[kDramLevel]);
  verdict.top_efficiency = Quotient(achieved.gflops, verdict.top_attainable_gflops);
  verdict.no_fma_efficiency =
      Quotient(achieved.gflops, Under(NoFmaRoof(region, model), verdict.level_gflops[kDramLevel]));
}

}  // namespace

Verdict VerdictOf(const RegionInputs& region, const Achieved& achieved, const JobModel& model) {
  Verdict verdict;
  std::vector<Ceiling> ceilings = ArchitectureCeilings(region, model);
  verdict.optimisation_region = OptimisationRegion(ceilings, achieved.intensity[kDramLevel]);
  AddRuntime(achieved.runtime, ceilings);
  FindNeighbours(std::move(ceilings), achieved, verdict);
  AddEfficiencies(region, achieved, model, verdict);
  verdict.dram_gbs = Rate(region.bytes[kDramLevel], region.time_s);
  verdict.canonical_flops = achieved.canonical_flops;
  verdict.canonical_gflops = Rate(achieved.canonical_flops, region.time_s);
  verdict.measured_over_canonical = Quotient(region.total_flops, achieved.canonical_flops);
  verdict.flops_at_cost = FlopsAtCost(region, model);
  verdict.gflops_at_cost = Rate(verdict.flops_at_cost, region.time_s);
  return verdict;
}

void KeepKind(std::string_view kind, Verdict& verdict) {
  std::string& apply = verdict.optimisation_region;
  if (!apply.empty() && !kind.empty() && apply != kind) apply = "both";
}

}  // namespace roofmark
