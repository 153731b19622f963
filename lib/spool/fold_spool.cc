// SPDX-License-Identifier: BSD-3-Clause
#include "lib/spool/fold_spool.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace roofmark::spool {
namespace {

struct Rate {
  double ns_per_tick = 1;
  uint64_t interval_ns = 0;  // that it was taken over
};

constexpr uint64_t kGoodIntervalNs = 2'000'000;  // as NsPerTick()

// Of this process, good to 1e-4.
double OwnNsPerTick() {
  static const double rate = NsPerTick(ReadClocks());
  return rate;
}

Rate RateUntil(const Spool& spool, const ClockPair& until) {
  if (until.ticks <= spool.born.ticks || until.ns <= spool.born.ns) return {};
  const uint64_t ns = until.ns - spool.born.ns, ticks = until.ticks - spool.born.ticks;
  return {static_cast<double>(ns) / static_cast<double>(ticks), ns};
}

// While the kernel that the process ran on is up its clocks go on: the longest interval there is;
// unless the CPUs' counters disagree, and that process was on another CPU.
Rate RateOf(const Spool& spool) {
  if (spool.ticks_are_ns) return {1, UINT64_MAX};
  const bool clocks_go_on =
      std::strcmp(ThisProcess().boot, spool.identity.boot) == 0 && !TicksAreNs();
  if (!clocks_go_on) return RateUntil(spool, spool.latest);
  const Rate rate = RateUntil(spool, ReadClocks());
  if (std::abs(rate.ns_per_tick / OwnNsPerTick() - 1) < 1e-3) return rate;
  return {OwnNsPerTick(), kGoodIntervalNs};
}

bool Survives(MetricId id) {
  switch (id) {
    case metric::kVisits:
    case metric::kTimedVisits:
    case metric::kPauses:
    case metric::kTimeNs:
    case metric::kDeclaredFlops:
    case metric::kDeclaredBytes:
    case metric::kDeclaredOperations:
    case metric::kMpiNs:
    case metric::kOutsideMpiNs:
    case metric::kParallelNs:
    case metric::kOpenMpBusyNs:
    case metric::kOpenMpBusiestNs:
    case metric::kOpenMpWaitNs:
    case metric::kPageFaults:
    case metric::kSystemNs:
    case metric::kPreemptions:
    case metric::kLongestVisitNs:
    case metric::kWorkers:
      return true;
    default:
      return false;
  }
}

// By metric: its counts are in the spool.
std::array<bool, kMetrics> Kept(const Spool& spool) {
  std::array<bool, kMetrics> kept{};
  if (!spool.counts) return kept;
  for (const counts::MetricRule& rule : spool.counts->rules) kept[rule.metric] = true;
  kept[metric::kWorkerFlopsMax] = kept[metric::kWorkerBytesMax] = true;
  return kept;
}

std::string WhyLost(MetricId id, const Spool& spool) {
  if (!spool.why_no_counts.empty()) return spool.why_no_counts;
  if (MetricScope(spool.described, id) == Scope::kPackage || id == metric::kApportionedDramBytes) {
    return "the counts of the memory controllers are known only when the job ends";
  }
  return "this run did not keep its counts in the spool (as with ROOFMARK_VISITS); visits, times "
         "and declared work are recovered";
}

void DropCounts(const Spool& spool, JobProfile& profile) {
  const std::array<bool, kMetrics> kept = Kept(spool);
  for (MetricId id = 0; id < kMetrics; ++id) {
    MetricSource& source = profile.sources[id];
    if (Survives(id) || kept[id] || !HasValue(source.status)) continue;
    source.origin.clear();
    source.status = Status::kUnsupported;
    source.reason = WhyLost(id, spool);
  }
  if (!spool.counts) profile.sources[metric::kWorkers].origin = "timer";
  profile.sources[metric::kMarkerNs].reason = "markers are calibrated when recording ends";
}

// The least time in which a thread can have done what it did, its regions one after another. A
// region that was open lacks its open visit, but not the visits of the regions inside it.
double BusyTicks(const std::vector<PathNode>& nodes, const std::vector<ThreadPathTotals>& thread) {
  std::vector<double> ticks(nodes.size());
  for (size_t id = std::min(nodes.size(), thread.size()); id-- > 1;) {
    const ThreadPathTotals& totals = thread[id];
    if (totals.measured != 0) {
      const auto all = static_cast<double>(totals.visits),
                 part = static_cast<double>(totals.measured);
      ticks[id] = std::max(ticks[id], static_cast<double>(totals.ticks) * (all / part));
    }
    ticks[nodes[id].parent] += ticks[id];
  }
  return ticks.empty() ? 0 : ticks[0];
}

// Until the last sign of life: the clocks in the header are those of the last slow way, and a
// process that only visits regions it knows takes none.
double WallSeconds(const Spool& spool, double ns_per_tick) {
  double wall_ns = static_cast<double>(spool.latest.ns - spool.born.ns);
  for (const std::vector<ThreadPathTotals>& thread : spool.input.threads) {
    wall_ns = std::max(wall_ns, BusyTicks(spool.input.nodes, thread) * ns_per_tick);
  }
  return wall_ns * 1e-9;
}

void MarkUnfinished(const Spool& spool, JobProfile& profile) {
  const std::vector<PathNode>& nodes = spool.input.nodes;
  const std::vector<std::string> full = FullPaths(nodes, spool.input.names);
  for (size_t id = 1; id < nodes.size(); ++id) {
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
  DropCounts(spool, profile);
  FoldInput input = spool.input;
  input.rank = profile.run.first_rank;
  const Rate rate = RateOf(spool);
  input.ns_per_tick = rate.ns_per_tick;
  const double wall_s = WallSeconds(spool, rate.ns_per_tick);
  input.program_ns = static_cast<uint64_t>(std::llround(wall_s * 1e9));
  Fold(input, profile);
  MarkUnfinished(spool, profile);
  for (size_t row = 0; row < profile.paths.size(); ++row) {
    profile.run.threads_max = std::max(
        profile.run.threads_max, static_cast<uint32_t>(profile.At(row, metric::kWorkers).max));
  }
  for (PassInfo& pass : profile.run.passes) pass.wall_s = wall_s;
  profile.run.warnings.insert(profile.run.warnings.end(), spool.problems.begin(),
                              spool.problems.end());
  profile.run.warnings.insert(profile.run.warnings.end(), spool.notes.begin(), spool.notes.end());
  if (spool.counts && spool.counts->covers == counts::Covers::kUpToHandOver) {
    profile.run.warnings.push_back(
        "counts end at the last time when the counting engine handed them over, in visits that "
        "were not finished, too");
  }
  if (rate.interval_ns < kGoodIntervalNs) {
    profile.run.warnings.push_back(
        fmt::format("{}: the clock of the process was calibrated over only {} us, and the machine "
                    "was rebooted since: the times may be wrong by some percent",
                    spool.file, rate.interval_ns / 1000));
  }
  profile.run.recovered_ranks = 1;
  FillSpreads(profile);
  return profile;
}

}  // namespace roofmark::spool
