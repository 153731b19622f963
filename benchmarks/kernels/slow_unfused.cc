// SPDX-License-Identifier: BSD-3-Clause
//
// Compiled with -ffp-contract=off.
#include "benchmarks/kernels/slow_compute.h"

namespace slow {

void EvaluateUnfused(const double* x, double* y) { Evaluate<4, false>(x, y); }

}  // namespace slow
