// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/kernel_counts.h"

#include <sys/resource.h>

#include <cstdlib>
#include <string>
#include <string_view>

#include "lib/core/file.h"

namespace roofmark {

KernelCounts ReadKernelCounts(KernelCountsOf whose) noexcept {
  rusage usage = {};
  const auto who = whose == KernelCountsOf::kThread ? RUSAGE_THREAD : RUSAGE_SELF;
  if (getrusage(who, &usage) != 0) return {};
  const auto seconds = static_cast<uint64_t>(usage.ru_stime.tv_sec);
  const auto microseconds = static_cast<uint64_t>(usage.ru_stime.tv_usec);
  return {static_cast<uint64_t>(usage.ru_minflt), seconds * 1'000'000'000 + microseconds * 1000,
          static_cast<uint64_t>(usage.ru_nivcsw)};
}

// Not ru_maxrss: that has what the process was before it executed this program, too.
std::optional<uint64_t> PeakResidentBytes() {
  constexpr std::string_view kName = "VmHWM:";
  const auto status = ReadFile("/proc/thread-self/status");
  if (!status) return std::nullopt;
  const size_t at = status->find(kName);
  if (at == std::string::npos) return std::nullopt;
  return std::strtoull(status->c_str() + at + kName.size(), nullptr, 10) * 1024;
}

}  // namespace roofmark
