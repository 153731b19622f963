// SPDX-License-Identifier: BSD-3-Clause
//
// A machine's ceilings at the cores that a job uses, summed over its hosts: the roofs of its chart.
#ifndef ROOFMARK_LIB_MODEL_ROOFS_H_
#define ROOFMARK_LIB_MODEL_ROOFS_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/model/figure.h"
#include "lib/model/machine.h"
#include "lib/profile/profile.h"

namespace roofmark {

// Where bytes move: L1 = between registers and L1, L2 = between L1 and L2, and so on.
enum Level : uint8_t { kL1, kL2, kL3, kDram };
inline constexpr size_t kLevels = 4;
std::string_view LevelName(Level level);

// One line of a chart.
struct Roof {
  std::string id;     // of the machine file's ceiling
  std::string name;   // short: "DRAM", "double peak", "double, no FMA"
  std::string label;  // the ceiling's own label: "DRAM triad, non-temporal stores"
  double value = 0;   // GFLOP/s or GB/s, of all cores of the job
};

struct Roofs {
  Figure cores;         // active cores: min(CPUs, ranks x threads) of each host, summed
  std::string machine;  // "CPU model, 2 cores, measured 2026-..., quick"; empty without a machine
  std::array<std::optional<Roof>, kLevels> bandwidth;  // fastest kind of access, traffic counted
  // [precision]: the peak, the highest without fused multiply-add, the highest scalar one without.
  std::array<std::optional<Roof>, kPrecisions> peak, no_fma, scalar;
  std::string missing;                 // why there is no roof at all; empty if there are some
  std::vector<std::string> warnings;  // one sentence each
};

Roofs RoofsOf(const RunInfo& run, const Machine* machine);

// The compute ceiling of an instruction mix.
struct ComputeRoof : Figure {
  std::string name;  // "double peak", "double, no FMA"
};

// What decides which ceiling fits.
struct Mix {
  std::array<double, kPrecisions> flops{};
  std::array<double, kPrecisions> fma_flops{};
  bool declared = false;  // FLOPs whose precision nobody knows: held against the double peak
};

// Code in which less than 1 % of the FLOPs are fused is held against the no-FMA ceiling. Where
// precisions mix, each takes its share of the time: F = sum / sum(flops_p / F_p).
ComputeRoof CeilingOf(const Roofs& roofs, const Mix& mix);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_ROOFS_H_
