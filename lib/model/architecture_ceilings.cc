// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/architecture_ceilings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "lib/model/ceiling_fit.h"

namespace roofmark {
namespace {

using Shares = std::array<double, kPrecisions>;

// Of the FLOPs; all double precision where nothing is known.
Shares PrecisionShares(const RegionInputs& region) {
  Shares shares = {};
  double all = 0;
  for (const FlopClass& work : region.flops) {
    shares[static_cast<size_t>(work.precision)] += work.flops;
    all += work.flops;
  }
  if (all <= 0) return {1, 0, 0};
  for (double& share : shares) share /= all;
  return shares;
}

class Collector {
 public:
  Collector(const RegionInputs& region, const JobModel& model)
      : model_(model), shares_(PrecisionShares(region)) {}

  // `rate` gives one precision's GFLOP/s, 0 if it was not measured.
  double Shared(const std::function<double(size_t)>& rate) const {
    double seconds = 0;
    for (size_t p = 0; p < kPrecisions; ++p) {
      if (shares_[p] == 0) continue;
      const double value = rate(p);
      if (value <= 0) return 0;
      seconds += shares_[p] / value;
    }
    return seconds > 0 ? 1 / seconds : 0;
  }

  double Measured(const std::string& kind) const {
    return Shared([&](size_t p) {
      return Value(fmt::format("compute.{}.{}", PrecisionName(static_cast<Precision>(p)), kind));
    });
  }

  void Compute(std::string name, double value, Fit fit = {}) {
    Add({std::move(name), false, MemoryLevel::kDram, value, fit.fit, std::move(fit.proof)});
  }

  void Memory(std::string name, MemoryLevel level, double value, Fit fit = {}) {
    Add({std::move(name), true, level, value, fit.fit, std::move(fit.proof)});
  }

  double Value(const std::string& id, double share = 1) const {
    const Ceiling* ceiling = model_.machine->Find(id);
    return ceiling == nullptr ? 0 : JobValue(*ceiling, model_.hosts, share);
  }

  std::vector<NamedCeiling> Take() { return std::move(ceilings_); }

 private:
  void Add(NamedCeiling ceiling) {
    if (ceiling.value > 0) ceilings_.push_back(std::move(ceiling));
  }

