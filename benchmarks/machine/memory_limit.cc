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

// The group of version 2 in /proc/self/cgroup ("0::/user.slice/..."), "" for the root.
std::string OwnGroup(const std::string& root) {
  const auto text = ReadFile(root + "/proc/self/cgroup");
  if (!text) return {};
  const size_t at = text->rfind("0::", 0) == 0 ? 0 : text->find("\n0::");
  if (at == std::string::npos) return {};
  const size_t begin = text->find("::", at) + 2;
  const std::string group = text->substr(begin, text->find('\n', begin) - begin);
  return group == "/" ? "" : group;
}

}  // namespace

uint64_t MemoryAllowance(const std::string& root) {
  const auto meminfo = ReadFile(root + "/proc/meminfo");
  const std::string text = meminfo ? *meminfo : "";
  uint64_t total = MeminfoBytes(text, "MemTotal");
  if (total == 0) total = uint64_t{1} << 30;
  const std::string groups = root + "/sys/fs/cgroup";
  total = Tighten(total, groups + OwnGroup(root) + "/memory.max");
  total = Tighten(total, groups + "/memory.max");
  total = Tighten(total, groups + "/memory/memory.limit_in_bytes");
  const uint64_t available = MeminfoBytes(text, "MemAvailable");
  return available == 0 ? total / 4 : std::min(total / 4, available / 2);
}

}  // namespace roofmark
