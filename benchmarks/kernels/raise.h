// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_BENCHMARKS_KERNELS_RAISE_H_
#define ROOFMARK_BENCHMARKS_KERNELS_RAISE_H_

// The larger one, in `error`; written so that a NaN is kept.
inline void Raise(double& error, double now) {
  if (!(now <= error)) error = now;
}

#endif  // ROOFMARK_BENCHMARKS_KERNELS_RAISE_H_
