// SPDX-License-Identifier: BSD-3-Clause
#include "lib/profile/profile.h"

#include <algorithm>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "lib/profile/totals.h"
#include "lib/profile/whole.h"

namespace roofmark {
namespace {

template <typename Item, typename Key>
void Unite(std::vector<Item>& into, const std::vector<Item>& other, Key key) {
  for (const Item& item : other) {
    const bool known = std::any_of(into.begin(), into.end(),
                                   [&](const Item& mine) { return key(mine) == key(item); });
    if (!known) into.push_back(item);
  }
}

const char* const kDifferentEvents =
    "the ranks counted different events: set ROOFMARK_EVENTS to the same value on all of them";

bool ByPackage(const BackgroundTraffic& a, const BackgroundTraffic& b) {
  return std::tie(a.host, a.package, a.bytes, a.seconds) <
         std::tie(b.host, b.package, b.bytes, b.seconds);
}

// In the regions that lie in no other.
void FillHost(const JobProfile& rank, HostInfo& host) {
  host.busy_ns = host.visits = host.flops = host.dram_bytes = {};
  // Of one rank: a sum over its regions.
  const auto add = [](OverHost& figure, uint64_t value) {
    const uint64_t most = OverHost::kOverflow - figure.sum;
    figure = OverHost::Of(value > most ? OverHost::kOverflow : figure.sum + value);
  };
  const auto add_cell = [&add](OverHost& figure, const Cell& cell) {
    if (cell.ranks > 0 && HasValue(Worst(cell.status_bits))) add(figure, cell.sum_low);
  };
  for (size_t p = 0; p < rank.paths.size(); ++p) {
    if (PathDepth(rank.paths[p].path) > 0) continue;
    const Cell& outside_mpi = rank.At(p, metric::kOutsideMpiNs);
    add_cell(host.busy_ns, outside_mpi.ranks > 0 ? outside_mpi : rank.At(p, metric::kTimeNs));
    add_cell(host.visits, rank.At(p, metric::kVisits));
    for (const auto& [measure, figure] :
         {std::pair{Drawn::kFlops, &host.flops}, {Drawn::kDramBytes, &host.dram_bytes}}) {
      const Spread& own = rank.SpreadAt(p, measure);
      if (own.ranks > 0) add(*figure, own.lowest[0].value);
    }
  }
}

}  // namespace

const Spread& JobProfile::SpreadAt(size_t path, Drawn measure) const {
  static const auto& none = *new Spread;
  const size_t at = path * kSpreads + static_cast<size_t>(measure);
  return at < spreads.size() ? spreads[at] : none;
}

void FillSpreads(JobProfile& rank) {
  rank.spreads.clear();
  for (size_t p = 0; p < rank.paths.size(); ++p) {
    for (Spread& spread : SpreadsOf({rank.cells, p}, rank.run.first_rank)) {
      rank.spreads.push_back(std::move(spread));
    }
  }
  if (!rank.run.hosts.empty()) {
    rank.rank_hosts = {{rank.run.first_rank, rank.run.hosts.front().name}};
    FillHost(rank, rank.run.hosts.front());
  }
}

void PruneRankHosts(JobProfile& job) {
  if (job.rank_hosts.empty()) return;
  std::unordered_set<uint32_t> named;
  for (const Spread& spread : job.spreads) {
    for (uint32_t i = 0; i < spread.Named(); ++i) {
      named.insert(spread.lowest[i].rank);
      named.insert(spread.highest[i].rank);
    }
  }
  std::erase_if(job.rank_hosts,
                [&named](const auto& entry) { return !named.contains(entry.first); });
}

int JobProfile::FindPath(std::string_view path) const {
  auto it = std::lower_bound(paths.begin(), paths.end(), path,
                             [](const PathInfo& a, std::string_view b) { return a.path < b; });
  return it != paths.end() && it->path == path ? static_cast<int>(it - paths.begin()) : -1;
}

std::string MetricLabel(const JobProfile& job, MetricId metric) {
  const MetricSource& source = job.sources[metric];
  return source.label.empty() ? GetMetric(metric).name : source.label;
}

std::string_view MetricUnit(const JobProfile& job, MetricId metric) {
  const MetricSource& source = job.sources[metric];
  return source.unit.empty() ? GetMetric(metric).unit : std::string_view(source.unit);
}

Scope MetricScope(const JobProfile& job, MetricId metric) {
  return IsUser(metric) || IsTotal(metric) ? job.sources[metric].scope : GetMetric(metric).scope;
}

void MergeRuns(RunInfo& into, const RunInfo& other) {
  into.ranks = std::max(into.ranks, other.ranks);
  into.ranks_merged += other.ranks_merged;
  into.recovered_ranks += other.recovered_ranks;
  if (other.first_rank < into.first_rank) {
    into.first_rank = other.first_rank;
    for (size_t i = 0; i < std::min(into.passes.size(), other.passes.size()); ++i) {
      const double wall_s = std::max(into.passes[i].wall_s, other.passes[i].wall_s);
      into.passes[i] = other.passes[i];
      into.passes[i].wall_s = wall_s;
    }
  }
  for (size_t i = 0; i < std::min(into.passes.size(), other.passes.size()); ++i) {
    into.passes[i].wall_s = std::max(into.passes[i].wall_s, other.passes[i].wall_s);
  }
  if (into.mpi.empty()) into.mpi = other.mpi;
  into.threads_max = std::max(into.threads_max, other.threads_max);
  MergeCells(into.cost, other.cost);
  MergeCells(into.kernel, other.kernel);
  MergeHosts(into.hosts, other.hosts);
  into.background.insert(into.background.end(), other.background.begin(), other.background.end());
  std::sort(into.background.begin(), into.background.end(), ByPackage);
  MergeDevices(into.devices, other.devices);
  Unite(into.warnings, other.warnings, [](const std::string& text) { return text; });
}

const CrossCheck* CrossCheckOf(const PathInfo& info, MetricId metric) {
  for (const CrossCheck& check : info.cross_checks) {
    if (check.metric == metric) return &check;
  }
  return nullptr;
}

// Once the ranks differ, nothing that follows makes them agree.
void MergeSource(MetricSource& into, const MetricSource& other) {
  const bool differed = into.reason == kDifferentEvents || other.reason == kDifferentEvents;
  if (!HasValue(other.status) && !differed) return;
  if (!HasValue(into.status) && !differed) {
    into = other;
  } else if (differed || into.label != other.label) {
    // Which of the labels stands does not depend on the order either.
    if (into.label.empty() || (!other.label.empty() && other.label < into.label)) into = other;
    into.status = Status::kInvalid;
    into.reason = kDifferentEvents;
  }
}

void MergeProfiles(JobProfile& into, const JobProfile& other) {
  JobProfile merged;
  merged.run = std::move(into.run);
  MergeRuns(merged.run, other.run);
  merged.sources = into.sources;
  for (size_t m = 0; m < kMetrics; ++m) MergeSource(merged.sources[m], other.sources[m]);
  merged.paths = into.paths;
  Unite(merged.paths, other.paths,
        [](const PathInfo& info) -> std::string_view { return info.path; });
  std::sort(merged.paths.begin(), merged.paths.end(),
            [](const PathInfo& a, const PathInfo& b) { return a.path < b.path; });
  for (PathInfo& info : merged.paths) {
    info.cross_checks.clear();  // of other ranks
    const int there = other.FindPath(info.path);
    if (there >= 0 && into.FindPath(info.path) >= 0) {
      info.unfinished += other.paths[static_cast<size_t>(there)].unfinished;
    }
    if (info.operation.empty() && there >= 0) {
      info.operation = other.paths[static_cast<size_t>(there)].operation;
    }
  }
  merged.cells = CellTable(merged.paths.size());
  merged.rank_hosts = std::move(into.rank_hosts);
  merged.rank_hosts.insert(other.rank_hosts.begin(), other.rank_hosts.end());
  if (!into.spreads.empty() || !other.spreads.empty()) {
    merged.spreads.resize(merged.paths.size() * kSpreads);
  }
  for (const JobProfile* part : {static_cast<const JobProfile*>(&into), &other}) {
    for (size_t p = 0; p < part->paths.size(); ++p) {
      const size_t row = static_cast<size_t>(merged.FindPath(part->paths[p].path));
      for (MetricId m = 0; m < kMetrics; ++m) {
        if (part->cells.Has(m)) merged.At(row, m) = Combine(merged.At(row, m), part->At(p, m));
      }
      for (size_t m = 0; m < kSpreads && !merged.spreads.empty(); ++m) {
        Combine(merged.spreads[row * kSpreads + m], part->SpreadAt(p, static_cast<Drawn>(m)));
      }
    }
  }
  merged.whole = std::move(into.whole);
  MergeWhole(merged.whole, other.whole);
  DropPartialTotals(merged);
  into = std::move(merged);
}

}  // namespace roofmark
