// SPDX-License-Identifier: BSD-3-Clause
#include "command/run/expectation.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

#include "lib/core/metric.h"
#include "lib/profile/region_name.h"
#include "lib/profile/whole.h"

namespace roofmark::cli {
namespace {

// Run time over native run time of one thread, least and most of the kernels that were measured:
// docs/results/amd-epyc-family-26-2-cpus-2026-11/slowdown.md. Integer code that stays in registers
// takes least: its memory accesses are few, and those are what caches are simulated for.
struct Slowdown {
  std::string_view count;
  bool sampled;
  double least, most;
};
constexpr Slowdown kSlowdowns[] = {{"flops", false, 2.4, 28},
                                   {"cache", false, 3, 80},
                                   {"cache", true, 3, 62},
                                   {"threec", false, 3, 98}};

// The same for the native engine, which executes all threads at once (engine_slowdown.md there);
// code that the kernels do not have, such as many short calls, takes longer. Bursts:
// first_roofline.md.
constexpr Slowdown kNativeSlowdowns[] = {
    {"flops", false, 1, 8}, {"cache", true, 1, 20}, {"cache", false, 3, 60}};
constexpr Slowdown kBursts = {"cache", true, 1, 10};
constexpr double kNativeStart = 0.1;

// The engine's own start and end, of each process.
constexpr double kStart = 1;

// A visit's two boundaries, in seconds: the engine is told where it is. Least and most that were
// measured, idle and on a machine with four times as many threads as CPUs.
constexpr Expectation kVisit = {2e-6, 20e-6}, kNativeVisit = {3e-6, 20e-6};

// Sampling lines makes nothing faster but the model of all caches.
const Slowdown& SlowdownOf(std::string_view count, bool sampled) {
  const bool fewer_lines = sampled && count == "cache";
  return *std::find_if(
      std::begin(kSlowdowns), std::prev(std::end(kSlowdowns)),
      [&](const Slowdown& row) { return row.count == count && row.sampled == fewer_lines; });
}

// nullptr: it does not count that.
const Slowdown* NativeSlowdown(const WorkExtent& extent) {
  if (extent.bursts && extent.count == kBursts.count) return &kBursts;
  for (const Slowdown& row : kNativeSlowdowns) {
    const bool fits = row.sampled == extent.sampled || extent.count == "flops";
    if (row.count == extent.count && fits) return &row;
  }
  return nullptr;
}

double WallOfTime(const JobProfile& time) {
  return time.run.passes.empty() ? 0 : time.run.passes[0].wall_s;
}

double VisitsOfARank(const JobProfile& time) {
  double visits = 0;
  for (size_t p = 0; p < time.paths.size(); ++p) visits += time.At(p, metric::kVisits).mean;
  return visits;
}

// The engine executes one thread at a time. Least and most of: processor time of a rank over its
// wall time. One figure where threads' time in parallel regions was measured.
Expectation ThreadsAtOnce(const JobProfile& time) {
  const double threads = std::max<double>(1, time.run.threads_max);
  const double wall_ns = WallOfTime(time) * 1e9;
  if (time.whole.empty() || wall_ns <= 0) return {1, threads};
  const ConstCellRow program{time.whole, static_cast<size_t>(WholeRow::kProgram)};
  const Cell &busy = program[metric::kOpenMpBusyNs], &parallel = program[metric::kParallelNs];
  if (busy.ranks == 0 || parallel.ranks == 0) return {1, threads};
  const double all = wall_ns - static_cast<double>(parallel.max) + static_cast<double>(busy.max);
  const double at_once = std::clamp(all / wall_ns, 1.0, threads);
  return {at_once, at_once};
}

// What a rank does in the time pass: it waits (for input, a server, a CPU), or its threads work.
// Waiting takes as long under an engine.
struct RankTime {
  double waits_s = 0;
  Expectation works_at_once;  // of all threads together: least and most
  double works_s = 0;         // while any of them does
};

RankTime TimeOfARank(const JobProfile& time) {
  const double wall_s = WallOfTime(time);
  const Expectation threads = ThreadsAtOnce(time);
  RankTime rank{0, {wall_s * threads.least_s, wall_s * threads.most_s}, wall_s};
  const Cell& cpu = time.run.kernel.cpu_ns;
  if (cpu.ranks == 0) return rank;
  const double cpu_s = static_cast<double>(cpu.max) * 1e-9;
  rank.waits_s = std::max(0.0, wall_s - cpu_s);
  rank.works_s = std::min(wall_s, cpu_s);
  rank.works_at_once.least_s = std::min(rank.works_at_once.least_s, cpu_s);
  rank.works_at_once.most_s = std::min(rank.works_at_once.most_s, cpu_s);
  return rank;
}

}  // namespace

std::vector<double> OwnTimesNs(const JobProfile& time) {
  std::vector<double> own(time.paths.size());
  for (size_t p = 0; p < own.size(); ++p) {
    const double all = time.At(p, metric::kTimeNs).mean;
    own[p] += all;
    const int above = time.FindPath(ParentPath(time.paths[p].path));
    if (above >= 0) own[static_cast<size_t>(above)] -= all;
  }
  for (double& each : own) each = std::max(0.0, each);
  return own;
}

// The engine rests once 8 K visits in a row were not to be modelled (markers/sampling.cc); a region
// that is entered seldom wakes it at each of its visits.
double ModelledShare(const JobProfile& time, uint64_t first_visits) {
  if (first_visits == 0) return 1;
  constexpr double kPatience = 8;
  const auto k = static_cast<double>(first_visits);
  double visits = 0, modelled = 0, seldom = 0;
  for (size_t p = 0; p < time.paths.size(); ++p) {
    const double of_path = time.At(p, metric::kVisits).mean;
    visits += of_path;
    modelled += std::min(k, of_path);
    if (of_path <= k) seldom += of_path;
  }
  if (visits <= 0) return 1;
  const double share = std::min(1.0, (modelled + kPatience * k * (1 + seldom)) / visits);
  const std::vector<double> own = OwnTimesNs(time);
  double all = 0, in_model = 0;
  for (size_t p = 0; p < own.size(); ++p) {
    all += own[p];
    in_model += own[p] * (time.At(p, metric::kVisits).mean <= k ? 1 : share);
  }
  return all > 0 ? in_model / all : 1;
}

Expectation ExpectWork(const JobProfile& time, const WorkExtent& extent) {
  const double visits = VisitsOfARank(time);
  const Slowdown& whole = SlowdownOf(extent.count, extent.sampled);
  const Slowdown& cheap = SlowdownOf("flops", false);
  const double share = extent.count == "flops" ? 1 : ModelledShare(time, extent.first_visits);
  const RankTime rank = TimeOfARank(time);
  if (const Slowdown* row = extent.native ? NativeSlowdown(extent) : nullptr; row != nullptr) {
    const double fixed_s = kNativeStart + rank.waits_s;
    return {fixed_s + rank.works_s * row->least + visits * kNativeVisit.least_s,
            fixed_s + rank.works_s * row->most + visits * kNativeVisit.most_s};
  }
  const double least = share * whole.least + (1 - share) * cheap.least;
  const double most = share * whole.most + (1 - share) * cheap.most;
  const double fixed_s = kStart + rank.waits_s;
  return {fixed_s + rank.works_at_once.least_s * least + visits * kVisit.least_s,
          fixed_s + rank.works_at_once.most_s * most + visits * kVisit.most_s};
}

std::string Duration(double seconds) {
  constexpr double kMinute = 60, kHour = 3600;
  if (seconds < 10) return fmt::format("{:.1f} s", seconds);
  if (seconds < 2 * kMinute) return fmt::format("{:.0f} s", seconds);
  if (seconds < 2 * kHour) return fmt::format("{:.0f} min", seconds / kMinute);
  return fmt::format("{:.1f} h", seconds / kHour);
}

std::string Describe(const Expectation& expectation) {
  return fmt::format("{} to {}", Duration(expectation.least_s), Duration(expectation.most_s));
}

}  // namespace roofmark::cli
