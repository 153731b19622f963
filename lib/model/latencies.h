// SPDX-License-Identifier: BSD-3-Clause
//
// What a machine's chains say of its latencies, as the counting collector takes them
// (ROOFMARK_LATENCIES).
#ifndef ROOFMARK_LIB_MODEL_LATENCIES_H_
#define ROOFMARK_LIB_MODEL_LATENCIES_H_

#include <span>
#include <string>

#include "lib/model/machine.h"

namespace roofmark {

// "dp_add=3,load_l1=4,...": measured nanoseconds times the clock of one core, in whole cycles; what
// was not measured is left out. Empty where a machine file has no chains or no clock. Of several
// kinds of nodes the lowest latency and the most misses in flight, so that a time made of them
// stays a lower bound on every node.
std::string LatenciesOf(std::span<const Machine> machines);
inline std::string LatenciesOf(const Machine& machine) { return LatenciesOf({&machine, 1}); }

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_LATENCIES_H_
