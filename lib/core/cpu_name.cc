// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/cpu_name.h"

#include <cstring>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace roofmark {

std::string CpuName() {
#if defined(__x86_64__)
  // Three leaves of 16 characters each (Intel's and AMD's manuals, CPUID).
  constexpr unsigned kFirst = 0x80000002, kLast = 0x80000004;
  if (static_cast<unsigned>(__get_cpuid_max(0x80000000, nullptr)) < kLast) return {};
  char text[49] = {};
  for (unsigned leaf = kFirst; leaf <= kLast; ++leaf) {
    unsigned words[4];
    __get_cpuid(leaf, &words[0], &words[1], &words[2], &words[3]);
    std::memcpy(text + (leaf - kFirst) * sizeof words, words, sizeof words);
  }
  const std::string name = text;
  const size_t first = name.find_first_not_of(' ');
  return first == std::string::npos ? ""
                                    : name.substr(first, name.find_last_not_of(' ') - first + 1);
#else
  return {};
#endif
}

}  // namespace roofmark
