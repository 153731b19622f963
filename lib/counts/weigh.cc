// SPDX-License-Identifier: BSD-3-Clause
#include "lib/counts/weigh.h"

#include <algorithm>
#include <cmath>

namespace roofmark::counts {

Weighed Weigh(const MetricRule& rule, const Sum* sums) {
  Weighed weighed;
  long double value = 0;
  for (const WeighedEvent& term : rule.terms) {
    const Estimate estimate = Scale(sums[term.event]);
    weighed.status = std::max(weighed.status, estimate.status);
    value += static_cast<long double>(estimate.value) * term.weight;
    if (HasValue(estimate.status)) weighed.share = std::min(weighed.share, estimate.share);
  }
  // Differences of speculative events may come out below nothing.
  const bool possible = value >= 0 && value < 0x1p63L;
  if (!HasValue(weighed.status) || !possible) return {0, Status::kInvalid, weighed.share};
  weighed.value = static_cast<uint64_t>(std::llround(value));
  return weighed;
}

}  // namespace roofmark::counts
