// SPDX-License-Identifier: BSD-3-Clause
//
// What the kernel has done so far for this process, or for one of its threads.
#ifndef ROOFMARK_LIB_CORE_KERNEL_COUNTS_H_
#define ROOFMARK_LIB_CORE_KERNEL_COUNTS_H_

#include <cstdint>
#include <optional>

namespace roofmark {

struct KernelCounts {
  uint64_t page_faults = 0;  // that needed no disk
  uint64_t system_ns = 0;    // that the kernel worked
  uint64_t preemptions = 0;  // times that a thread lost its CPU though it could have gone on

  void Add(const KernelCounts& other) {
    page_faults += other.page_faults;
    system_ns += other.system_ns;
    preemptions += other.preemptions;
  }
  // What was added since; 0 where that is less than nothing.
  KernelCounts Since(const KernelCounts& then) const {
    const auto less = [](uint64_t now, uint64_t before) { return now > before ? now - before : 0; };
    return {less(page_faults, then.page_faults), less(system_ns, then.system_ns),
            less(preemptions, then.preemptions)};
  }
};

enum class KernelCountsOf : uint8_t { kProcess, kThread };  // all threads together, the calling one

// One system call (getrusage(2)); may be called in signal handlers. Zeros where it fails.
KernelCounts ReadKernelCounts(KernelCountsOf whose) noexcept;

// The most memory that was resident at a time (VmHWM of proc(5)); nothing without /proc.
std::optional<uint64_t> PeakResidentBytes();

}  // namespace roofmark

#endif  // ROOFMARK_LIB_CORE_KERNEL_COUNTS_H_
