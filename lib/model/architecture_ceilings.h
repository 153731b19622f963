// SPDX-License-Identifier: BSD-3-Clause
//
// Architecture-oriented ceilings: every line of a machine's roofline at a job's scope, kernel
// independent (sections 4 and A.1, A.2 of the 2008 roofline report).
#ifndef ROOFMARK_LIB_MODEL_ARCHITECTURE_CEILINGS_H_
#define ROOFMARK_LIB_MODEL_ARCHITECTURE_CEILINGS_H_

#include <vector>

#include "lib/model/ceiling.h"
#include "lib/model/region_inputs.h"

namespace roofmark {

// Compute: thread parallelism only, +ILP, +SIMD (each width's best, and the widest additions),
// without FMA, FMA alone, peak; divisions and roots; FP share of the instruction mix (A.1.4); load
// imbalance below the roof (figure A2) and below thread parallelism (A3). Memory: DRAM's ladder
// (A.1.2), cores that generate traffic (A4), each cache level's best.
// Compute ceilings are those of the region's precisions, sharing the time as its FLOPs do; one that
// was not measured for all of them is left out.
std::vector<Ceiling> ArchitectureCeilings(const RegionInputs& region, const JobModel& model);

// GFLOP/s of the highest ceiling of each precision, or of the highest without fused operations,
// shared as above; 0 if one is missing.
double TopRoof(const RegionInputs& region, const JobModel& model);
double NoFmaRoof(const RegionInputs& region, const JobModel& model);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_ARCHITECTURE_CEILINGS_H_
