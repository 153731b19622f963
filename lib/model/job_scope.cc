// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/job_scope.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lib/core/cpu_list.h"

namespace roofmark {

std::optional<double> QuotaOf(const HostInfo& host) {
  const double cpus = static_cast<double>(host.quota_mcpus.most) * 1e-3;
  const bool limits = host.quota_mcpus.ranks > 0 && (host.cpus == 0 || cpus < host.cpus);
  return limits ? std::optional(cpus) : std::nullopt;
}

std::optional<double> UsableCores(const HostInfo& host) {
  const double cores = host.cores.empty() ? host.cpus : CountCpus(host.cores);
  const std::optional<double> quota = QuotaOf(host);
  if (cores > 0) return std::min(cores, quota.value_or(cores));
  return quota;
}

std::vector<ActiveHost> ActiveHosts(const Machine& machine, const RunInfo& run) {
  std::vector<size_t> all(run.hosts.size());
  std::iota(all.begin(), all.end(), size_t{0});
  return ActiveHosts(machine, run, all);
}

std::vector<ActiveHost> ActiveHosts(const Machine& machine, const RunInfo& run,
                                    const std::vector<size_t>& which) {
  std::vector<ActiveHost> hosts;
  for (const size_t index : which) {
    const HostInfo& info = run.hosts[index];
    const double workers = static_cast<double>(info.ranks) * run.threads_max;
    ActiveHost host;
    host.cores = std::min(UsableCores(info).value_or(workers), workers);
    const uint32_t packages = PackagesOf(machine, info.cpuset);
    host.packages = host.cores >= packages ? packages : 0;
    hosts.push_back(host);
  }
  if (hosts.empty()) hosts.push_back({static_cast<double>(run.ranks) * run.threads_max, 0});
  return hosts;
}

double JobValue(const CeilingCurve& ceiling, const std::vector<ActiveHost>& hosts, double share) {
  double sum = 0;
  for (const ActiveHost& host : hosts) {
    const double cores = host.cores * share;
    const uint32_t packages = cores >= host.packages ? host.packages : 0;
    sum += cores < 1 ? ValueAt(ceiling, 1) * cores : ValueAt(ceiling, cores, packages);
  }
  return sum * ceiling.counted_factor;
}

double JobNoise(const CeilingCurve& ceiling, const std::vector<ActiveHost>& hosts) {
  double most = 0;
  for (const ActiveHost& host : hosts) {
    const auto away = [&](const MachinePoint& point) { return std::abs(point.cores - host.cores); };
    const auto nearest = std::min_element(
        ceiling.curve.begin(), ceiling.curve.end(),
        [&](const MachinePoint& a, const MachinePoint& b) { return away(a) < away(b); });
    if (nearest != ceiling.curve.end()) most = std::max(most, nearest->noise);
  }
  return most;
}

}  // namespace roofmark
