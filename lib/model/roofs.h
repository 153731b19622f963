// SPDX-License-Identifier: BSD-3-Clause
//
// The ceilings of one job: a machine's curves read at the cores that each node of the job may keep
// busy, summed over the nodes, so that dots and roofs have the same scope.
#ifndef ROOFMARK_LIB_MODEL_ROOFS_H_
#define ROOFMARK_LIB_MODEL_ROOFS_H_

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/model/ceiling.h"
#include "lib/model/machine.h"
#include "lib/model/work.h"

namespace roofmark {

struct Roof {
  std::string id;     // of the ceiling it comes from
  std::string label;  // for people
  double value = 0;   // GFLOP/s or GB/s, over the whole job
  double noise = 0;   // what another measurement may differ by, relative to the value
};

struct ComputeRoofs {
  std::optional<Roof> peak;    // highest of any kind
  std::optional<Roof> no_fma;  // highest without fused multiply-adds
};

struct JobRoofs {
  std::string machine;  // which, for people
  double cores = 0;     // over all hosts
  std::array<ComputeRoofs, kPrecisions> compute;
  std::array<std::optional<Roof>, kMemoryLevels> bandwidth;  // traffic, write-allocate included
};

JobRoofs RoofsOf(const Machine& machine, const RunInfo& run);

// The compute ceiling that fits what a path executes: per precision the roof without FMA if it
// fuses (almost) nothing, else the peak; several precisions share the time, so that
// F = FLOPs / sum(FLOPs_p / F_p).
Ceiling FitCeiling(const JobRoofs& roofs, const JobProfile& job, size_t path);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_ROOFS_H_
