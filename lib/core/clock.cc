// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/clock.h"

namespace roofmark {

ClockPair ReadClocks() noexcept {
  ClockPair best;
  uint64_t best_width = UINT64_MAX;
  for (int i = 0; i < 5; ++i) {
    const uint64_t before = Ticks();
    const uint64_t ns = NowNs();
    const uint64_t after = Ticks();
    if (after - before < best_width) {
      best_width = after - before;
      best = {before + (after - before) / 2, ns};
    }
  }
  return best;
}

double NsPerTick(const ClockPair& start) noexcept {
  constexpr uint64_t kShortestNs = 2'000'000;
  ClockPair now = ReadClocks();
  while (now.ns - start.ns < kShortestNs) now = ReadClocks();
  if (now.ticks <= start.ticks) return 1.0;
  return static_cast<double>(now.ns - start.ns) / static_cast<double>(now.ticks - start.ticks);
}

}  // namespace roofmark
