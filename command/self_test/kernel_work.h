// SPDX-License-Identifier: BSD-3-Clause
//
// What the machine's compute kernels do, in the terms of the metric table.
#ifndef ROOFMARK_COMMAND_SELF_TEST_KERNEL_WORK_H_
#define ROOFMARK_COMMAND_SELF_TEST_KERNEL_WORK_H_

#include <cstdint>
#include <map>
#include <optional>

#include "benchmarks/machine/compute_kernels.h"
#include "command/self_test/verdict.h"

namespace roofmark::cli {

// Under the engine a few iterations are enough: it does not miss one.
inline constexpr uint64_t kLeastIterations = 100;

// None for mixes.
std::optional<FlopKind> OnlyKind(ComputeKind kind);
// Of one iteration of a kernel that has an OnlyKind().
std::map<MetricId, double> ClassFlops(const ComputeKernel& kernel);
// Of one iteration of a kernel with integer instructions among the others (one_in > 1), the loop's
// own included.
Known InstructionsOf(const ComputeKernel& kernel);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_SELF_TEST_KERNEL_WORK_H_
