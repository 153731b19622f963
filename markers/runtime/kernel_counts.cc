// SPDX-License-Identifier: BSD-3-Clause
#include "markers/runtime/kernel_counts.h"

#include <sys/resource.h>

#include <cstdlib>
#include <string>
#include <string_view>

#include "lib/core/file.h"

namespace roofmark::runtime {

KernelCounts ReadKernelCounts() {
  rusage usage = {};
  if (getrusage(RUSAGE_SELF, &usage) != 0) return {};
  const auto seconds = static_cast<uint64_t>(usage.ru_stime.tv_sec);
  const auto microseconds = static_cast<uint64_t>(usage.ru_stime.tv_usec);
  return {seconds * 1'000'000'000 + microseconds * 1000, static_cast<uint64_t>(usage.ru_minflt)};
}

// Not ru_maxrss: that has what the process was before it executed this program, too.
std::optional<uint64_t> PeakResidentBytes() {
  constexpr std::string_view kName = "VmHWM:";
  const auto status = ReadFile("/proc/self/status");
  if (!status) return std::nullopt;
  const size_t at = status->find(kName);
  if (at == std::string::npos) return std::nullopt;
  return std::strtoull(status->c_str() + at + kName.size(), nullptr, 10) * 1024;
}

}  // namespace roofmark::runtime
