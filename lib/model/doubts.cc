// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/doubts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lib/model/work.h"

namespace roofmark {
namespace {

constexpr auto kL1 = static_cast<size_t>(MemoryLevel::kL1);

bool Matters(const PathAnalysis& path) {
  constexpr double kLeastShare = 0.01;
  return !path.time_share || *path.time_share >= kLeastShare;
}

// Declared work may stand in for what was not counted: it contradicts nothing.
bool IsCounted(const Value& value) { return value && value.status != Status::kDeclared; }

std::optional<Contradiction> OfFlops(const Value& flops, const Value& declared) {
  using What = Contradiction::What;
  if (!IsCounted(flops) || !declared || *declared <= 0) return std::nullopt;
  const double ratio = *flops / *declared;
  const auto is = [&](What what) { return Contradiction{0, what, *flops, *declared}; };
  if (flops.status == Status::kScaled) {
    return std::abs(ratio - 1) > kScaledApart ? std::optional(is(What::kScaledFlops))
                                              : std::nullopt;
  }
  if (ratio < kFewestOfDeclared) return is(What::kFewerFlops);
  if (ratio > kMostOfDeclared) return is(What::kMoreFlops);
  return std::nullopt;
}

std::optional<Contradiction> OfBytes(const Value& accessed, const Value& declared) {
  if (!IsCounted(accessed) || !declared || *declared * kFewestOfDeclared <= *accessed)
    return std::nullopt;
  return Contradiction{0, Contradiction::What::kMoreBytes, *accessed, *declared};
}

// Whether what the interval may reach takes a part of the region's time worth a word.
bool TakesTime(const PathAnalysis& path, const JobAnalysis& analysis) {
  constexpr double kLeast = 0.05, kUnknown = 10;  // of the time; times what was extrapolated
  if (!analysis.roofs || !analysis.roofs->bandwidth[kDramLevel] || !path.time_s) return true;
  const Value& bytes = path.traffic_bytes[kDramLevel];
  const double most = std::min(bytes.within->most, kUnknown * *bytes);
  return most * 1e-9 / analysis.roofs->bandwidth[kDramLevel]->value > kLeast * *path.time_s;
}

}  // namespace

std::vector<Contradiction> Contradictions(const JobProfile& job, const JobAnalysis& analysis) {
  std::vector<Contradiction> all;
  for (size_t p = 0; p < analysis.paths.size(); ++p) {
    const PathAnalysis& path = analysis.paths[p];
    if (!Matters(path)) continue;
    std::optional<Contradiction> one =
        OfFlops(path.total_flops, MetricSum(job, p, metric::kDeclaredFlops));
    if (!one) one = OfBytes(path.traffic_bytes[kL1], MetricSum(job, p, metric::kDeclaredBytes));
    if (!one) continue;
    one->path = p;
    all.push_back(*one);
  }
  return all;
}

std::optional<double> IntervalWidth(const Value& value) {
  if (!value || !value.within) return std::nullopt;
  if (*value <= 0) return std::numeric_limits<double>::infinity();
  return std::max(value.within->most - *value, *value - value.within->least) / *value;
}

std::vector<size_t> WidelyExtrapolated(const JobAnalysis& analysis) {
  std::vector<size_t> paths;
  const auto width = [&](size_t p) {
    return IntervalWidth(analysis.paths[p].traffic_bytes[kDramLevel]).value_or(0);
  };
  for (size_t p = 0; p < analysis.paths.size(); ++p) {
    const PathAnalysis& path = analysis.paths[p];
    if (width(p) > kWideInterval && Matters(path) && TakesTime(path, analysis)) paths.push_back(p);
  }
  std::stable_sort(paths.begin(), paths.end(),
                   [&](size_t a, size_t b) { return width(a) > width(b); });
  return paths;
}

}  // namespace roofmark
