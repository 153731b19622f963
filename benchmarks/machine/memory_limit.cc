// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/memory_limit.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "lib/core/cgroup.h"
#include "lib/core/file.h"

namespace roofmark {
namespace {

// "MemTotal:  123 kB" in /proc/meminfo; 0 if it is not there.
uint64_t MeminfoBytes(const std::string& text, std::string_view key) {
  const size_t at = text.find(std::string(key) + ":");
  if (at == std::string::npos) return 0;
  return std::strtoull(text.c_str() + at + key.size() + 1, nullptr, 10) * 1024;
}

}  // namespace

uint64_t MemoryAllowance(const std::string& root) {
  const auto meminfo = ReadFile(root + "/proc/meminfo");
  const std::string text = meminfo ? *meminfo : "";
  uint64_t total = MeminfoBytes(text, "MemTotal");
  if (total == 0) total = uint64_t{1} << 30;
  if (const std::optional<uint64_t> limit = MemoryLimit(root)) total = std::min(total, *limit);
  const uint64_t available = MeminfoBytes(text, "MemAvailable");
  return available == 0 ? total / 4 : std::min(total / 4, available / 2);
}

}  // namespace roofmark
