// SPDX-License-Identifier: BSD-3-Clause
//
// The ceilings of one job: the curves of each node's machine read at the cores that the job may
// keep busy there, summed over the nodes, so that dots and roofs have the same scope.
#ifndef ROOFMARK_LIB_MODEL_ROOFS_H_
#define ROOFMARK_LIB_MODEL_ROOFS_H_

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/model/ceiling.h"
#include "lib/model/job_scope.h"
#include "lib/model/machine.h"
#include "lib/model/work.h"

namespace roofmark {

struct Roof {
  std::string id;     // of the ceiling it comes from; of several kinds of nodes joined by '+'
  std::string label;  // for people; likewise
  double value = 0;   // GFLOP/s or GB/s, over the whole job
  double noise = 0;   // what another measurement may differ by, relative to the value
};

struct ComputeRoofs {
  std::optional<Roof> peak;    // highest of any kind
  std::optional<Roof> no_fma;  // highest without fused multiply-adds
  std::optional<Roof> tensor;  // of an accelerator's tensor cores, where regions use these
};

struct JobRoofs {
  std::string machine;  // which, for people; of several kinds of nodes joined by " + "
  double cores = 0;     // over all hosts
  std::array<ComputeRoofs, kPrecisions> compute;
  std::array<std::optional<Roof>, kMemoryLevels> bandwidth;  // traffic, write-allocate included
};

// Of hosts that are all such machines.
JobRoofs RoofsOf(const Machine& machine, const std::vector<ActiveHost>& hosts);
JobRoofs RoofsOf(const Machine& machine, const RunInfo& run);

// Of a job whose nodes have all of these roofs together: each kind of node is held against the best
// of its own. What one of them lacks the sum lacks.
JobRoofs SumOf(const std::vector<JobRoofs>& roofs);

// The compute ceiling that fits what a path executes: per precision the roof without FMA if it
// fuses (almost) nothing, else the peak; several precisions share the time, so that
// F = FLOPs / sum(FLOPs_p / F_p).
Ceiling FitCeiling(const JobRoofs& roofs, const JobProfile& job, size_t path);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_ROOFS_H_
