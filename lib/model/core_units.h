// SPDX-License-Identifier: BSD-3-Clause
//
// Which units of a core can execute which operations, as the counting collector takes it
// (ROOFMARK_LATENCIES): operations that have no free unit wait.
#ifndef ROOFMARK_LIB_MODEL_CORE_UNITS_H_
#define ROOFMARK_LIB_MODEL_CORE_UNITS_H_

#include <span>
#include <string>

#include "lib/model/machine.h"

namespace roofmark {

// "units_dp_add=12,...,loads=3,stores=2": a bit for each unit. Which classes share units is known
// of a vendor's cores (see core_units.cc); how many of them a class has, and for how many cycles an
// operation keeps one busy, was measured (throughput.<class>, and compute.<dp|sp>.<kind>.scalar of
// arithmetic). Where a class is faster than its units can be, they are not those of this core, and
// it gets none. Empty: a vendor whose units are not known here, a machine file without a clock, or
// nodes of several kinds whose units differ.
std::string UnitsOf(std::span<const Machine> machines);

}  // namespace roofmark

#endif  // ROOFMARK_LIB_MODEL_CORE_UNITS_H_
