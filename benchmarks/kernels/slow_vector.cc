// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/kernels/slow_compute.h"

namespace slow {

void EvaluateVectors(const double* x, double* y) { Evaluate<4, false>(x, y); }
void EvaluateDividing(const double* x, double* y) { Evaluate<4, true>(x, y); }

}  // namespace slow
