// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/dependences.h"

#include <cmath>

namespace roofmark::counting {
namespace {

// What the windows tell apart, and where that belongs.
struct Cause {
  roof_counter cycles;
  MetricId metric;
};
constexpr std::array kCauses = {
    Cause{ROOF_C_WINDOW_FP_CYCLES, metric::kDependenceFpCycles},
    Cause{ROOF_C_WINDOW_INTEGER_CYCLES, metric::kDependenceAddressCycles},
    Cause{ROOF_C_WINDOW_L1_CYCLES, metric::kDependenceAddressCycles},
    Cause{ROOF_C_WINDOW_FORWARD_CYCLES, metric::kDependenceForwardCycles},
    Cause{ROOF_C_WINDOW_L2_CYCLES, metric::kDependenceMemoryCycles},
    Cause{ROOF_C_WINDOW_L3_CYCLES, metric::kDependenceMemoryCycles},
    Cause{ROOF_C_WINDOW_DRAM_CYCLES, metric::kDependenceMemoryCycles},
    Cause{ROOF_C_WINDOW_IN_FLIGHT_CYCLES, metric::kDependenceInFlightCycles},
    Cause{ROOF_C_WINDOW_FULL_CYCLES, metric::kDependenceWindowCycles},
    Cause{ROOF_C_WINDOW_TLB_CYCLES, metric::kDependenceTlbCycles},
    Cause{ROOF_C_WINDOW_UNITS_CYCLES, metric::kDependenceUnitsCycles},
    Cause{ROOF_C_WINDOW_ATOMIC_CYCLES, metric::kDependenceAtomicCycles},
    Cause{ROOF_C_WINDOW_BRANCH_CYCLES, metric::kDependenceBranchCycles},
    Cause{ROOF_C_WINDOW_ISSUE_CYCLES, metric::kDependenceIssueCycles},
};
static_assert(kCauses.size() == ROOF_C_WINDOW_ISSUE_CYCLES - ROOF_C_WINDOW_CYCLES);

}  // namespace

std::array<uint64_t, kDependences> DependencesOf(
    std::span<const uint64_t, ROOF_COUNTERS> counters) {
  std::array<uint64_t, kDependences> cycles = {};
  const uint64_t in_windows = counters[ROOF_C_WINDOW_INSTRUCTIONS];
  if (in_windows == 0) return cycles;
  const double scale =
      static_cast<double>(counters[ROOF_C_INSTRUCTIONS]) / static_cast<double>(in_windows);
  std::array<double, kDependences> parts = {};
  for (const Cause& cause : kCauses) {
    parts[cause.metric - metric::kFirstDependence] += static_cast<double>(counters[cause.cycles]);
  }
  for (size_t i = 1; i < kDependences; ++i) {
    cycles[i] = static_cast<uint64_t>(std::llround(parts[i] * scale));
    cycles[0] += cycles[i];
  }
  return cycles;
}

}  // namespace roofmark::counting
