// SPDX-License-Identifier: BSD-3-Clause
//
// What the compute kernels must have computed, and the least time they can have taken.
#include <algorithm>
#include <cmath>
#include <limits>

#include "benchmarks/machine/compute_kernels.h"
#include "benchmarks/machine/compute_operands.h"
#include "lib/core/table.h"

namespace roofmark {
namespace {

struct Expected {
  double value, tolerance;
};

Expected ExpectedOf(ComputeKind kind, Arithmetic arithmetic, double start, double iterations) {
  // Half precision counts no further than 2^11: its kernels add and take away by turns.
  if (arithmetic == Arithmetic::kHalf) return {start, 0};
  const double epsilon = arithmetic == Arithmetic::kDouble ? std::numeric_limits<double>::epsilon()
                                                           : std::numeric_limits<float>::epsilon();
  switch (kind) {
    case ComputeKind::kChain:
    case ComputeKind::kAdd:
    case ComputeKind::kFma:
    case ComputeKind::kFmaAdd:
      return {start + 2 * iterations * operands::kAddend, 0};
    case ComputeKind::kMul:
    case ComputeKind::kMulAdd:
      return {start, 0};
    // Two rounded divisions return to the start or its neighbours, and then stay.
    case ComputeKind::kDiv:
      return {start, 16 * epsilon * start};
    case ComputeKind::kSqrt: {
      const double limit = (1 + std::sqrt(1 + 4 * operands::kUnderRoot)) / 2;
      // Each step divides the distance by 2 * limit at least.
      const double left = start * std::pow(2 * limit, -2 * std::min(iterations, 1e3));
      return {limit, 16 * epsilon * limit + left};
    }
  }
  return {0, -1};
}

constexpr Named<ComputeKind> kKinds[] = {
    {ComputeKind::kChain, "chain"},   {ComputeKind::kAdd, "add"},  {ComputeKind::kMul, "mul"},
    {ComputeKind::kMulAdd, "muladd"}, {ComputeKind::kFma, "fma"},  {ComputeKind::kFmaAdd, "fmaadd"},
    {ComputeKind::kDiv, "div"},       {ComputeKind::kSqrt, "sqrt"}};
static_assert(InOrder(kKinds, ComputeKind::kSqrt));

}  // namespace

std::string_view ComputeKindName(ComputeKind kind) { return RowOf(kKinds, kind).name; }

bool CheckResults(const ComputeKernel& kernel, uint64_t iterations, const double* results) {
  for (uint32_t chain = 0; chain < kernel.chains + kernel.added_chains; ++chain) {
    const ComputeKind kind = chain < kernel.chains ? kernel.kind : ComputeKind::kAdd;
    for (uint32_t lane = 0; lane < kernel.lanes; ++lane) {
      const double start = operands::kLanesApart * chain + 1 + lane;
      const Expected expected =
          ExpectedOf(kind, kernel.arithmetic, start, static_cast<double>(iterations));
      const double off = std::fabs(results[chain * kernel.lanes + lane] - expected.value);
      if (!(off <= expected.tolerance)) return false;
    }
  }
  return true;
}

double MostFlopsPerCycle(const ComputeKernel& kernel, std::string_view vendor) {
  // Two multiplying pipes and at most two that only add on the big x86 cores; four of each covers
  // everything else (four-wide ARM cores, the efficiency cores of recent hybrids at 128 bit).
  const bool x86 = vendor == "GenuineIntel" || vendor == "AuthenticAMD";
  const double pipes = x86 && kernel.width >= Width::k256 ? 2 : 4;
  double per_lane = pipes;
  if (kernel.kind == ComputeKind::kFma) per_lane = 2 * pipes;
  // `lanes` are those of the sums, each of two products.
  if (kernel.arithmetic == Arithmetic::kBfloat16) per_lane = 4 * pipes;
  if (kernel.kind == ComputeKind::kMulAdd) per_lane = 2 * pipes;
  if (kernel.kind == ComputeKind::kFmaAdd) per_lane = 3 * pipes;
  if (kernel.kind == ComputeKind::kChain) per_lane = 1;
  return per_lane * kernel.lanes;
}

}  // namespace roofmark
