// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "benchmarks/machine/compute_load.h"
#include "benchmarks/machine/plan.h"

namespace roofmark {
namespace {

std::string ComputeLabel(const ComputeKernel& kernel) {
  const std::string_view precision = InfoOf(kernel.arithmetic).title;
  const std::string width =
      kernel.width == Width::kScalar ? "scalar" : fmt::format("{}-bit", WidthName(kernel.width));
  std::string_view what;
  switch (kernel.kind) {
    case ComputeKind::kChain:
      what = "dependent adds";
      break;
    case ComputeKind::kAdd:
      what = "adds";
      break;
    case ComputeKind::kMul:
      what = "multiplications";
      break;
    case ComputeKind::kMulAdd:
      what = "multiplications and adds, unfused";
      break;
    case ComputeKind::kFma:
      what = "fused multiply-adds";
      break;
    case ComputeKind::kFmaAdd:
      what = "fused multiply-adds beside adds";
      break;
    case ComputeKind::kDiv:
      what = "divisions";
      break;
    case ComputeKind::kSqrt:
      what = "square roots";
      break;
  }
  if (kernel.one_in > 1) {
    return fmt::format("{} {} {}, 1 of {} instructions", precision, width, what, kernel.one_in);
  }
  return fmt::format("{} {} {}", precision, width, what);
}

std::string ComputeId(const ComputeKernel& kernel) {
  const std::string_view arithmetic = InfoOf(kernel.arithmetic).name;
  if (kernel.one_in > 1) return fmt::format("mix.{}.{}", arithmetic, kernel.one_in);
  return fmt::format("compute.{}.{}.{}", arithmetic, ComputeKindName(kernel.kind),
                     WidthName(kernel.width));
}

// The densest work, and the two lowest rungs of the ladder.
bool IsNeeded(const ComputeKernel& kernel, const std::vector<ComputeKernel>& all) {
  using enum ComputeKind;
  const bool usual =
      kernel.arithmetic == Arithmetic::kDouble || kernel.arithmetic == Arithmetic::kSingle;
  if (!usual || kernel.one_in > 1) return false;
  const bool lowest = kernel.kind == kAdd || kernel.kind == kChain;
  if (lowest && kernel.width == Width::kScalar) return true;
  if (kernel.kind != kFma && kernel.kind != kMulAdd) return false;
  return std::none_of(all.begin(), all.end(), [&](const ComputeKernel& other) {
    if (other.arithmetic != kernel.arithmetic) return false;
    return other.width > kernel.width ||
           (other.width == kernel.width && other.kind == kFma && kernel.kind != kFma);
  });
}

}  // namespace

std::vector<MeasureTask> ComputeTasks(const std::vector<CoreSet>& sets, const std::string& vendor) {
  std::vector<MeasureTask> tasks;
  const std::vector<ComputeKernel> kernels = ComputeKernels();
  for (const ComputeKernel& kernel : kernels) {
    const bool needed = IsNeeded(kernel, kernels);
    for (const CoreSet& set : sets) {
      MeasureTask task;
      task.id = ComputeId(kernel);
      task.label = ComputeLabel(kernel);
      task.unit = "GFLOP/s";
      task.on = set;
      task.load = std::make_shared<ComputeLoad>(kernel, set.cores());
      task.most_per_cycle = MostFlopsPerCycle(kernel, vendor);
      task.needed = needed;
      tasks.push_back(std::move(task));
    }
  }
  return tasks;
}

}  // namespace roofmark
