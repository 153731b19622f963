// SPDX-License-Identifier: BSD-3-Clause
//
// Compiled without vectorisation.
#include "benchmarks/kernels/slow_compute.h"

namespace slow {

void EvaluateScalars(const double* x, double* y) { Evaluate<1, false>(x, y); }

}  // namespace slow
