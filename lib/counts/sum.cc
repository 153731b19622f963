// SPDX-License-Identifier: BSD-3-Clause
#include "lib/counts/sum.h"

namespace roofmark::counts {
namespace {

// An extension of both compilers.
__extension__ using Uint128 = unsigned __int128;

}  // namespace

Estimate Scale(const Sum& sum) noexcept {
  if (sum.invalid) {
    return {0, Status::kInvalid, 0, "a read failed or returned a physically impossible value"};
  }
  if (sum.enabled_ns == sum.running_ns) return {sum.value, Status::kMeasured, 1, {}};
  if (sum.running_ns == 0) {
    return {0, Status::kInvalid, 0,
            "the event was never on a counter in this region: other programs hold the counters, or "
            "the visits are too short for taking turns"};
  }
  const auto scaled =
      (static_cast<Uint128>(sum.value) * sum.enabled_ns + sum.running_ns / 2) / sum.running_ns;
  const double share = static_cast<double>(sum.running_ns) / static_cast<double>(sum.enabled_ns);
  if (scaled > UINT64_MAX) {
    return {0, Status::kInvalid, share, "the scaled value is physically impossible"};
  }
  return {static_cast<uint64_t>(scaled), Status::kScaled, share, {}};
}

}  // namespace roofmark::counts
