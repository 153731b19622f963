// SPDX-License-Identifier: BSD-3-Clause
//
// Chains of single operations, each of which waits for the one before it: what a dependence costs.
// Loads are elsewhere (chase_load.h), and so is the clock (lib/core/frequency.h).
#ifndef ROOFMARK_BENCHMARKS_MACHINE_CHAIN_KERNELS_H_
#define ROOFMARK_BENCHMARKS_MACHINE_CHAIN_KERNELS_H_

#include <cstdint>
#include <string_view>
#include <vector>

namespace roofmark {

struct ChainKernel {
  std::string_view name;   // of the ceiling chain.<name>
  std::string_view label;  // for people
  double operations;       // in the chain, of one repeat
  // Executes the chain and returns its last value; `expected` is what that must be, and takes as
  // long.
  double (*run)(uint64_t repeats);
  double (*expected)(uint64_t repeats);
};

// Those that this CPU can execute.
std::vector<ChainKernel> ChainKernels();

}  // namespace roofmark

#endif  // ROOFMARK_BENCHMARKS_MACHINE_CHAIN_KERNELS_H_
