// SPDX-License-Identifier: BSD-3-Clause
//
// Arithmetic whose operations are known to the last one (benchmarks/machine proves it under the
// counting engine).
#include <fmt/format.h>

#include <optional>

#include "command/self_test/kernel_work.h"
#include "command/self_test/laboratory.h"

namespace roofmark::cli {
namespace {

std::string NameOf(const ComputeKernel& kernel) {
  return fmt::format("{} {} {}", InfoOf(kernel.arithmetic).name, WidthName(kernel.width),
                     ComputeKindName(kernel.kind));
}

Laboratory::Work WorkOf(const ComputeKernel& kernel) {
  return [kernel](uint64_t iterations) {
    double results[ComputeKernel::kMostResults];
    kernel.run(iterations, results);
  };
}

Laboratory::Exercise ExerciseOf(const Laboratory& laboratory, Family family, std::string name,
                                Known known, const Laboratory::Work& work) {
  const uint64_t repeats = laboratory.Calibrate(work, kLeastIterations);
  return {family, std::move(name), std::move(known), repeats / 4, repeats + repeats / 4};
}

// Half precision has no any-bfloat16 class; kernels of it are no exercise.
bool IsPlain(const ComputeKernel& kernel) {
  return kernel.one_in == 1 && kernel.arithmetic != Arithmetic::kBfloat16 &&
         kernel.kind != ComputeKind::kChain && OnlyKind(kernel.kind).has_value();
}

}  // namespace

void RunFlopExercises(Laboratory& laboratory, bool probe_only) {
  if (!laboratory.OffersFlops()) return;
  for (const ComputeKernel& kernel : ComputeKernels()) {
    if (!IsPlain(kernel)) continue;
    const Laboratory::Work work = WorkOf(kernel);
    laboratory.Run(ExerciseOf(laboratory, Family::kFlops, NameOf(kernel),
                              KnownFlops(ClassFlops(kernel)), work),
                   work);
    if (probe_only) return;
  }
}

// Beside the instructions, how many cycles an addition takes that waits for the one before: no core
// of the last 20 years needs fewer than 2 or more than 6.
void RunInstructionExercises(Laboratory& laboratory) {
  for (const ComputeKernel& kernel : ComputeKernels()) {
    const Laboratory::Work work = WorkOf(kernel);
    if (kernel.one_in == 4 && kernel.arithmetic == Arithmetic::kDouble) {
      laboratory.Run(ExerciseOf(laboratory, Family::kInstructions, "counted loop",
                                InstructionsOf(kernel), work),
                     work);
    }
    if (kernel.kind == ComputeKind::kChain && kernel.arithmetic == Arithmetic::kDouble) {
      const double additions = kernel.flops_per_iteration;
      laboratory.Run(ExerciseOf(laboratory, Family::kCycles, "dependent additions",
                                {{"cycles", {2 * additions, 6 * additions}}}, work),
                     work);
    }
  }
}

}  // namespace roofmark::cli
