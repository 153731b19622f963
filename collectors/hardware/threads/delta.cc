// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/threads/delta.h"

namespace roofmark::threads {
namespace {

// FLOPs of A64FX or Zen 5 in half precision, at 6 GHz, stay below this.
// An extension of both compilers.
__extension__ using Uint128 = unsigned __int128;

constexpr Uint128 kMostPerNs = 1000;
// So much is believed without asking how long it took: times may come from a page that the kernel
// has not updated for a while.
constexpr uint64_t kAlwaysPossible = uint64_t{1} << 40;

bool Possible(uint64_t count, uint64_t running_ns) {
  return count <= kAlwaysPossible || count <= kMostPerNs * running_ns;
}

}  // namespace

Sum Difference(const Total& before, const Total& after) noexcept {
  constexpr Sum kInvalid{0, 0, 0, true};
  const auto enabled = static_cast<int64_t>(after.enabled_ns - before.enabled_ns);
  const auto running = static_cast<int64_t>(after.running_ns - before.running_ns);
  const auto count = static_cast<int64_t>(after.value - before.value);
  if (count < 0) return kInvalid;
  // An event that never waited needs no times, and those of a page may lag behind those of a read.
  const bool ran_throughout = enabled == running;
  if (!ran_throughout && (enabled < 0 || running < 0 || running > enabled)) return kInvalid;
  Sum sum;
  sum.value = static_cast<uint64_t>(count);
  if (enabled > 0) sum.enabled_ns = static_cast<uint64_t>(enabled);
  if (running > 0) sum.running_ns = static_cast<uint64_t>(running);
  // Nothing can be counted while the event waits.
  if (!ran_throughout && running == 0 && count > 0) return kInvalid;
  return Possible(sum.value, sum.running_ns) ? sum : kInvalid;
}

}  // namespace roofmark::threads
