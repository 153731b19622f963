// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/memory_limit.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "lib/core/file.h"

namespace roofmark {
namespace {

// "MemTotal:  123 kB" in /proc/meminfo; 0 if it is not there.
uint64_t MeminfoBytes(const std::string& text, std::string_view key) {
  const size_t at = text.find(std::string(key) + ":");
  if (at == std::string::npos) return 0;
  return std::strtoull(text.c_str() + at + key.size() + 1, nullptr, 10) * 1024;
}

// The limit in a cgroup file; `limit` unchanged if there is none ("max", or no such file).
uint64_t Tighten(uint64_t limit, const std::string& path) {
  const auto text = ReadFile(path);
  if (!text) return limit;
  char* end;
  const uint64_t bytes = std::strtoull(text->c_str(), &end, 10);
  return end == text->c_str() ? limit : std::min(limit, bytes);
}

// This process's group in /proc/self/cgroup, by the line's middle: "0::/user.slice/..." for version
// 2, "4:memory:/job/step" for version 1. Empty for the root, or if there is none.
std::string OwnGroup(const std::string& text, std::string_view controller) {
  const std::string middle = ":" + std::string(controller) + ":";
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    const size_t at = line.find(':');
    if (at == std::string::npos || line.compare(at, middle.size(), middle) != 0) continue;
    const std::string group = line.substr(at + middle.size());
    return group.size() > 1 && group[0] == '/' ? group : "";
  }
  return {};
}

// The limits of a group and of all above it. A container may show its own group as the root.
uint64_t TightenByGroup(uint64_t limit, const std::string& folder, std::string group,
                        const std::string& file) {
  for (;;) {
    limit = Tighten(limit, folder + group + "/" + file);
    if (group.empty()) return limit;
    group.resize(group.rfind('/'));
  }
}

}  // namespace

uint64_t MemoryAllowance(const std::string& root) {
  const auto meminfo = ReadFile(root + "/proc/meminfo");
  const std::string text = meminfo ? *meminfo : "";
  uint64_t total = MeminfoBytes(text, "MemTotal");
  if (total == 0) total = uint64_t{1} << 30;
  const auto own = ReadFile(root + "/proc/self/cgroup");
  const std::string groups = root + "/sys/fs/cgroup";
  total = TightenByGroup(total, groups, own ? OwnGroup(*own, "") : "", "memory.max");
  total = TightenByGroup(total, groups + "/memory", own ? OwnGroup(*own, "memory") : "",
                         "memory.limit_in_bytes");
  const uint64_t available = MeminfoBytes(text, "MemAvailable");
  return available == 0 ? total / 4 : std::min(total / 4, available / 2);
}

}  // namespace roofmark
