// SPDX-License-Identifier: BSD-3-Clause
//
// What is attainable when only some of the cores work: the load-imbalance ceilings of sections
// A.2.1 (computation) and A.2.2 (memory traffic) of the 2008 roofline report.
#ifndef ROOFMARK_LIB_MODEL_IMBALANCE_H_
#define ROOFMARK_LIB_MODEL_IMBALANCE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/model/machine.h"

namespace roofmark {

struct ImbalanceCeiling {
  std::string label;  // "all cores", "1/4 of the cores"
  double share = 1;   // of the cores that work
  double cores = 1;   // that work; a fraction where all of them are no power of two
  double value = 0;   // GFLOP/s: F * share, the definition. GB/s: the curve at `cores`
  // What the machine sustained on exactly so many cores, if it was measured there.
  std::optional<double> measured;

  // The ceiling to draw and to hold a run against: the measured one where there is one. Cores that
  // work alone clock higher than all together, so that code may pass F * share and be right.
  double Bound() const { return measured.value_or(value); }
};

// Where the computation family begins: load balance is either the first or the last step.
enum class ImbalanceBase {
  kRoof,               // figure A2: F is the peak
  kThreadParallelism,  // figure A3: F is the rate of one dependent chain of additions per core
};

// F * 1/2^k for k = 0 ... ceil(log2 of `cores`), the last one being a single core's share.
// `precision` as in the ids: "dp". Empty if F was not measured, or on fewer than `cores` cores
// only.
std::vector<ImbalanceCeiling> LoadImbalance(const Machine& machine, std::string_view precision,
                                            uint32_t cores, ImbalanceBase base);

// B(n) for the same shares: `bandwidth`'s curve at n of `cores` cores, as traffic
// (counted_factor included), for that is the roof. The cores that work lie in as few packages as
// hold them. Empty if the curve ends below `cores`.
std::vector<ImbalanceCeiling> MemoryImbalance(const CeilingCurve& bandwidth, uint32_t cores);

// The ceiling with the most DRAM traffic on `cores` cores: the roof that memory imbalance lowers.
// nullptr if none was measured there.
const CeilingCurve* DramRoof(const Machine& machine, uint32_t cores);

// The point measured on exactly `cores` cores, in the fewest packages if there are several; or
// nullptr.
const MachinePoint* PointAt(const CeilingCurve& ceiling, double cores);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_IMBALANCE_H_
