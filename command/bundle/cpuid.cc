// SPDX-License-Identifier: BSD-3-Clause
#include "command/bundle/cpuid.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace roofmark::cli {
namespace {

struct WantedLeaf {
  uint32_t leaf, subleaves;
};
// Leaf 3 (a serial number, once) and those with the number of this very CPU (0xb, 0x1f, 0x8000001e)
// are left out.
constexpr WantedLeaf kWanted[] = {
    {0x0, 1},         // maker
    {0x1, 1},         // family, model, stepping, features
    {0x2, 1},         // caches
    {0x4, 8},         // caches
    {0x5, 1},         // monitor
    {0x6, 1},         // power management
    {0x7, 3},         // features
    {0xa, 1},         // counters
    {0x1a, 1},        // kind of core
    {0x23, 4},        // counters
    {0x24, 1},        // AVX10
    {0x40000000, 1},  // hypervisor
    {0x80000000, 1}, {0x80000001, 1}, {0x80000002, 1}, {0x80000003, 1}, {0x80000004, 1},  // name
    {0x80000005, 1}, {0x80000006, 1}, {0x80000007, 1}, {0x80000008, 1}, {0x8000001a, 1},
    {0x8000001d, 8}, {0x80000022, 1},  // counters
};

#if defined(__x86_64__)
bool IsBeyond(uint32_t leaf) {
  constexpr uint32_t kHypervisor = 0x40000000;
  if (leaf == kHypervisor) {
    unsigned a = 0, b = 0, c = 0, d = 0;
    __cpuid(1, a, b, c, d);
    return (c >> 31 & 1) == 0;
  }
  return leaf > static_cast<uint32_t>(__get_cpuid_max(leaf & 0x80000000, nullptr));
}
#endif

}  // namespace

std::vector<CpuidLeaf> ReadCpuid() {
  std::vector<CpuidLeaf> leaves;
#if defined(__x86_64__)
  for (const WantedLeaf& wanted : kWanted) {
    if (IsBeyond(wanted.leaf)) continue;
    for (uint32_t subleaf = 0; subleaf < wanted.subleaves; ++subleaf) {
      CpuidLeaf leaf{wanted.leaf, subleaf, 0, 0, 0, 0};
      __cpuid_count(wanted.leaf, subleaf, leaf.eax, leaf.ebx, leaf.ecx, leaf.edx);
      if (subleaf > 0 && (leaf.eax | leaf.ebx | leaf.ecx | leaf.edx) == 0) break;
      if (wanted.leaf == 1) leaf.ebx &= 0x00ffffff;  // which of the CPUs this is
      leaves.push_back(leaf);
    }
  }
#else
  static_cast<void>(kWanted);
#endif
  return leaves;
}

}  // namespace roofmark::cli
