// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/cpu_list.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include "lib/core/file.h"
#include "lib/core/limits.h"

namespace roofmark {
namespace {

constexpr uint32_t kMostCpus = limits::kCpus;

bool ParseNumber(std::string_view text, uint32_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value < kMostCpus;
}

std::string_view FirstLine(std::string_view text) { return text.substr(0, text.find('\n')); }

}  // namespace

// Ranges are united before they are counted out: a list may name the same CPUs many times.
std::set<uint32_t> ParseCpuList(std::string_view list) {
  std::vector<std::pair<uint32_t, uint32_t>> ranges;
  while (!list.empty()) {
    const size_t end = std::min(list.find(','), list.size());
    const std::string_view item = list.substr(0, end);
    list.remove_prefix(std::min(end + 1, list.size()));
    const size_t dash = item.find('-');
    uint32_t first = 0, last = 0;
    if (!ParseNumber(item.substr(0, dash), first)) continue;
    last = first;
    if (dash != std::string_view::npos && !ParseNumber(item.substr(dash + 1), last)) continue;
    ranges.emplace_back(first, last);
  }
  std::sort(ranges.begin(), ranges.end());
  std::set<uint32_t> cpus;
  uint32_t next = 0;  // the lowest that is not in the set yet
  for (const auto& [first, last] : ranges) {
    for (next = std::max(next, first); next <= last; ++next) cpus.insert(cpus.end(), next);
  }
  return cpus;
}

std::string FormatCpuList(const std::set<uint32_t>& cpus) {
  std::string list;
  for (auto it = cpus.begin(); it != cpus.end();) {
    const uint32_t first = *it;
    uint32_t last = first;
    for (++it; it != cpus.end() && *it == last + 1; ++it) last = *it;
    if (!list.empty()) list += ',';
    list += first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last);
  }
  return list;
}

std::string UniteCpuLists(std::string_view a, std::string_view b) {
  std::set<uint32_t> cpus = ParseCpuList(a);
  cpus.merge(ParseCpuList(b));
  return FormatCpuList(cpus);
}

uint32_t CountCpus(std::string_view list) {
  return static_cast<uint32_t>(ParseCpuList(list).size());
}

std::string CoresOf(std::string_view cpus, const std::string& root) {
  std::set<uint32_t> left = ParseCpuList(cpus), first;
  while (!left.empty()) {
    const auto siblings = ReadFile(fmt::format(
        "{}/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list", root, *left.begin()));
    const std::set<uint32_t> core =
        siblings ? ParseCpuList(FirstLine(*siblings)) : std::set<uint32_t>{};
    if (!core.contains(*left.begin())) return "";
    first.insert(*core.begin());
    for (const uint32_t cpu : core) left.erase(cpu);
  }
  return FormatCpuList(first);
}

std::string OnlineCpuList(const std::string& root) {
  const auto list = ReadFile(root + "/sys/devices/system/cpu/online");
  return list ? std::string(FirstLine(*list)) : "";
}

std::string AffinityCpuList(pid_t tid) {
  std::set<uint32_t> cpus;
  for (size_t most = 1024; most <= kMostCpus; most *= 4) {
    cpu_set_t* mask = CPU_ALLOC(most);
    if (mask == nullptr) break;
    const size_t bytes = CPU_ALLOC_SIZE(most);
    const bool read = sched_getaffinity(tid, bytes, mask) == 0;
    for (size_t cpu = 0; read && cpu < most; ++cpu) {
      if (CPU_ISSET_S(cpu, bytes, mask)) cpus.insert(static_cast<uint32_t>(cpu));
    }
    CPU_FREE(mask);
    if (read) break;  // else the kernel's mask is larger
  }
  return FormatCpuList(cpus);
}

}  // namespace roofmark
