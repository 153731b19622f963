// SPDX-License-Identifier: BSD-3-Clause
#include "command/run/limit.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace roofmark::cli {
namespace {

// Visits of each region in which caches are modelled; fewer than the last find cold caches alone.
constexpr uint64_t kFewerVisits[] = {1000, 300, 100, 30, 10, 3};

// Those that are less than what is wanted, the most first.
std::vector<WorkExtent> Lowered(const WorkExtent& wanted) {
  std::vector<WorkExtent> extents;
  if (wanted.count == "flops") return extents;
  for (const uint64_t visits : kFewerVisits) {
    if (wanted.first_visits != 0 && visits >= wanted.first_visits) continue;
    extents.push_back(wanted);
    extents.back().first_visits = visits;
    extents.back().bursts = false;
  }
  WorkExtent least = wanted;
  least.count = "flops";
  least.first_visits = 0;
  extents.push_back(least);
  return extents;
}

std::string WhatIsLowered(const WorkExtent& extent, const std::string& limit) {
  if (extent.count == "flops") {
    return fmt::format(
        "for --work-limit {} FLOPs and instructions alone are counted: no bytes of caches and DRAM",
        limit);
  }
  return fmt::format("for --work-limit {} caches are modelled in {} visits of each region", limit,
                     extent.first_visits);
}

}  // namespace

FittedWork FitWork(const JobProfile& time, const WorkExtent& wanted, double limit_s) {
  FittedWork fitted{wanted, ExpectWork(time, wanted), {}, true};
  if (fitted.expectation.most_s <= limit_s) return fitted;
  for (const WorkExtent& extent : Lowered(wanted)) {
    fitted.extent = extent;
    fitted.expectation = ExpectWork(time, extent);
    if (fitted.expectation.most_s <= limit_s) break;
  }
  const std::string limit = Duration(limit_s);
  if (fitted.expectation.least_s > limit_s) {
    fitted.fits = false;
    fitted.sentences = {fmt::format(
        "no work pass is made: even FLOPs alone are expected to take {}, and --work-limit is {}. "
        "Give more time, or run a smaller problem, fewer steps or fewer threads",
        Describe(fitted.expectation), limit)};
    return fitted;
  }
  const bool lowered =
      fitted.extent.count != wanted.count || fitted.extent.first_visits != wanted.first_visits;
  if (lowered) fitted.sentences.push_back(WhatIsLowered(fitted.extent, limit));
  if (fitted.expectation.most_s > limit_s) {
    fitted.sentences.push_back(fmt::format(
        "the work pass may take longer than --work-limit {}: it is not ended then", limit));
  }
  return fitted;
}

std::optional<double> ParseLimit(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || !(value > 0) || !std::isfinite(value)) return std::nullopt;
  const std::string unit(end, text.data() + text.size());
  if (unit.empty() || unit == "s") return value;
  if (unit == "m") return value * 60;
  if (unit == "h") return value * 3600;
  return std::nullopt;
}

}  // namespace roofmark::cli
