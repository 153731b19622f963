// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/cpu_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "lib/core/cpu_list.h"
#include "lib/core/terminal_text.h"
#include "lib/model/job_scope.h"

namespace roofmark {
namespace {

// The least and the most over the hosts that have the figure; nothing if one has none.
template <class Figure>
std::optional<std::pair<double, double>> Over(const RunInfo& run, const Figure& figure) {
  std::optional<std::pair<double, double>> range;
  for (const HostInfo& host : run.hosts) {
    const double value = figure(host);
    if (value <= 0) return std::nullopt;
    if (!range) range.emplace(value, value);
    range = {std::min(range->first, value), std::max(range->second, value)};
  }
  return range;
}

std::string Text(const std::pair<double, double>& range) {
  if (range.first == range.second) return fmt::format("{:.6g}", range.first);
  return fmt::format("{:.6g} to {:.6g}", range.first, range.second);
}

// Of the first host of which the ranks may not use all CPUs together: each rank alone may be bound.
std::string WhoBound(const RunInfo& run) {
  const auto bound = std::find_if(run.hosts.begin(), run.hosts.end(), [](const HostInfo& host) {
    return !host.bound_by.empty() && host.cpus < host.machine_cpus;
  });
  if (bound == run.hosts.end()) return "";
  if (bound->bound_by == kBoundByCgroup) return "that its cgroup allows";
  return bound->bound_by == kBoundByMask ? "that the launcher, or taskset, bound it to" : "";
}

}  // namespace

std::string CpuTime(double cpus) { return fmt::format("{:.3g} CPU{}", cpus, cpus == 1 ? "" : "s"); }

std::string UsableCpus(const RunInfo& run) {
  const auto cpus = Over(run, [](const HostInfo& host) { return host.cpus; });
  const auto all = Over(run, [](const HostInfo& host) { return host.machine_cpus; });
  if (!cpus || !all) return "";
  const bool alone = run.hosts.size() == 1;
  std::vector<std::string> parts;
  const std::string who = WhoBound(run);
  if (who.empty()) {
    parts.push_back(fmt::format("all {}", Text(*cpus)));
  } else {
    parts.push_back(fmt::format("{} of {}{}, {}", Text(*cpus), Text(*all),
                                alone ? fmt::format(" ({})", Printable(run.hosts[0].cpuset)) : "",
                                who));
  }
  const auto cores = Over(run, [](const HostInfo& host) { return CountCpus(host.cores); });
  if (cores && *cores != *cpus) {
    parts.push_back(
        fmt::format("hyperthreads of {} core{}", Text(*cores), cores->second == 1 ? "" : "s"));
  }
  const auto quota =
      Over(run, [](const HostInfo& host) { return QuotaOf(host).value_or(host.cpus); });
  if (quota && *quota != *cpus) {
    parts.push_back(fmt::format("a quota of its cgroup grants the time of {}", Text(*quota)));
  }
  return fmt::format("CPUs{}: {}", alone ? "" : " of a node", fmt::join(parts, "; "));
}

}  // namespace roofmark
