// SPDX-License-Identifier: BSD-3-Clause
//
// By how much a real sample may differ from what is expected of it before a test calls it wrong. A
// test that compares at all asks here, so that its chance of failing on right code is stated once.
#ifndef ROOFMARK_TESTS_SUPPORT_CHANCE_H_
#define ROOFMARK_TESTS_SUPPORT_CHANCE_H_

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace roofmark::test {

// Of one assertion on right code. There are some dozens of them, so that all of them together stay
// below 1e-9 in a run.
inline constexpr double kChance = 1e-11;

// Logarithm of the probability that exactly `hits` of `n` independent draws hit, each with
// probability `share` (inside of 0 to 1).
inline double LogBinomial(uint64_t hits, uint64_t n, double share) {
  const auto k = static_cast<double>(hits), all = static_cast<double>(n);
  return std::lgamma(all + 1) - std::lgamma(k + 1) - std::lgamma(all - k + 1) +
         k * std::log(share) + (all - k) * std::log1p(-share);
}

// The probability of `hits` or fewer of `n`: the sum of its terms, each at most 1.
inline double AtMost(uint64_t hits, uint64_t n, double share) {
  if (hits >= n || share <= 0) return 1;
  if (share >= 1) return 0;
  double sum = 0;
  for (uint64_t k = 0; k <= hits; ++k) sum += std::exp(LogBinomial(k, n, share));
  return std::min(sum, 1.0);
}

// The probability of `hits` or more of `n`.
inline double AtLeast(uint64_t hits, uint64_t n, double share) {
  return hits == 0 ? 1 : AtMost(n - std::min(hits, n), n, 1 - share);
}

// Whether `hits` of `n` are as many as right code with this share gives, but for a chance of
// `chance`. Samples at even distances scatter less than independent ones, so it holds for these,
// too.
inline bool IsShare(uint64_t hits, uint64_t n, double share, double chance = kChance) {
  return AtMost(hits, n, share) >= chance / 2 && AtLeast(hits, n, share) >= chance / 2;
}

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_SUPPORT_CHANCE_H_
