// SPDX-License-Identifier: BSD-3-Clause
//
// Arithmetic without memory: independent chains of one kind of operation, or a mix of two, at every
// width of the CPU. Starting values are small integers and operands are chosen so that the results
// have a closed form, which proves that every operation was executed.
#ifndef ROOFMARK_BENCHMARKS_MACHINE_COMPUTE_KERNELS_H_
#define ROOFMARK_BENCHMARKS_MACHINE_COMPUTE_KERNELS_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "lib/core/metric.h"
#include "lib/model/arithmetic.h"

namespace roofmark {

enum class ComputeKind : uint8_t {
  kChain,  // one chain of dependent additions
  kAdd,
  kMul,
  kMulAdd,  // as many separate multiplications as additions
  kFma,
  kFmaAdd,  // fused and plain additions: some CPUs add on pipes that cannot multiply
  kDiv,
  kSqrt,
};

// "chain", "add", "mul", "muladd", "fma", "fmaadd", "div", "sqrt": as in ceilings' ids.
std::string_view ComputeKindName(ComputeKind kind);

struct ComputeKernel {
  // At most 16 chains of 32 lanes.
  static constexpr size_t kMostResults = 512;

  ComputeKind kind;
  // Of the operands. Narrow ones only where the CPU computes in them; kBfloat16's kFma is the dot
  // product of pairs, which adds up in single precision.
  Arithmetic arithmetic;
  Width width;
  uint32_t lanes;
  uint32_t chains, added_chains;  // of the (first) operation; of plain additions in a mix
  double flops_per_iteration;
  // Runs and leaves chains + added_chains times `lanes` results. Any thread.
  void (*run)(uint64_t iterations, double* results);
  // One of this many instructions is a floating-point one, the others are integer additions.
  uint32_t one_in = 1;
};

// Those of the best instruction set that this CPU has.
std::vector<ComputeKernel> ComputeKernels();

// Parts of the list above, appended: the mixes with integer instructions, and arithmetic in half
// precision and bfloat16.
void AppendMixKernels(std::vector<ComputeKernel>& kernels);
void AppendNarrowKernels(std::vector<ComputeKernel>& kernels);

// Are these the results of that many iterations?
bool CheckResults(const ComputeKernel& kernel, uint64_t iterations, const double* results);

// Operations per cycle that no known CPU of this make exceeds, for a kernel's kind: the bound
// behind "more than the clock allows", which betrays work that was optimised away. `vendor` as
// in Machine::cpu_vendor.
double MostFlopsPerCycle(const ComputeKernel& kernel, std::string_view vendor);

}  // namespace roofmark

#endif  // ROOFMARK_BENCHMARKS_MACHINE_COMPUTE_KERNELS_H_
