// SPDX-License-Identifier: BSD-3-Clause
//
// Where a region stands: the columns of the 2008 roofline report's Table 4 (nearest ceilings above
// and below, the metric that limits), its optimisation region (figure 2c), and the efficiencies of
// the 2018 paper (equation 2) against the roof that fits the mix and against the top roof.
#ifndef ROOFMARK_LIB_MODEL_VERDICT_H_
#define ROOFMARK_LIB_MODEL_VERDICT_H_

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "lib/model/ceiling.h"
#include "lib/model/region_inputs.h"
#include "lib/model/runtime_ceilings.h"
#include "lib/model/value.h"

namespace roofmark {

struct Neighbour {
  Ceiling ceiling;
  double gflops = 0;  // it allows at the region's intensity of its level
};

struct Verdict {
  // Above: the lowest that the region is not known to have passed. Below: the highest whose lack it
  // is known not to suffer from (CeilingFit::kPassed), else the highest that is not of another
  // kind of work.
  std::optional<Neighbour> above, below;
  std::vector<Neighbour> ceilings;  // all that have a height at the region's intensities
  // "memory", "compute", "both"; empty without an intensity.
  std::string optimisation_region;
  Value ridge_point;  // FLOP/byte of DRAM, of the ceiling that fits the mix
  // Against the highest roof of its precisions, and against the highest without fused operations:
  // the two pairings of the 2018 paper's Table III.
  Value top_attainable_gflops, top_efficiency, no_fma_efficiency;
  std::array<Value, kMemoryLevels> level_gflops;  // B_l * I_l: the hierarchical roofline
  Value dram_gbs;                                 // achieved
  // Canonical (declared) FLOPs beside the measured ones, and measured over canonical.
  Value canonical_flops, canonical_gflops, measured_over_canonical;
  // FLOPs with each division and root as the multiplications of its width that take as long.
  Value flops_at_cost, gflops_at_cost;
};

// What the verdict needs besides the inputs; as in PathAnalysis.
struct Achieved {
  const RuntimeModel& runtime;
  Value gflops, canonical_flops, fitting_gflops;
  std::array<Value, kMemoryLevels> intensity;
};

Verdict VerdictOf(const RegionInputs& region, const Achieved& achieved, const JobModel& model);

// Figure 2c looks at DRAM alone; `kind` (Limit::Kind()), which limits the region, is not left out
// of what is worth doing.
void KeepKind(std::string_view kind, Verdict& verdict);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_VERDICT_H_
