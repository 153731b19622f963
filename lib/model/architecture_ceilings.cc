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

  double MeasuredRate(const std::string& kind) const {
    return Shared([&](size_t p) {
      return Value(fmt::format("compute.{}.{}", PrecisionName(static_cast<Precision>(p)), kind));
    });
  }

  void Compute(CeilingId id, double value, Fit fit = {}, int one_in = 1) {
    Add({.id = id,
         .one_in = one_in,
         .height = Measured(value),
         .fit = fit.fit,
         .proof = fit.proof});
  }

  void Memory(CeilingId id, MemoryLevel level, double value, Fit fit = {}, int one_in = 1) {
    Add({.id = id,
         .one_in = one_in,
         .axis = CeilingAxis::kMemory,
         .level = level,
         .height = Measured(value),
         .fit = fit.fit,
         .proof = fit.proof});
  }

  double Value(const std::string& id, double share = 1) const { return model_.ValueOf(id, share); }

  std::vector<Ceiling> Take() { return std::move(ceilings_); }

 private:
  static Interval Measured(double value) {
    return Interval::Exactly(roofmark::Value::Of(value, Status::kMeasured, "machine"));
  }

  void Add(Ceiling ceiling) {
    if (ceiling.height.most > 0) ceilings_.push_back(std::move(ceiling));
  }

  const JobModel& model_;
  const Shares shares_;
  std::vector<Ceiling> ceilings_;
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
  constexpr std::pair<Width, CeilingId> kWidthIds[] = {{Width::k128, CeilingId::kSimd128},
                                                       {Width::k256, CeilingId::kSimd256},
                                                       {Width::k512, CeilingId::kSimd512}};
  for (const auto& [width, id] : kWidthIds) {
    // The widest one's best is the peak.
    if (LanesOf(to, width) >= to.Shared([&](size_t p) { return model.rates.widest_lanes[p]; })) {
      break;
    }
    to.Compute(id, to.Shared([&, w = width](size_t p) {
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
  to.Compute(CeilingId::kThreadParallelism, to.MeasuredRate("chain.scalar"), vectors);
  to.Compute(CeilingId::kIlp, to.MeasuredRate("ilp.scalar"), vectors);
  AddWidths(region, model, to);
  to.Compute(CeilingId::kSimd, widest(FlopKind::kAdd), fused);
  to.Compute(CeilingId::kWithoutFma, to.Shared(NoFma(model)), fused);
  to.Compute(CeilingId::kFmaAlone, widest(FlopKind::kFma));
  to.Compute(CeilingId::kPeak, to.Shared([&](size_t p) { return model.rates.peak[p]; }));
  to.Compute(CeilingId::kDivisionsAlone, widest(FlopKind::kDiv), FitDivisions(region));
  to.Compute(CeilingId::kRootsAlone, widest(FlopKind::kSqrt), FitDivisions(region));
  for (const int one_in : {2, 4, 8, 16}) {
    to.Compute(CeilingId::kFpShare, to.Shared([&](size_t p) {
      return to.Value(fmt::format("mix.{}.{}", PrecisionName(static_cast<Precision>(p)), one_in));
    }),
               FitFpShare(region, 1.0 / one_in), one_in);
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
    const int one_in = static_cast<int>(std::lround(1 / share));
    const Fit balanced = FitCores(region, share);
    to.Compute(CeilingId::kCores, measured("peak"), balanced, one_in);
    to.Compute(CeilingId::kCoresThreadParallelism, measured("chain.scalar"),
               Either(balanced, FitVectors(region, 1)), one_in);
    to.Memory(CeilingId::kDramCores, MemoryLevel::kDram, model.DramBandwidth(share),
              FitTrafficCores(region, share), one_in);
  }
}

void AddMemory(const RegionInputs& region, const JobModel& model, Collector& to) {
  struct Step {
    CeilingId id;
    const char* kind;
    Fit fit;
  };
  const Fit reads = FitTraffic(region, TrafficMix::kReads);
  const Fit stores = FitTraffic(region, TrafficMix::kOrdinaryStores);
  const Step ladder[] = {
      {CeilingId::kDramRandom, "random", {}},
      {CeilingId::kDramStrided, "strided", {}},
      {CeilingId::kDramFar, "read_far", {}},
      {CeilingId::kDramCopy, "copy", stores},
      {CeilingId::kDramRead, "read", reads},
      {CeilingId::kDramReadPrefetch, "read_prefetch", reads},
      {CeilingId::kDramTriad, "triad", stores},
      {CeilingId::kDramTriadPrefetch, "triad_prefetch", stores},
      {CeilingId::kDramTriadNt, "triad_nt", FitTraffic(region, TrafficMix::kNonTemporalStores)},
  };
  for (const Step& step : ladder) {
    to.Memory(step.id, MemoryLevel::kDram, to.Value(fmt::format("bandwidth.DRAM.{}", step.kind)),
              step.fit);
  }
  for (const MemoryLevel level : kAllLevels) {
    const auto& roof = model.roofs.bandwidth[static_cast<size_t>(level)];
    if (roof) to.Memory(CeilingId::kLevel, level, roof->value);
  }
}

}  // namespace

std::vector<Ceiling> ArchitectureCeilings(const RegionInputs& region, const JobModel& model) {
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
