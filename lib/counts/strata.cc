// SPDX-License-Identifier: BSD-3-Clause
#include "lib/counts/strata.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace roofmark::counts {
namespace {

// Student's t by degrees of freedom, from 1 on: 97.5 % lie below. The last one stands for more.
constexpr double kQuantiles[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306,
                                 2.262,  2.228, 2.201, 2.179, 2.160, 2.145, 2.131};

// Any mixture of bits does.
uint64_t Mixed(uint64_t number) noexcept {
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
  number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
  return number ^ (number >> 31);
}

}  // namespace

size_t StratumOf(uint64_t visit) noexcept {
  const uint64_t order = Mixed(visit / kStrata);
  const uint64_t step = 2 * (order % kStrata) + 1, first = order / kStrata % kStrata;
  return (visit % kStrata * step + first) % kStrata;
}

std::optional<double> Margin(std::span<const Stratum> strata, double rest) {
  double number = 0, by = 0;
  size_t used = 0;
  for (const Stratum& stratum : strata) {
    if (stratum.by <= 0) continue;
    number += stratum.number;
    by += stratum.by;
    ++used;
  }
  if (rest <= 0) return 0;
  if (used < 2) return std::nullopt;
  const double ratio = number / by;
  double squares = 0;
  for (const Stratum& stratum : strata) {
    if (stratum.by <= 0) continue;
    const double off = stratum.number - ratio * stratum.by;
    squares += off * off / stratum.by;
  }
  const size_t freedom = used - 1;
  const double quantile = kQuantiles[std::min(freedom, std::size(kQuantiles)) - 1];
  const double variance = squares / static_cast<double>(freedom) * rest * (rest + by) / by;
  return quantile * std::sqrt(variance);
}

}  // namespace roofmark::counts
