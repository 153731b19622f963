// SPDX-License-Identifier: BSD-3-Clause
#include "command/self_test/verdict.h"

#include <fmt/format.h>

#include <cmath>

namespace roofmark::cli {
namespace {

constexpr Named<Family> kFamilies[] = {
    {Family::kFlops, "flops"},   {Family::kInstructions, "instructions"},
    {Family::kCycles, "cycles"}, {Family::kThreads, "threads"},
    {Family::kDram, "dram"},     {Family::kCaches, "caches"}};
static_assert(InOrder(kFamilies, Family::kCaches));
constexpr Named<Verdict> kVerdicts[] = {
    {Verdict::kExact, "exact"}, {Verdict::kOk, "ok"}, {Verdict::kOff, "off"}};
static_assert(InOrder(kVerdicts, Verdict::kOff));

bool Near(double ratio, double value) { return std::abs(ratio - value) < 0.03 * value; }

// What a ratio of this kind has meant elsewhere.
std::string HintOf(Family family, const std::string& exercise, double ratio) {
  const bool fused = exercise.find("fma") != std::string::npos;
  if (ratio == 0)
    return "the event counts nothing: a hypervisor or firmware may have switched it off";
  if (family == Family::kDram) {
    if (ratio > 1) return "more traffic than the kernel causes: were other programs running?";
    return Near(ratio, 0.5)
               ? "half of the traffic is missing: one package, or every second channel?"
               : "traffic is missing: a memory controller is not counted, or memory is "
                 "on another package";
  }
  if (fused && Near(ratio, 0.5)) return "a fused multiply-add is counted as one operation";
  if (Near(ratio, 2)) return "everything is counted twice";
  if (family == Family::kThreads && ratio < 1)
    return "a part of the work of the threads is missing";
  if (ratio > 1 && family == Family::kFlops) {
    return "more operations than the program has: the event may count what was executed, not "
           "retired";
  }
  return "";
}

bool IsTraffic(Family family) {
  return family == Family::kDram || family == Family::kCaches || family == Family::kCycles;
}

}  // namespace

std::string_view FamilyName(Family family) { return RowOf(kFamilies, family).name; }
std::optional<Family> ParseFamily(std::string_view name) { return FindByName(kFamilies, name); }
std::string_view VerdictName(Verdict verdict) { return RowOf(kVerdicts, verdict).name; }
std::optional<Verdict> ParseVerdict(std::string_view name) { return FindByName(kVerdicts, name); }

// By name, because names are the contract of files: a collector that supplies "flops_dp_any" means
// this sum.
Known KnownFlops(const std::map<MetricId, double>& classes) {
  std::map<std::string, double> sums;
  for (const auto& precision : kPrecisionNames) {
    for (const auto& width : kWidthNames) {
      for (const auto& kind : kFlopKindNames) {
        const auto found = classes.find(FlopMetric(precision.id, width.id, kind.id));
        const double flops = found == classes.end() ? 0 : found->second;
        // Counters that tell kinds know divisions and roots together only.
        const bool root = kind.id == FlopKind::kSqrt;
        sums[fmt::format("flops_{}_{}_{}", precision.name, width.name, kind.name)] += flops;
        sums[fmt::format("flops_{}_{}", precision.name, width.name)] += flops;
        sums[fmt::format("flops_mixed_{}", root ? "div" : kind.name)] += flops;
        sums[fmt::format("flops_{}_any", precision.name)] += flops;
        sums["flops_mixed_any"] += flops;
      }
    }
  }
  Known known;
  for (const auto& [name, value] : sums) known[name] = Exactly(value);
  return known;
}

std::optional<double> Check::Ratio() const {
  if (known.most == 0) return std::nullopt;
  if (counted > known.most) return counted / known.most;
  if (counted < known.least) return counted / known.least;
  return 1;
}

Tolerance ToleranceOf(Status status, bool engine) {
  if (engine) return {0, 0.02, 0};
  // What took turns on the counters is an estimate.
  if (status == Status::kScaled) return {0.05, 0.15, 0.02};
  return {0.001, 0.1, 0.001};
}

Check Judge(Family family, std::string exercise, std::string metric, Range known, double counted,
            Status status, bool engine, double scale) {
  Check check{family, std::move(exercise), std::move(metric), known, counted, status, Verdict::kOff,
              ""};
  const Tolerance tolerance = ToleranceOf(status, engine);
  if (known.most == 0) {
    const double leak = IsTraffic(family) ? tolerance.traffic : tolerance.leak;
    if (counted <= leak * scale) {
      check.verdict = counted == 0 ? Verdict::kExact : Verdict::kOk;
    } else {
      check.hint = "the event counts something that the kernel does not do";
    }
    return check;
  }
  const double ratio = *check.Ratio();
  const double wide = IsTraffic(family) ? tolerance.traffic : tolerance.work;
  if (known.Exact() && counted == known.least) {
    check.verdict = Verdict::kExact;
  } else if (std::abs(ratio - 1) <= wide) {
    check.verdict = Verdict::kOk;
  } else {
    check.hint = HintOf(family, check.exercise, ratio);
  }
  return check;
}

}  // namespace roofmark::cli
