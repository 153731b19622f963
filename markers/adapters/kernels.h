// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_MARKERS_ADAPTERS_KERNELS_H_
#define ROOFMARK_MARKERS_ADAPTERS_KERNELS_H_

namespace roofmark::adapters {

// The calling thread is in a kernel of Kokkos that is a region.
bool InKernel() noexcept;

}  // namespace roofmark::adapters

#endif  // ROOFMARK_MARKERS_ADAPTERS_KERNELS_H_
