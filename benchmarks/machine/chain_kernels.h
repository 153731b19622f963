// SPDX-License-Identifier: BSD-3-Clause
//
// Chains of single operations, each of which waits for the one before it: what a dependence costs.
// Loads are elsewhere (chase_load.h), and so is the clock (lib/core/frequency.h).
#ifndef ROOFMARK_BENCHMARKS_MACHINE_CHAIN_KERNELS_H_
#define ROOFMARK_BENCHMARKS_MACHINE_CHAIN_KERNELS_H_

#include <vector>

#include "benchmarks/machine/core_load.h"

namespace roofmark {

// Those that this CPU can execute, of the ceilings chain.<name>. A repeat is one chain; its last
// value is the result.
std::vector<CoreKernel> ChainKernels();

}  // namespace roofmark

#endif  // ROOFMARK_BENCHMARKS_MACHINE_CHAIN_KERNELS_H_
