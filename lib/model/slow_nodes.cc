// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/slow_nodes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

namespace roofmark {
namespace {

using Hosts = std::vector<HostInfo>;
using Figure = OverHost HostInfo::*;
using NumberOfHost = double (*)(const OverHost&);

double Least(const OverHost& figure) { return static_cast<double>(figure.least); }
double Most(const OverHost& figure) { return static_cast<double>(figure.most); }
double Mean(const OverHost& figure) {
  return static_cast<double>(figure.sum) / std::max(1u, figure.ranks);
}

// Of an even number the lower one of the two in the middle: where one of two nodes is slow, the
// other one is what it could be.
double Middle(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::vector<double> All(const Hosts& hosts, Figure figure, NumberOfHost number) {
  std::vector<double> values;
  for (const HostInfo& host : hosts) values.push_back(number(host.*figure));
  return values;
}

double Middle(const Hosts& hosts, Figure figure, NumberOfHost number) {
  return Middle(All(hosts, figure, number));
}

// Of every rank of every node.
bool IsKnown(const Hosts& hosts, Figure figure) {
  return std::all_of(hosts.begin(), hosts.end(), [figure](const HostInfo& host) {
    const OverHost& known = host.*figure;
    return known.ranks == host.ranks && known.ranks > 0 && known.sum != OverHost::kOverflow;
  });
}

// What the nodes' work is measured by: FLOPs, else bytes; and visits, which tell of other numbers
// of steps.
std::vector<Figure> MeasuresOfWork(const Hosts& hosts, bool& same_work_known) {
  std::vector<Figure> measures;
  for (const Figure figure : {&HostInfo::flops, &HostInfo::dram_bytes}) {
    same_work_known = IsKnown(hosts, figure) && Middle(hosts, figure, Mean) > 0;
    if (!same_work_known) continue;
    measures.push_back(figure);
    break;
  }
  if (IsKnown(hosts, &HostInfo::visits)) measures.push_back(&HostInfo::visits);
  return measures;
}

// How much longer each node takes than the one in the middle, by the means of their ranks, the
// fastest and the slowest ones: one slow rank, or one with a task of its own, is no slow node.
class Slowness {
 public:
  Slowness(const Hosts& hosts, const std::vector<Figure>& measures) : hosts_(hosts) {
    for (const Figure figure : measures) work_.emplace_back(figure, Middle(hosts, figure, Mean));
    for (const NumberOfHost number : {&Mean, &Least, &Most}) {
      time_.emplace_back(number, Middle(hosts, &HostInfo::busy_ns, number));
    }
    std::vector<double> away;
    for (const HostInfo& host : hosts) away.push_back(std::abs(Ratio(host) - 1));
    usual_ = Middle(std::move(away));
  }

  // For as much work; more work explains more time, less work is no excuse.
  double Ratio(const HostInfo& host) const { return Ratio(host, 0); }

  bool IsSlow(const HostInfo& host) const {
    // Beyond `kMuch`, and beyond what nodes differ by; of many nodes their own spread is well
    // known, and less is enough.
    constexpr double kMuch = 0.1, kLittle = 0.03, kAlike = 0.5;
    constexpr size_t kMany = 8;
    const double more = Ratio(host) - 1;
    const bool beyond = (more > kMuch && more > 4 * usual_) ||
                        (hosts_.size() >= kMany && more > kLittle && more > 8 * usual_);
    return beyond && Ratio(host, 1) - 1 > kAlike * more && Ratio(host, 2) - 1 > kAlike * more;
  }

 private:
  double Ratio(const HostInfo& host, size_t which) const {
    const auto& [number, middle] = time_[which];
    if (middle <= 0) return 1;
    double work = 1;
    for (const auto& [figure, usual] : work_) {
      if (usual > 0) work = std::max(work, Mean(host.*figure) / usual);
    }
    return number(host.busy_ns) / middle / work;
  }

  const Hosts& hosts_;
  std::vector<std::pair<Figure, double>> work_;
  std::vector<std::pair<NumberOfHost, double>> time_;  // mean, least, most
  double usual_ = 0;                                   // distance from the middle
};

// What ranks of the host that lie farthest out take beyond the rank in the middle; 0 if none does,
// or if not all ranks are in the region.
double ExcessIn(const JobProfile& job, size_t path, const std::string& host) {
  const Spread& spread = job.SpreadAt(path, Drawn::kTime);
  if (spread.ranks < job.run.ranks_merged) return 0;
  const auto middle = static_cast<double>(Percentile(spread, 50));
  double sum = 0;
  uint32_t on_host = 0;
  for (uint32_t i = 0; i < spread.Named(); ++i) {
    const auto place = job.rank_hosts.find(spread.highest[i].rank);
    const auto value = static_cast<double>(spread.highest[i].value);
    if (place == job.rank_hosts.end() || place->second != host || value <= middle) continue;
    sum += value - middle;
    ++on_host;
  }
  return on_host == 0 ? 0 : sum / on_host;
}

// Of regions inside each other with about the same excess the innermost one.
std::optional<size_t> WhereItShows(const JobProfile& job, const std::string& host) {
  constexpr double kAbout = 0.8;
  std::vector<double> excess;
  for (size_t p = 0; p < job.paths.size(); ++p) excess.push_back(ExcessIn(job, p, host));
  const auto most = std::max_element(excess.begin(), excess.end());
  if (most == excess.end() || *most <= 0) return std::nullopt;
  auto path = static_cast<size_t>(most - excess.begin());
  for (size_t p = path + 1; p < excess.size(); ++p) {
    const std::string prefix = JoinPath(job.paths[path].path, "");
    if (job.paths[p].path.starts_with(prefix) && excess[p] >= kAbout * *most) path = p;
  }
  return path;
}

std::string MostCommonKind(const Hosts& hosts) {
  std::map<std::string, size_t> times;
  for (const HostInfo& host : hosts) ++times[host.kind];
  return std::max_element(times.begin(), times.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

bool SharesCpus(const HostInfo& host) { return host.rank_cpus.sum > host.cpus; }

SlowCause CauseOf(const Hosts& hosts, const HostInfo& host) {
  constexpr double kLower = 0.95;
  SlowCause cause;
  if (IsKnown(hosts, &HostInfo::clock_khz)) {
    const double own = Mean(host.clock_khz), usual = Middle(hosts, &HostInfo::clock_khz, Mean);
    if (own < kLower * usual) cause.clock_ghz = {own * 1e-6, usual * 1e-6};
  }
  const std::string common = MostCommonKind(hosts);
  cause.other_kind = !host.kind.empty() && !common.empty() && host.kind != common;
  if (IsKnown(hosts, &HostInfo::rank_cpus)) {
    const double own = Mean(host.rank_cpus), usual = Middle(hosts, &HostInfo::rank_cpus, Mean);
    if (own < usual) cause.rank_cpus = {own, usual};
    const auto sharing = static_cast<size_t>(std::count_if(hosts.begin(), hosts.end(), SharesCpus));
    cause.shares_cpus = SharesCpus(host) && 2 * sharing < hosts.size();
  }
  return cause;
}

}  // namespace

SlowNodes SlowNodesOf(const JobProfile& job) {
  SlowNodes slow;
  const Hosts& hosts = job.run.hosts;
  if (hosts.size() < 2 || !IsKnown(hosts, &HostInfo::busy_ns)) return slow;
  const Slowness slowness(hosts, MeasuresOfWork(hosts, slow.same_work_known));
  for (size_t h = 0; h < hosts.size(); ++h) {
    if (!slowness.IsSlow(hosts[h])) continue;
    const double ratio = slowness.Ratio(hosts[h]);
    slow.nodes.push_back(
        {.host = h, .ratio = ratio, .seconds = (1 - 1 / ratio) * Mean(hosts[h].busy_ns) * 1e-9});
  }
  std::stable_sort(slow.nodes.begin(), slow.nodes.end(),
                   [](const SlowNode& a, const SlowNode& b) { return a.ratio > b.ratio; });
  for (size_t i = 0; i < std::min(kNamedSlowNodes, slow.nodes.size()); ++i) {
    SlowNode& node = slow.nodes[i];
    node.path = WhereItShows(job, hosts[node.host].name);
    node.cause = CauseOf(hosts, hosts[node.host]);
  }
  slow.mpi_left_out = std::any_of(job.paths.begin(), job.paths.end(), [&job](const PathInfo& info) {
    return job.At(static_cast<size_t>(&info - job.paths.data()), metric::kOutsideMpiNs).ranks > 0;
  });
  return slow;
}

}  // namespace roofmark
