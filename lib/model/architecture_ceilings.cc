// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/architecture_ceilings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

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

  void Compute(std::string name, double value) {
    if (value > 0) ceilings_.push_back({std::move(name), false, MemoryLevel::kDram, value});
  }

  void Memory(std::string name, MemoryLevel level, double value) {
    if (value > 0) ceilings_.push_back({std::move(name), true, level, value});
  }

  double Value(const std::string& id, double share = 1) const {
    const Ceiling* ceiling = model_.machine->Find(id);
    return ceiling == nullptr ? 0 : JobValue(*ceiling, model_.hosts, share);
  }

  std::vector<NamedCeiling> Take() { return std::move(ceilings_); }

 private:
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

void AddInCore(const JobModel& model, Collector& to) {
  const auto widest = [&](FlopKind kind) {
    return to.Shared(
        [&](size_t p) { return model.rates.widest[p].alone[static_cast<size_t>(kind)]; });
  };
  to.Compute("thread parallelism only", to.Measured("chain.scalar"));
  to.Compute("+ILP", to.Measured("ilp.scalar"));
  to.Compute("+SIMD", widest(FlopKind::kAdd));
  to.Compute("without FMA", to.Shared(NoFma(model)));
  to.Compute("FMA alone", widest(FlopKind::kFma));
  to.Compute("peak", to.Shared([&](size_t p) { return model.rates.peak[p]; }));
  for (const int one_in : {2, 4, 8, 16}) {
    to.Compute(fmt::format("1/{} of instructions FP", one_in), to.Shared([&](size_t p) {
      return to.Value(fmt::format("mix.{}.{}", PrecisionName(static_cast<Precision>(p)), one_in));
    }));
  }
}

// F over 2^k cores, as measured there: see imbalance.h.
void AddImbalance(const JobModel& model, Collector& to) {
  const double cores = model.rates.cores;
  for (double divisor = 2; divisor < 2 * cores; divisor *= 2) {
    const double share = std::max(1 / divisor, 1 / cores);
    const auto id = [](size_t p, const char* kind) {
      return fmt::format("compute.{}.{}", PrecisionName(static_cast<Precision>(p)), kind);
    };
    const double over = std::round(1 / share);
    to.Compute(fmt::format("1/{:.0f} of the cores", over),
               to.Shared([&](size_t p) { return to.Value(id(p, "peak"), share); }));
    to.Compute(fmt::format("1/{:.0f} of the cores, thread parallelism only", over),
               to.Shared([&](size_t p) { return to.Value(id(p, "chain.scalar"), share); }));
    to.Memory(fmt::format("DRAM from 1/{:.0f} of the cores", over), MemoryLevel::kDram,
              model.DramBandwidth(share));
  }
}

void AddMemory(const JobModel& model, Collector& to) {
  constexpr std::array<std::pair<const char*, const char*>, 9> kLadder = {{
      {"random", "DRAM random lines"},
      {"strided", "DRAM strided"},
      {"read_far", "DRAM no affinity"},
      {"copy", "DRAM copy"},
      {"read", "DRAM read"},
      {"read_prefetch", "DRAM read, prefetch"},
      {"triad", "DRAM triad"},
      {"triad_prefetch", "DRAM triad, prefetch"},
      {"triad_nt", "DRAM triad, non-temporal"},
  }};
  for (const auto& [kind, name] : kLadder) {
    to.Memory(name, MemoryLevel::kDram, to.Value(fmt::format("bandwidth.DRAM.{}", kind)));
  }
  for (const MemoryLevel level : {MemoryLevel::kL1, MemoryLevel::kL2, MemoryLevel::kL3}) {
    const auto& roof = model.roofs.bandwidth[static_cast<size_t>(level)];
    if (roof) to.Memory(std::string(LevelName(level)), level, roof->value);
  }
}

}  // namespace

std::vector<NamedCeiling> ArchitectureCeilings(const RegionInputs& region, const JobModel& model) {
  Collector to(region, model);
  AddInCore(model, to);
  AddImbalance(model, to);
  AddMemory(model, to);
  return to.Take();
}

double TopRoof(const RegionInputs& region, const JobModel& model) {
  return Collector(region, model).Shared([&](size_t p) { return model.rates.peak[p]; });
}

double NoFmaRoof(const RegionInputs& region, const JobModel& model) {
  return Collector(region, model).Shared(NoFma(model));
}

}  // namespace roofmark
