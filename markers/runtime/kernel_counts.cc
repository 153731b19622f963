// SPDX-License-Identifier: BSD-3-Clause
#include "markers/runtime/kernel_counts.h"

#include <sys/resource.h>

namespace roofmark::runtime {

KernelCounts ReadKernelCounts() {
  rusage usage = {};
  if (getrusage(RUSAGE_SELF, &usage) != 0) return {};
  const auto seconds = static_cast<uint64_t>(usage.ru_stime.tv_sec);
  const auto microseconds = static_cast<uint64_t>(usage.ru_stime.tv_usec);
  return {seconds * 1'000'000'000 + microseconds * 1000, static_cast<uint64_t>(usage.ru_minflt)};
}

}  // namespace roofmark::runtime
