// SPDX-License-Identifier: BSD-3-Clause
//
// What the arithmetic kernels of kernels.cu do in one iteration. tests/benchmarks/machine/gpu holds
// it against the compiler's PTX.
#ifndef ROOFMARK_BENCHMARKS_MACHINE_GPU_KERNEL_TABLE_H_
#define ROOFMARK_BENCHMARKS_MACHINE_GPU_KERNEL_TABLE_H_

#include <cstdint>
#include <span>
#include <string_view>

namespace roofmark::gpu {

struct ArithmeticKernel {
  const char* kernel;      // its name in kernels.cu
  std::string_view id;     // of the ceiling, without the number of ways
  std::string_view label;  // of the ceiling
  std::string_view unit;
  std::string_view first, second;  // PTX: what it executes; second may be empty
  uint32_t instructions;           // of each of these in one iteration of one thread
  double work;                     // FLOPs or operations of one thread in one iteration
  uint64_t start, x, y;            // operands, as Arguments has them
  uint32_t least_capability = 80;  // 10 x major + minor
  bool by_occupancy = false;       // a curve against the warps of a multiprocessor
  bool by_ways = false;            // executed with several numbers of ways
  bool on_that_alone = false;      // of compute capability: newer devices do not have it
};

std::span<const ArithmeticKernel> ArithmeticKernels();

}  // namespace roofmark::gpu

#endif  // ROOFMARK_BENCHMARKS_MACHINE_GPU_KERNEL_TABLE_H_
