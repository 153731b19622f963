// SPDX-License-Identifier: BSD-3-Clause
//
// What the CPU says of itself: the leaves of CPUID that name it, its features, its counters and its
// caches. None of them is a serial number.
#ifndef ROOFMARK_COMMAND_BUNDLE_CPUID_H_
#define ROOFMARK_COMMAND_BUNDLE_CPUID_H_

#include <cstdint>
#include <vector>

namespace roofmark::cli {

struct CpuidLeaf {
  uint32_t leaf, subleaf, eax, ebx, ecx, edx;
};

// Empty where there is no such instruction.
std::vector<CpuidLeaf> ReadCpuid();

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_BUNDLE_CPUID_H_
