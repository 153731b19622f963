// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/work.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <set>

#include "lib/core/table.h"
#include "lib/profile/totals.h"

namespace roofmark {
namespace {

constexpr Named<MemoryLevel> kLevels[] = {{MemoryLevel::kL1, "L1"},
                                          {MemoryLevel::kL2, "L2"},
                                          {MemoryLevel::kL3, "L3"},
                                          {MemoryLevel::kDram, "DRAM"}};
static_assert(InOrder(kLevels, MemoryLevel::kDram));

template <typename Visit>
void ForEachClass(Precision precision, Visit visit) {
  for (size_t width = 0; width < kWidths; ++width) {
    for (size_t kind = 0; kind < kFlopKinds; ++kind) {
      visit(FlopMetric(precision, static_cast<Width>(width), static_cast<FlopKind>(kind)),
            static_cast<FlopKind>(kind));
    }
  }
}

Value ShareOfInstructions(const JobProfile& job, size_t path, MetricId part) {
  const Value apart = Plus(MetricSum(job, path, InMpi(metric::kInstructionsApart)),
                           MetricSum(job, path, InRuntime(metric::kInstructionsApart)));
  const Value all = Plus(MetricSum(job, path, metric::kInstructions), apart);
  if (all && *all <= 0) return Value::None(Reason::kZeroEverywhere);
  return Combine(MetricSum(job, path, part), all, [](double a, double b) { return a / b; });
}

const PassInfo* TimePass(const JobProfile& job) {
  for (const PassInfo& pass : job.run.passes) {
    if (pass.times_are_real) return &pass;
  }
  return nullptr;
}

Value MaxOverMean(double max, double sum, double count, const Value& like) {
  if (!(sum > 0) || !(count > 0)) return Value::None(Reason::kZeroEverywhere);
  return Value::Of(max * count / sum, like.status, like.origin);
}

}  // namespace

std::string_view LevelName(MemoryLevel level) { return RowOf(kLevels, level).name; }

namespace {

bool HasStored(const Cell& cell) { return cell.ranks > 0 && HasValue(Worst(cell.status_bits)); }

// The margin in `half`, which is infinite where nothing is known of it. Nothing if it is not of the
// collector whose numbers were extrapolated, or nothing was.
std::optional<double> MarginFor(const JobProfile& job, size_t path, const Value& value,
                                MetricId margin, double half) {
  const Cell& cell = job.At(path, margin);
  if (!value || cell.ranks == 0 || value.origin != job.sources[margin].origin) return std::nullopt;
  if (!HasValue(Worst(cell.status_bits))) return std::numeric_limits<double>::infinity();
  return half > 0 ? std::optional(half) : std::nullopt;
}

Value With(Value value, std::optional<double> margin) {
  if (margin) value.within = Bounds{std::max(0.0, *value - *margin), *value + *margin};
  return value;
}

Value WithMargin(const JobProfile& job, size_t path, const Value& value, MetricId margin) {
  return With(value, MarginFor(job, path, value, margin, job.At(path, margin).SumAsDouble()));
}

Value ToValue(const JobProfile& job, size_t path, const Total& total, const std::string& origin) {
  if (total) return Value::Of(static_cast<double>(*total.sum), total.status, origin);
  return MetricSum(job, path, total.missing);
}

}  // namespace

Value MetricSum(const JobProfile& job, size_t path, MetricId metric) {
  const Cell& cell = job.At(path, metric);
  if (IsTotal(metric) && !HasStored(cell)) {
    const Total total = TotalOf(job, path, metric);
    if (total.missing != metric) return ToValue(job, path, total, OriginOfTotal(job, path, metric));
  }
  const MetricSource& source = job.sources[metric];
  if (cell.ranks == 0) {
    if (HasValue(source.status)) {
      return Value::None(Reason::kNoRankHas, source.status);
    }
    return Value::None(source.reason.empty() ? Why(Reason::kNotCounted, GetMetric(metric).name)
                                             : Why(Reason::kRecorded, source.reason),
                       source.status);
  }
  const Status status = Worst(cell.status_bits);
  if (!HasValue(status)) {
    return Value::None(
        {Reason::kHasStatus, GetMetric(metric).name, std::string(StatusName(status))}, status);
  }
  // A total need not have the same parts in all paths.
  const std::string origin = IsTotal(metric) ? OriginOfTotal(job, path, metric) : "";
  return Value::Of(cell.SumAsDouble(), status, origin.empty() ? source.origin : origin);
}

Value FlopsOf(const JobProfile& job, size_t path, Precision precision) {
  return MetricSum(job, path, PrecisionFlops(precision));
}

Value MixedFlopsOf(const JobProfile& job, size_t path) {
  return ToValue(job, path, MixedFlopsTotal(job, path), OriginOfTotal(job, path, metric::kFlops));
}

Value TotalFlops(const JobProfile& job, size_t path) {
  return WithMargin(job, path, MetricSum(job, path, metric::kFlops), metric::kFlopsMargin);
}

Share FmaShare(const JobProfile& job, size_t path, Precision precision) {
  double fma = 0, all = 0;
  ForEachClass(precision, [&](MetricId m, FlopKind kind) {
    const double flops = job.At(path, m).SumAsDouble();
    all += flops;
    if (kind == FlopKind::kFma) fma += flops;
  });
  if (all > 0) return {fma / all, fma / all};
  all = job.At(path, WholeFlops(static_cast<WholePrecision>(precision))).SumAsDouble();
  for (size_t width = 0; width < kWidths; ++width) {
    all += job.At(path, AnyKindFlops(precision, static_cast<Width>(width))).SumAsDouble();
  }
  return {0, all > 0 ? 1.0 : 0.0};
}

Value Traffic(const JobProfile& job, size_t path, MemoryLevel level) {
  const auto sum = [&](MetricId m) { return MetricSum(job, path, m); };
  switch (level) {
    case MemoryLevel::kL1:
      return Plus(sum(metric::kLoadBytes), sum(metric::kStoreBytes));
    case MemoryLevel::kL2:
      return WithMargin(job, path, Plus(sum(metric::kL1ReadBytes), sum(metric::kL1WriteBytes)),
                        metric::kL1MarginBytes);
    case MemoryLevel::kL3:
      // Without an L3 the traffic below L2 is DRAM's.
      if (!HasValue(job.sources[metric::kL3ReadBytes].status)) return sum(metric::kL3ReadBytes);
      return WithMargin(job, path, Plus(sum(metric::kL2ReadBytes), sum(metric::kL2WriteBytes)),
                        metric::kL2MarginBytes);
    case MemoryLevel::kDram:
      break;
  }
  return WithMargin(job, path, sum(metric::kDramBytes), metric::kDramMarginBytes);
}

Value LastLevelMissBytes(const JobProfile& job, size_t path) {
  const Value misses = MetricSum(job, path, metric::kLastLevelMisses);
  if (!misses) return misses;
  double line_bytes = 64;
  for (const PassInfo& pass : job.run.passes) {
    const auto told = pass.facts.find("line_bytes");
    if (told != pass.facts.end()) line_bytes = std::strtod(told->second.c_str(), nullptr);
  }
  return Value::Of(*misses * line_bytes, std::max(misses.status, Status::kModelled), misses.origin);
}

Value Intensity(const Value& flops, const Value& bytes) {
  if (bytes && *bytes == 0) return Value::None(Reason::kNoBytesAtLevel, bytes.status);
  Value intensity = Combine(flops, bytes, [](double f, double b) { return f / b; });
  if (intensity && (bytes.within || flops.within)) {
    const auto over = [](double f, double b) {
      return b > 0 ? f / b : std::numeric_limits<double>::infinity();
    };
    const Bounds work = flops.within.value_or(Bounds{*flops, *flops});
    const Bounds moved = bytes.within.value_or(Bounds{*bytes, *bytes});
    intensity.within = Bounds{over(work.least, moved.most), over(work.most, moved.least)};
  }
  return intensity;
}

Value SlowestTime(const JobProfile& job, size_t path) {
  if (TimePass(job) == nullptr) return Value::None(Reason::kNoRealTimes);
  const Value sum = MetricSum(job, path, metric::kTimeNs);
  if (!sum) return sum;
  const double seconds = static_cast<double>(job.At(path, metric::kTimeNs).max) * 1e-9;
  const double half = static_cast<double>(job.At(path, metric::kTimeMarginNs).max) * 1e-9;
  return With(Value::Of(seconds, sum.status, sum.origin),
              MarginFor(job, path, sum, metric::kTimeMarginNs, half));
}

Value WallTime(const JobProfile& job) {
  const PassInfo* pass = TimePass(job);
  if (pass == nullptr) return Value::None(Reason::kNoRealTimes);
  if (!(pass->wall_s > 0)) return Value::None(Reason::kNoWallTime);
  return Value::Of(pass->wall_s, Status::kMeasured, "timer");
}

Value TimeShare(const JobProfile& job, size_t path) {
  const Value time = SlowestTime(job, path), wall = WallTime(job);
  if (!time || !wall) return time ? wall : time;
  return Value::Of(*time / *wall, time.status, time.origin);
}

Value MpiShare(const JobProfile& job, size_t path) {
  const Value inside = MetricSum(job, path, metric::kMpiNs);
  const Value all = MetricSum(job, path, metric::kTimeNs);
  if (all && *all <= 0) return Value::None(Reason::kNoTime);
  return Combine(inside, all, [](double mpi, double time) { return mpi / time; });
}

Value WaitingMpiShare(const JobProfile& job, size_t path) {
  const Value slowest = SlowestTime(job, path);
  const Value outside = MetricSum(job, path, metric::kOutsideMpiNs);
  if (!outside || !slowest || *slowest <= 0) return MpiShare(job, path);
  const double busiest = static_cast<double>(job.At(path, metric::kOutsideMpiNs).max) * 1e-9;
  return Value::Of(std::max(0.0, 1 - busiest / *slowest), outside.status, outside.origin);
}

bool MpiWorks(const JobProfile& job, size_t path, double copy_s) {
  constexpr double kMostOfIt = 0.5;
  if (job.run.ranks < 2) return true;
  const Cell& inside = job.At(path, metric::kMpiNs);
  return inside.ranks > 0 && copy_s * inside.ranks > kMostOfIt * inside.SumAsDouble() * 1e-9;
}

namespace {

// Of the ranks that were in the path, those that its cells name.
std::set<uint32_t> NamedRanks(const JobProfile& job, size_t path) {
  std::set<uint32_t> ranks;
  for (const MetricId id : {metric::kWorkers, metric::kVisits, metric::kTimeNs}) {
    const Cell& cell = job.At(path, id);
    if (cell.ranks > 0) ranks.insert({cell.min_rank, cell.max_rank});
  }
  return ranks;
}

// The most threads of a rank in the path. Ranks of other programs of the job may have more: of
// regions that not all ranks enter, those count that a rank of this one is known to enter, too.
uint32_t ThreadsOfItsRanks(const JobProfile& job, size_t path) {
  const auto is_in_all = [&job](const Cell& cell) { return cell.ranks >= job.run.ranks_merged; };
  if (is_in_all(job.At(path, metric::kWorkers)) || is_in_all(job.At(path, metric::kTimeNs))) {
    return job.run.threads_max;
  }
  const std::set<uint32_t> own = NamedRanks(job, path);
  uint64_t most = 0;
  for (size_t other = 0; other < job.paths.size(); ++other) {
    const Cell& workers = job.At(other, metric::kWorkers);
    if (workers.ranks == 0 || workers.max <= most) continue;
    const std::set<uint32_t> named = NamedRanks(job, other);
    const bool meet =
        is_in_all(workers) || std::any_of(named.begin(), named.end(),
                                          [&own](uint32_t rank) { return own.count(rank) != 0; });
    if (meet) most = std::max(most, own.count(workers.max_rank) != 0 ? workers.max : workers.min);
  }
  return static_cast<uint32_t>(most);
}

}  // namespace

uint32_t ThreadsBesideSerial(const JobProfile& job, size_t path) {
  constexpr double kAll = 0.98;
  if (job.run.threads_max < 2) return 0;
  const uint32_t most = ThreadsOfItsRanks(job, path), threads = most < 2 ? 0 : most;
  const Cell& workers = job.At(path, metric::kWorkers);
  if (workers.ranks > 0 && workers.max == 1) return threads;
  const Cell& parallel = job.At(path, metric::kParallelNs);
  if (parallel.ranks > 0 && parallel.max > 0) return 0;
  const Value flops = TotalFlops(job, path),
              busiest = MetricSum(job, path, metric::kWorkerFlopsMax);
  const bool alone = flops && busiest && *flops > 0 && *busiest >= kAll * *flops;
  return alone ? threads : 0;
}

Value OpenMpWaitShare(const JobProfile& job, size_t path) {
  const Value busy = MetricSum(job, path, metric::kOpenMpBusyNs);
  const Value waits = MetricSum(job, path, metric::kOpenMpWaitNs);
  const Value all = Plus(busy, waits);
  if (all && *all <= 0) return Value::None(Reason::kZeroEverywhere);
  return Combine(waits, all, [](double part, double whole) { return part / whole; });
}

Value OpenMpShare(const JobProfile& job, size_t path) {
  const Value time = MetricSum(job, path, metric::kTimeNs);
  if (time && *time <= 0) return Value::None(Reason::kNoTime);
  const Value together = Combine(
      MetricSum(job, path, metric::kParallelNs), MetricSum(job, path, metric::kOpenMpBusiestNs),
      [](double parallel, double busiest) { return std::max(0.0, parallel - busiest); });
  return Combine(together, time, [](double part, double whole) { return part / whole; });
}

Value KernelShare(const JobProfile& job, size_t path) {
  const Value system = MetricSum(job, path, metric::kSystemNs);
  const Value time = MetricSum(job, path, metric::kTimeNs);
  const Value workers = MetricSum(job, path, metric::kWorkers);
  if (!system || !time) return system ? time : system;
  if (*time <= 0) return Value::None(Reason::kNoTime);
  const uint32_t ranks = job.At(path, metric::kWorkers).ranks;
  const double each = workers && ranks > 0 ? std::max(1.0, *workers / ranks) : 1;
  return Combine(system, time, [each](double part, double whole) { return part / whole / each; });
}

Value InMpiInstructions(const JobProfile& job, size_t path) {
  return ShareOfInstructions(job, path, InMpi(metric::kInstructionsApart));
}

Value InRuntimeInstructions(const JobProfile& job, size_t path) {
  return ShareOfInstructions(job, path, InRuntime(metric::kInstructionsApart));
}

bool MayCountWaiting(const JobProfile& job, size_t path) {
  if (!MetricSum(job, path, metric::kInstructions)) return false;
  const auto untold = [&](MetricId apart) { return !MetricSum(job, path, apart); };
  return (job.run.ranks > 1 && untold(InMpi(metric::kInstructionsApart))) ||
         (job.At(path, metric::kWorkers).max > 1 && untold(InRuntime(metric::kInstructionsApart)));
}

Value MarkerShare(const JobProfile& job, size_t path) {
  // Visits of what was found are no pairs of markers.
  if (job.paths[path].kind == RegionKind::kFound) return Value::None(Reason::kNoRankHas);
  return Combine(MetricSum(job, path, metric::kMarkerNs), MetricSum(job, path, metric::kTimeNs),
                 [](double markers, double time) { return time > 0 ? markers / time : 0; });
}

Value BusyImbalance(const JobProfile& job, size_t path) {
  const Value slowest = SlowestTime(job, path);
  if (!slowest) return slowest;
  const Value busy = MetricSum(job, path, metric::kOutsideMpiNs);
  if (!busy) return busy;
  return MaxOverMean(static_cast<double>(job.At(path, metric::kOutsideMpiNs).max), *busy,
                     job.run.ranks_merged, busy);
}

Value TimeImbalance(const JobProfile& job, size_t path) {
  if (const Value busy = BusyImbalance(job, path)) return busy;
  const Value slowest = SlowestTime(job, path);
  if (!slowest) return slowest;
  const Cell& cell = job.At(path, metric::kTimeNs);
  return MaxOverMean(static_cast<double>(cell.max), cell.SumAsDouble(), job.run.ranks_merged,
                     slowest);
}

Value FlopImbalance(const JobProfile& job, size_t path) {
  const Value total = TotalFlops(job, path);
  if (!total) return total;
  // An older roofmark stored no total, but the ranks that stand out.
  const Cell& cell = job.At(path, metric::kFlops);
  const Spread& spread = job.SpreadAt(path, Drawn::kFlops);
  if (cell.ranks == 0 && spread.ranks == 0) {
    return Value::None(Reason::kNoRankTotals, total.status);
  }
  const uint64_t max = cell.ranks > 0 ? cell.max : spread.highest[0].value;
  return MaxOverMean(static_cast<double>(max), *total, job.run.ranks_merged, total);
}

Value WorkerImbalance(const JobProfile& job, size_t path) {
  const Value total = TotalFlops(job, path);
  if (!total) return total;
  const Value busiest = MetricSum(job, path, metric::kWorkerFlopsMax);
  if (!busiest) return busiest;
  const Value workers = MetricSum(job, path, metric::kWorkers);
  if (!workers) return workers;
  const Cell& entered = job.At(path, metric::kWorkers);
  const double absent = job.run.ranks_merged - entered.ranks;
  return MaxOverMean(static_cast<double>(job.At(path, metric::kWorkerFlopsMax).max), *total,
                     *workers + absent * static_cast<double>(entered.max), total);
}

Value ThreadTimeImbalance(const JobProfile& job, size_t path) {
  const Value parallel = MetricSum(job, path, metric::kParallelNs);
  const Value busy = MetricSum(job, path, metric::kOpenMpBusyNs);
  const Value waits = MetricSum(job, path, metric::kOpenMpWaitNs);
  const Value busiest = MetricSum(job, path, metric::kOpenMpBusiestNs);
  if (!parallel || !busy || !waits || !busiest) return parallel;
  if (*parallel <= 0) return Value::None(Reason::kZeroEverywhere);
  const double threads = (*busy + *waits) / *parallel;
  const Value outside_mpi = MetricSum(job, path, metric::kOutsideMpiNs);
  const Value time = outside_mpi ? outside_mpi : MetricSum(job, path, metric::kTimeNs);
  const double serial = time ? std::max(0.0, *time - *parallel) : 0;
  return MaxOverMean(serial + *busiest, serial + *busy, threads, busiest);
}

}  // namespace roofmark