  const JobModel& model_;
  const Shares shares_;
  std::vector<NamedCeiling> ceilings_;
};

std::function<double(size_t)> NoFma(const JobModel& model) {
  return [&model](size_t p) {
    const auto& roof = model.roofs.compute[p].no_fma;
    return roof ? roof->value : 0;
  };
}

// Elements of a register of that width, over the region's precisions.
double LanesOf(const Collector& to, Width width) {
  return to.Shared([width](size_t p) { return Lanes(static_cast<Precision>(p), width); });
}

void AddWidths(const RegionInputs& region, const JobModel& model, Collector& to) {
  constexpr std::array<std::pair<Width, const char*>, 3> kNames = {{{Width::k128, "128-bit SIMD"},
                                                                    {Width::k256, "256-bit SIMD"},
                                                                    {Width::k512, "512-bit SIMD"}}};
  for (const auto& [width, name] : kNames) {
    // The widest one's best is the peak.
    if (LanesOf(to, width) >= to.Shared([&](size_t p) { return model.rates.widest_lanes[p]; })) {
      break;
    }
    to.Compute(name, to.Shared([&, w = width](size_t p) {
      return model.rates.At(static_cast<Precision>(p), w).best;
    }),
               FitVectors(region, LanesOf(to, width)));
  }
}

void AddInCore(const RegionInputs& region, const JobModel& model, Collector& to) {
  const auto widest = [&](FlopKind kind) {
    return to.Shared(
        [&](size_t p) { return model.rates.widest[p].alone[static_cast<size_t>(kind)]; });
  };
  const Fit vectors = FitVectors(region, 1), fused = FitFused(region);
  to.Compute("thread parallelism only", to.Measured("chain.scalar"), vectors);
  to.Compute("+ILP", to.Measured("ilp.scalar"), vectors);
  AddWidths(region, model, to);
  to.Compute("+SIMD", widest(FlopKind::kAdd), fused);
  to.Compute("without FMA", to.Shared(NoFma(model)), fused);
  to.Compute("FMA alone", widest(FlopKind::kFma));
  to.Compute("peak", to.Shared([&](size_t p) { return model.rates.peak[p]; }));
  to.Compute("divisions alone", widest(FlopKind::kDiv), FitDivisions(region));
  to.Compute("roots alone", widest(FlopKind::kSqrt), FitDivisions(region));
  for (const int one_in : {2, 4, 8, 16}) {
    to.Compute(fmt::format("1/{} of instructions FP", one_in), to.Shared([&](size_t p) {
      return to.Value(fmt::format("mix.{}.{}", PrecisionName(static_cast<Precision>(p)), one_in));
    }),
               FitFpShare(region, 1.0 / one_in));
  }
}

// F over 2^k cores, as measured there: see imbalance.h.
void AddImbalance(const RegionInputs& region, const JobModel& model, Collector& to) {
  const double cores = model.rates.cores;
  for (double divisor = 2; divisor < 2 * cores; divisor *= 2) {
    const double share = std::max(1 / divisor, 1 / cores);
    const auto measured = [&](const char* kind) {
      return to.Shared([&](size_t p) {
        return to.Value(
            fmt::format("compute.{}.{}", PrecisionName(static_cast<Precision>(p)), kind), share);
      });
    };
    const double over = std::round(1 / share);
    const Fit balanced = FitCores(region, share);
    to.Compute(fmt::format("1/{:.0f} of the cores", over), measured("peak"), balanced);
    to.Compute(fmt::format("1/{:.0f} of the cores, thread parallelism only", over),
               measured("chain.scalar"), Either(balanced, FitVectors(region, 1)));
    to.Memory(fmt::format("DRAM from 1/{:.0f} of the cores", over), MemoryLevel::kDram,
              model.DramBandwidth(share), FitTrafficCores(region, share));
  }
}

void AddMemory(const RegionInputs& region, const JobModel& model, Collector& to) {
  struct Step {
    const char *kind, *name;
    Fit fit;
  };
  const Fit reads = FitTraffic(region, TrafficMix::kReads);
  const Fit stores = FitTraffic(region, TrafficMix::kOrdinaryStores);
  const Step ladder[] = {
      {"random", "DRAM random lines", {}},
      {"strided", "DRAM strided", {}},
      {"read_far", "DRAM no affinity", {}},
      {"copy", "DRAM copy", stores},
      {"read", "DRAM read", reads},
      {"read_prefetch", "DRAM read, prefetch", reads},
      {"triad", "DRAM triad", stores},
      {"triad_prefetch", "DRAM triad, prefetch", stores},
      {"triad_nt", "DRAM triad, non-temporal", FitTraffic(region, TrafficMix::kNonTemporalStores)},
  };
  for (const Step& step : ladder) {
    to.Memory(step.name, MemoryLevel::kDram, to.Value(fmt::format("bandwidth.DRAM.{}", step.kind)),
              step.fit);
  }
  for (const MemoryLevel level : kAllLevels) {
    const auto& roof = model.roofs.bandwidth[static_cast<size_t>(level)];
    if (roof) to.Memory(std::string(LevelName(level)), level, roof->value);
  }
}

}  // namespace

std::vector<NamedCeiling> ArchitectureCeilings(const RegionInputs& region, const JobModel& model) {
  Collector to(region, model);
  AddInCore(region, model, to);
  AddImbalance(region, model, to);
  AddMemory(region, model, to);
  return to.Take();
}

double TopRoof(const RegionInputs& region, const JobModel& model) {
  return Collector(region, model).Shared([&](size_t p) { return model.rates.peak[p]; });
}

double NoFmaRoof(const RegionInputs& region, const JobModel& model) {
  return Collector(region, model).Shared(NoFma(model));
}

}  // namespace roofmark
