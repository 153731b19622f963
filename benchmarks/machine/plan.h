// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_BENCHMARKS_MACHINE_PLAN_H_
#define ROOFMARK_BENCHMARKS_MACHINE_PLAN_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/machine/core_sets.h"
#include "benchmarks/machine/sampler.h"
#include "benchmarks/machine/topology.h"

namespace roofmark {

enum class Effort : uint8_t { kQuick, kDefault, kFull };
std::string_view EffortName(Effort effort);

struct EffortPlan {
  double seconds;  // for everything, set-up included
  double sample_seconds;
  uint32_t samples;           // of a task in a round
  uint32_t least_rounds;      // each with fresh memory
  uint32_t most_samples;      // after which a noisy task is done too
  double tolerance;           // a task is done when two rounds agree within this
  uint64_t first_dram_bytes;  // working set of one core with which the sweep begins, at most
  uint64_t most_dram_bytes;   // and to which it is doubled until it reaches DRAM
};
EffortPlan PlanOf(Effort effort);

// Working sets of the sweep: four per octave of caches' sizes would be too slow, two find a
// plateau of one octave. From 4 KiB to `last`, each a multiple of 512 bytes.
std::vector<uint64_t> SweepSizes(uint64_t last);

// Working set per core for a level when `cores` that share it are active: three eighths of the
// share, but four to eight times the level above as far as three quarters of the share allow. The
// same in every run on one machine. nullopt: too small a share to be told from the level above.
std::optional<uint64_t> LevelBytes(const std::vector<CacheLevel>& caches, size_t index,
                                   uint32_t cores);

// All arithmetic of this CPU, on each of `sets`. `vendor` as in Machine::cpu_vendor.
std::vector<MeasureTask> ComputeTasks(const std::vector<CoreSet>& sets, const std::string& vendor);

}  // namespace roofmark

#endif  // ROOFMARK_BENCHMARKS_MACHINE_PLAN_H_
