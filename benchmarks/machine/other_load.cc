// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/other_load.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <sstream>

#include "lib/core/clock.h"
#include "lib/core/file.h"

namespace roofmark {
namespace {

// The CPU of a line "cpu3 1 2 ..."; nothing of any other line, and of that of all CPUs together.
std::optional<uint32_t> CpuOf(const std::string& line) {
  uint32_t cpu = 0;
  constexpr size_t kNumber = 3;  // behind "cpu"
  if (line.size() <= kNumber || std::isdigit(static_cast<unsigned char>(line[kNumber])) == 0) {
    return std::nullopt;
  }
  return std::sscanf(line.c_str(), "cpu%u ", &cpu) == 1 ? std::optional(cpu) : std::nullopt;
}

// user nice system idle iowait irq softirq steal; guests are in the first two.
uint64_t BusyOf(const std::string& line) {
  std::istringstream words(line);
  std::string name;
  uint64_t ticks[8] = {};
  words >> name;
  for (uint64_t& each : ticks) words >> each;
  return ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6] + ticks[7];
}

double OwnSeconds() {
  rusage use = {};
  getrusage(RUSAGE_SELF, &use);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(use.ru_utime) + seconds(use.ru_stime);
}

// Since boot, less this process's own.
std::optional<double> OthersSinceBoot(const std::set<uint32_t>& cpus) {
  const auto stat = ReadFile("/proc/stat");
  const auto ticks = stat ? BusyTicks(*stat, cpus) : std::nullopt;
  if (!ticks) return std::nullopt;
  return static_cast<double>(*ticks) / static_cast<double>(sysconf(_SC_CLK_TCK)) - OwnSeconds();
}

}  // namespace

std::optional<uint64_t> BusyTicks(std::string_view stat, const std::set<uint32_t>& cpus) {
  std::istringstream lines{std::string(stat)};
  std::optional<uint64_t> busy;
  for (std::string line; std::getline(lines, line);) {
    const std::optional<uint32_t> cpu = CpuOf(line);
    if (cpu && cpus.count(*cpu) != 0) busy = busy.value_or(0) + BusyOf(line);
  }
  return busy;
}

std::string OtherLoadWarning(double others_seconds, double seconds, size_t cpus) {
  constexpr double kLeast = 0.05, kLeastShare = 0.01;  // CPUs, of all
  const double used = seconds > 0 ? others_seconds / seconds : 0;
  if (used < std::max(kLeast, kLeastShare * static_cast<double>(cpus))) return {};
  return fmt::format(
      "other programs, or other virtual machines, used {:.2g} of these CPUs meanwhile: stop them "
      "and "
      "measure again",
      used);
}

OtherLoad::OtherLoad(std::set<uint32_t> cpus)
    : cpus_(std::move(cpus)), begin_ns_(NowNs()), begin_s_(OthersSinceBoot(cpus_)) {}

std::optional<double> OtherLoad::OthersSeconds() const {
  const std::optional<double> now = OthersSinceBoot(cpus_);
  if (!now || !begin_s_) return std::nullopt;
  return std::max(0.0, *now - *begin_s_);
}

std::string OtherLoad::Warning() const {
  const std::optional<double> others = OthersSeconds();
  if (!others) return {};
  return OtherLoadWarning(*others, static_cast<double>(NowNs() - begin_ns_) * 1e-9, cpus_.size());
}

}  // namespace roofmark
