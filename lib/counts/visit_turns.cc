// SPDX-License-Identifier: BSD-3-Clause
#include "lib/counts/visit_turns.h"

#include <algorithm>
#include <cmath>

#include "lib/counts/strata.h"

namespace roofmark::counts {
namespace {

// Student's t with kLeastPairs - 1 degrees of freedom: 97.5 % lie below. With more it is less.
constexpr double kQuantile = 2.365;

}  // namespace

uint64_t PairOfVisit(uint64_t visit) noexcept { return (visit - 1) / 2; }

bool IsCountedInTurn(uint64_t visit) noexcept {
  const uint64_t pair = PairOfVisit(visit);
  const bool first_is_counted = pair == 0 || StratumOf(pair) % 2 == 0;
  return ((visit - 1) % 2 == 0) == first_is_counted;
}

void PairTimes::Add(double timed, double counted) noexcept {
  ++pairs_;
  if (counted >= (1 + kLittleCost) * timed) ++costly_;
  timed_ += timed;
  counted_ += counted;
  timed_squares_ += timed * timed;
  counted_squares_ += counted * counted;
  products_ += timed * counted;
}

std::optional<double> PairTimes::Cost() const noexcept {
  if (timed_ <= 0) return std::nullopt;
  return counted_ / timed_ - 1;
}

std::optional<double> PairTimes::CostAtMost() const noexcept {
  const std::optional<double> cost = Cost();
  if (pairs_ < kLeastPairs || !cost) return std::nullopt;
  const double ratio = 1 + *cost, pairs = static_cast<double>(pairs_);
  const double squares = counted_squares_ - 2 * ratio * products_ + ratio * ratio * timed_squares_;
  const double variance = std::max(0.0, squares) / (pairs - 1);
  return *cost + kQuantile * std::sqrt(variance * pairs) / timed_;
}

bool PairTimes::CostsLittle() const noexcept {
  const std::optional<double> most = CostAtMost();
  return most && *most < kLittleCost && 2 * costly_ < pairs_;
}

}  // namespace roofmark::counts
