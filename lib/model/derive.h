// SPDX-License-Identifier: BSD-3-Clause
//
// What follows from a job's counts, its times and its machine: intensity, GFLOP/s, attainable
// GFLOP/s, efficiency, imbalance. Pure functions of their arguments. Sources: Williams, Waterman,
// Patterson, "Roofline" (2008), section 3 (attainable = min(peak, bandwidth x intensity)).
#ifndef ROOFMARK_LIB_MODEL_DERIVE_H_
#define ROOFMARK_LIB_MODEL_DERIVE_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "lib/model/figure.h"
#include "lib/model/machine.h"
#include "lib/model/roofs.h"
#include "lib/profile/profile.h"

namespace roofmark {

struct PathFigures {
  std::string path;   // as in the profile
  std::string name;   // its last region, unescaped
  size_t depth = 0;   // 0 for a root
  RegionKind kind = RegionKind::kTeam;

  Total visits;
  Total time_s;        // of each rank, seconds; missing unless a pass with real times is in the file
  Figure time_share;   // slowest rank's time in it / slowest rank's time of the whole run
  std::array<Total, kPrecisions> flops;  // by precision
  Total total_flops;   // of all precisions; declared FLOPs if none were measured
  std::array<Total, kLevels> bytes;      // moved at each level, both directions; [kDram] with
                                         // lines that are dirty at the end
  std::array<Figure, kLevels> intensity; // total_flops / bytes, FLOP/byte

  Figure gflops;       // total_flops / time_s of the slowest rank in it
  ComputeRoof ceiling; // the compute ceiling that fits the instruction mix
  Figure attainable_gflops;  // min(ceiling, bandwidth_l x intensity_l over the levels known)
  Figure efficiency;   // gflops / attainable_gflops, as a fraction
  std::string bound;   // "DRAM", "L3", "L2", "L1", "compute"; empty without attainable_gflops

  // Largest over mean; 1 is balance.
  Figure worker_imbalance;      // FLOPs of the busiest thread of all ranks
  Figure rank_time_imbalance;   // over all ranks of the job, those that never enter it as 0
  Figure rank_flops_imbalance;  // the same
};

struct JobFigures {
  std::vector<PathFigures> paths;  // one for each of the profile's, in its order
  Roofs roofs;                     // of all cores that the job used
  Figure wall_s;                   // whole run, slowest rank, seconds
};

// `machine` may be nullptr: then everything that needs ceilings is missing, with that reason.
JobFigures Derive(const JobProfile& job, const Machine* machine);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_DERIVE_H_
