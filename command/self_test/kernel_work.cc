// SPDX-License-Identifier: BSD-3-Clause
#include "command/self_test/kernel_work.h"

namespace roofmark::cli {

std::optional<FlopKind> OnlyKind(ComputeKind kind) {
  switch (kind) {
    case ComputeKind::kChain:
    case ComputeKind::kAdd:
      return FlopKind::kAdd;
    case ComputeKind::kMul:
      return FlopKind::kMul;
    case ComputeKind::kFma:
      return FlopKind::kFma;
    case ComputeKind::kDiv:
      return FlopKind::kDiv;
    case ComputeKind::kSqrt:
      return FlopKind::kSqrt;
    default:
      return std::nullopt;
  }
}

std::map<MetricId, double> ClassFlops(const ComputeKernel& kernel) {
  const auto precision = static_cast<Precision>(kernel.arithmetic);
  const FlopKind kind = *OnlyKind(kernel.kind);
  std::map<MetricId, double> flops;
  flops[FlopMetric(precision, kernel.width, kind)] = kernel.flops_per_iteration;
  // Additions keep the operands of roots in range; they are no claim of the kernel.
  if (kind == FlopKind::kSqrt) {
    flops[FlopMetric(precision, kernel.width, FlopKind::kAdd)] = kernel.flops_per_iteration;
  }
  return flops;
}

Known InstructionsOf(const ComputeKernel& kernel) {
  return {{"instructions", Exactly(2.0 * kernel.chains * kernel.one_in)}};
}

}  // namespace roofmark::cli
