// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/unit_rates.h"

#include <fmt/format.h>

#include <algorithm>

#include "lib/core/table.h"
#include "lib/model/flop_classes.h"
#include "lib/model/roofs.h"

namespace roofmark {
namespace {

constexpr Named<Width> kWidthNames[] = {
    {Width::kScalar, "scalar"}, {Width::k128, "128"}, {Width::k256, "256"}, {Width::k512, "512"}};
static_assert(InOrder(kWidthNames, Width::k512));
constexpr Named<FlopKind> kKindNames[] = {{FlopKind::kAdd, "add"},
                                          {FlopKind::kMul, "mul"},
                                          {FlopKind::kFma, "fma"},
                                          {FlopKind::kDiv, "div"},
                                          {FlopKind::kSqrt, "sqrt"}};
static_assert(InOrder(kKindNames, FlopKind::kSqrt));

class Measured {
 public:
  Measured(const Machine& machine, const std::vector<ActiveHost>& hosts)
      : machine_(machine), hosts_(hosts) {}

  // 0 if it was not measured.
  double operator()(const std::string& id) const {
    const CeilingCurve* ceiling = machine_.Find(id);
    return ceiling == nullptr ? 0 : JobValue(*ceiling, hosts_);
  }

 private:
  const Machine& machine_;
  const std::vector<ActiveHost>& hosts_;
};

WidthRates RatesOf(const Measured& measured, Precision precision, size_t width) {
  const auto rate = [&](std::string_view kind) {
    return measured(
        fmt::format("compute.{}.{}.{}", PrecisionName(precision), kind, kWidthNames[width].name));
  };
  WidthRates rates;
  for (size_t k = 0; k < kFlopKinds; ++k) rates.alone[k] = rate(kKindNames[k].name);
  double& add = rates.alone[static_cast<size_t>(FlopKind::kAdd)];
  add = std::max(add, rate("ilp"));
  const double mul = rates.alone[static_cast<size_t>(FlopKind::kMul)];
  const double fma = rates.alone[static_cast<size_t>(FlopKind::kFma)];
  const double muladd = rate("muladd"), fmaadd = rate("fmaadd");
  rates.best = std::max({add, mul, fma, muladd, fmaadd});
  // Of the kernels of fused and plain additions, the one with most additions has as many of them.
  rates.lane_operations = std::max({add, mul, fma / 2, muladd, fmaadd / 1.5});
  return rates;
}

void Raise(WidthRates& widest, const WidthRates& rates) {
  for (size_t k = 0; k < kFlopKinds; ++k) {
    widest.alone[k] = std::max(widest.alone[k], rates.alone[k]);
  }
  widest.best = std::max(widest.best, rates.best);
  widest.lane_operations = std::max(widest.lane_operations, rates.lane_operations);
}

double IssueRate(const Measured& measured, const UnitRates& rates) {
  double issue = 0;
  for (size_t p = 0; p < kPrecisions; ++p) {
    // The mixes' floating-point instruction is the widest fused one there is, else an addition.
    size_t width = kWidths;
    bool fused = false;
    for (size_t w = 0; w < kWidths; ++w) {
      const WidthRates& at = rates.by_width[p][w];
      if (at.alone[static_cast<size_t>(FlopKind::kFma)] > 0) fused = true;
      if (at.best > 0) width = w;
    }
    if (width == kWidths) continue;
    const double flops =
        (fused ? 2 : 1) * Lanes(static_cast<Precision>(p), static_cast<Width>(width));
    for (const int one_in : {2, 4, 8, 16}) {
      const double gflops =
          measured(fmt::format("mix.{}.{}", PrecisionName(static_cast<Precision>(p)), one_in));
      issue = std::max(issue, gflops / flops * one_in);
    }
  }
  return issue;
}

double HighestClock(const Machine& machine) {
  double ghz = 0;
  for (const CeilingCurve& ceiling : machine.ceilings) {
    const bool is_clock = ceiling.id.starts_with("clock.");
    for (const MachinePoint& point : ceiling.curve) {
      ghz = std::max({ghz, point.ghz, is_clock ? point.value : 0});
    }
  }
  return ghz;
}

double ScalingAt(const Machine& machine, const std::vector<ActiveHost>& hosts, double cores) {
  const CeilingCurve* peak = machine.Find("compute.dp.peak");
  if (peak == nullptr || cores <= 0) return 1;
  const double alone = ValueAt(*peak, 1);
  return alone > 0 ? std::min(1.0, JobValue(*peak, hosts) / (cores * alone)) : 1;
}

// Of a machine that does not list its widths those that it was measured with.
bool Executes(const Machine& machine, size_t width, const UnitRates& rates) {
  if (!machine.isa.empty()) {
    return std::find(machine.isa.begin(), machine.isa.end(), kWidthNames[width].name) !=
           machine.isa.end();
  }
  return std::any_of(rates.by_width.begin(), rates.by_width.end(),
                     [width](const auto& widths) { return widths[width].best > 0; });
}

void AddKnown(double more, double& sum) { sum = sum > 0 && more > 0 ? sum + more : 0; }

void AddRates(const WidthRates& more, WidthRates& sum) {
  for (size_t k = 0; k < kFlopKinds; ++k) AddKnown(more.alone[k], sum.alone[k]);
  AddKnown(more.best, sum.best);
  AddKnown(more.lane_operations, sum.lane_operations);
}

}  // namespace

UnitRates::UnitRates(const Machine& machine, const std::vector<ActiveHost>& hosts) {
  const Measured measured(machine, hosts);
  for (size_t p = 0; p < kPrecisions; ++p) {
    const auto precision = static_cast<Precision>(p);
    for (size_t w = 0; w < kWidths; ++w) {
      by_width[p][w] = RatesOf(measured, precision, w);
      Raise(widest[p], by_width[p][w]);
      if (by_width[p][w].best > 0) widest_lanes[p] = Lanes(precision, static_cast<Width>(w));
    }
    peak[p] = std::max(measured(fmt::format("compute.{}.peak", PrecisionName(precision))),
                       widest[p].best);
    widest[p].best = peak[p];
  }
  for (size_t w = 0; w < kWidths; ++w) executes[w] = Executes(machine, w, *this);
  bfloat16_peak = measured("compute.bf16.peak");
  issue = IssueRate(measured, *this);
  clock_ghz = HighestClock(machine);
  for (const ActiveHost& host : hosts) cores += host.cores;
  scaling = ScalingAt(machine, hosts, cores);
}

void UnitRates::Add(const UnitRates& other) {
  constexpr auto kDouble = static_cast<size_t>(Precision::kDouble);
  const double alone = peak[kDouble] / scaling + other.peak[kDouble] / other.scaling;
  for (size_t p = 0; p < kPrecisions; ++p) {
    for (size_t w = 0; w < kWidths; ++w) {
      // Nodes that do not execute such instructions have none of their work either.
      if (executes[w] && other.executes[w]) AddRates(other.by_width[p][w], by_width[p][w]);
      if (!executes[w]) by_width[p][w] = other.by_width[p][w];
    }
    AddRates(other.widest[p], widest[p]);
    widest_lanes[p] = std::max(widest_lanes[p], other.widest_lanes[p]);
    AddKnown(other.peak[p], peak[p]);
  }
  for (size_t w = 0; w < kWidths; ++w) executes[w] = executes[w] || other.executes[w];
  AddKnown(other.bfloat16_peak, bfloat16_peak);
  AddKnown(other.issue, issue);
  cores += other.cores;
  clock_ghz = std::max(clock_ghz, other.clock_ghz);
  scaling = peak[kDouble] > 0 ? peak[kDouble] / alone : 1;
}

}  // namespace roofmark
