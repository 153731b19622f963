// SPDX-License-Identifier: BSD-3-Clause
//
// The compute side of `slow`: a polynomial of degree kDegree at kBatch points, from and to the
// first-level cache. kChains independent evaluations hide the latency of the pipes, and a
// coefficient is loaded once for all of them, so nearly every instruction is a fused multiply-add.
// Each of the ways to do it worse changes one thing.
#ifndef ROOFMARK_BENCHMARKS_KERNELS_SLOW_COMPUTE_H_
#define ROOFMARK_BENCHMARKS_KERNELS_SLOW_COMPUTE_H_

#include "benchmarks/kernels/lanes.h"

namespace slow {

// Points, a multiple of 4 kChains; six chains and their points fit 16 registers with room to spare.
constexpr int kBatch = 1008, kDegree = 32, kChains = 6;
// With divisions the reciprocal goes on after every second step.
constexpr int kStepsPerDivision = 2;

constexpr double kCoefficients[kDegree] = {1.5,   0.75,  1.25, 0.5,  1.75, 1.0,  0.625, 1.375,
                                           0.875, 1.125, 1.5,  0.75, 1.25, 0.5,  1.75,  1.0,
                                           1.25,  0.5,   1.75, 1.0,  1.5,  0.75, 0.875, 1.125,
                                           0.625, 1.375, 1.25, 0.5,  1.75, 1.0,  1.5,   0.75};

// Each in a file of its own, for the compiler's switches: vectors; vectors and divisions; vectors
// whose products and sums are not fused; scalars.
void EvaluateVectors(const double* x, double* y);
void EvaluateDividing(const double* x, double* y);
void EvaluateUnfused(const double* x, double* y);
void EvaluateScalars(const double* x, double* y);

// Internal to each file: the same template is compiled differently in each.
namespace {

template <int Count, bool Divide>
[[maybe_unused]] void Evaluate(const double* x, double* y) {
  constexpr int kBlock = Count * kChains;
  for (int first = 0; first < kBatch; first += kBlock) {
    Lanes<double, Count> at[kChains], value[kChains];
    for (int c = 0; c < kChains; ++c) value[c] = at[c] = LoadLanes<Count>(x + first + c * Count);
      // Two steps a turn. Were all unrolled, GCC would do chain by chain and wait for each.
#pragma GCC unroll 2
    for (int step = 0; step < kDegree; step += 2) {
      for (int c = 0; c < kChains; ++c) value[c] = value[c] * at[c] + kCoefficients[step];
      for (int c = 0; c < kChains; ++c) value[c] = value[c] * at[c] + kCoefficients[step + 1];
      for (int c = 0; Divide && c < kChains; ++c) value[c] = 1.0 / value[c];
    }
    for (int c = 0; c < kChains; ++c) StoreLanes<Count>(y + first + c * Count, value[c]);
  }
}

}  // namespace
}  // namespace slow

#endif  // ROOFMARK_BENCHMARKS_KERNELS_SLOW_COMPUTE_H_
