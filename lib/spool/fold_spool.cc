// SPDX-License-Identifier: BSD-3-Clause
#include "lib/spool/fold_spool.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace roofmark::spool {
namespace {

struct Rate {
  double ns_per_tick = 1;
  uint64_t interval_ns = 0;  // that it was taken over
};

// While the kernel that the process ran on is up its clocks go on: the longest interval there is.
Rate RateOf(const Spool& spool) {
  ClockPair until = spool.latest;
  if (std::strcmp(ThisProcess().boot, spool.identity.boot) == 0) until = ReadClocks();
  if (until.ticks <= spool.born.ticks || until.ns <= spool.born.ns) return {};
  const uint64_t ns = until.ns - spool.born.ns, ticks = until.ticks - spool.born.ticks;
  return {static_cast<double>(ns) / static_cast<double>(ticks), ns};
}

bool Survives(MetricId id) {
  switch (id) {
    case metric::kVisits:
    case metric::kTimedVisits:
    case metric::kTimeNs:
    case metric::kDeclaredFlops:
    case metric::kDeclaredBytes:
    case metric::kDeclaredOperations:
    case metric::kMpiNs:
    case metric::kOutsideMpiNs:
    case metric::kWorkers:
      return true;
    default:
      return false;
  }
}

void DropCounts(JobProfile& profile) {
  for (MetricId id = 0; id < kMetrics; ++id) {
    MetricSource& source = profile.sources[id];
    if (Survives(id) || !HasValue(source.status)) continue;
    source.origin.clear();
    source.status = Status::kUnsupported;
    source.reason =
        "counts are lost with their process; calls, times and declared work are recovered";
  }
  profile.sources[metric::kWorkers].origin = "timer";
  profile.sources[metric::kMarkerNs].reason = "markers are calibrated when recording ends";
}

// Until the last sign of life: at least as long as the main regions took.
double WallSeconds(const Spool& spool, const JobProfile& profile) {
  double wall_s = static_cast<double>(spool.latest.ns - spool.born.ns) * 1e-9;
  for (size_t row = 0; row < profile.paths.size(); ++row) {
    const Cell& time = profile.At(row, metric::kTimeNs);
    wall_s = std::max(wall_s, static_cast<double>(time.max) * 1e-9);
  }
  return wall_s;
}

void MarkUnfinished(const Spool& spool, JobProfile& profile) {
  const std::vector<PathNode>& nodes = spool.input.nodes;
  std::vector<std::string> full(nodes.size());
  for (size_t id = 1; id < nodes.size(); ++id) {
    const std::string name = EscapeRegionName(spool.input.names[id]);
    full[id] = nodes[id].parent == 0 ? name : full[nodes[id].parent] + "/" + name;
    const int row = spool.open[id] == 0 ? -1 : profile.FindPath(full[id]);
    if (row >= 0) profile.paths[static_cast<size_t>(row)].unfinished += spool.open[id];
  }
}

}  // namespace

JobProfile FoldSpool(const Spool& spool) {
  if (spool.handed_in) {
    JobProfile whole = *spool.handed_in;
    whole.run.recovered_ranks = 1;
    return whole;
  }
  JobProfile profile = spool.described;
  DropCounts(profile);
  FoldInput input = spool.input;
  input.rank = profile.run.first_rank;
  const Rate rate = RateOf(spool);
  input.ns_per_tick = rate.ns_per_tick;
  Fold(input, profile);
  MarkUnfinished(spool, profile);
  for (size_t row = 0; row < profile.paths.size(); ++row) {
    profile.run.threads_max = std::max(
        profile.run.threads_max, static_cast<uint32_t>(profile.At(row, metric::kWorkers).max));
  }
  for (PassInfo& pass : profile.run.passes) pass.wall_s = WallSeconds(spool, profile);
  profile.run.warnings.insert(profile.run.warnings.end(), spool.problems.begin(),
                              spool.problems.end());
  constexpr uint64_t kGoodIntervalNs = 2'000'000;  // as NsPerTick()
  if (rate.interval_ns < kGoodIntervalNs) {
    profile.run.warnings.push_back(fmt::format(
        "{}: the process's clock was compared over {} us only, and the machine has been "
        "started anew since: its times may be some percent off",
        spool.file, rate.interval_ns / 1000));
  }
  profile.run.recovered_ranks = 1;
  FillSpreads(profile);
  return profile;
}

}  // namespace roofmark::spool
