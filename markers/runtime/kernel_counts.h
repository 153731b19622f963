// SPDX-License-Identifier: BSD-3-Clause
//
// What the kernel has done for this process so far, all threads together.
#ifndef ROOFMARK_MARKERS_RUNTIME_KERNEL_COUNTS_H_
#define ROOFMARK_MARKERS_RUNTIME_KERNEL_COUNTS_H_

#include <cstdint>
#include <optional>

namespace roofmark::runtime {

struct KernelCounts {
  uint64_t system_ns = 0;
  uint64_t page_faults = 0;  // that needed no disk
};

// One system call. Zeros where it fails.
KernelCounts ReadKernelCounts();

// The most memory that was resident at a time (VmHWM of proc(5)); nothing without /proc.
std::optional<uint64_t> PeakResidentBytes();

}  // namespace roofmark::runtime

#endif  // ROOFMARK_MARKERS_RUNTIME_KERNEL_COUNTS_H_
