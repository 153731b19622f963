// SPDX-License-Identifier: BSD-3-Clause
//
// Operands of the compute kernels, shared by the kernels and by the check of their results.
#ifndef ROOFMARK_BENCHMARKS_MACHINE_COMPUTE_OPERANDS_H_
#define ROOFMARK_BENCHMARKS_MACHINE_COMPUTE_OPERANDS_H_

namespace roofmark::operands {

// An iteration applies each operation twice, so that what the first does the second may undo.
inline constexpr double kAddend = 1;  // x + 1, exact up to 2^53 or 2^24
inline constexpr double kDouble = 2;  // x * 2 * 0.5, exact
inline constexpr double kHalve = 0.5;
inline constexpr double kFactor = 1;       // x * 1 + 1, exact
inline constexpr double kNumerator = 3.7;  // 3.7 / (3.7 / x), x up to rounding
inline constexpr double kUnderRoot = 0.7;  // x = sqrt(x + 0.7) tends to (1 + sqrt(1 + 2.8)) / 2
inline constexpr int kLanesApart = 16;     // chain i starts at 16 i + 1, 16 i + 2, ...

}  // namespace roofmark::operands

#endif  // ROOFMARK_BENCHMARKS_MACHINE_COMPUTE_OPERANDS_H_
