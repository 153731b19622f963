// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/advice.h"

#include <algorithm>
#include <cmath>

#include "lib/model/repeats.h"
#include "lib/model/uncertainty.h"

namespace roofmark {
namespace {

// Share of a path's time that lies in its children.
double TimeBelow(const JobProfile& job, const JobAnalysis& analysis, size_t path) {
  const Value& own = analysis.paths[path].time_s;
  if (!own || *own <= 0) return 0;
  double below = 0;
  const std::string prefix = JoinPath(job.paths[path].path, "");
  auto at = std::lower_bound(
      job.paths.begin(), job.paths.end(), prefix,
      [](const PathInfo& info, const std::string& text) { return info.path < text; });
  for (; at != job.paths.end() && at->path.starts_with(prefix); ++at) {
    const Value& time = analysis.paths[static_cast<size_t>(at - job.paths.begin())].time_s;
    if (time && ParentPath(at->path) == job.paths[path].path) below += *time;
  }
  return below / *own;
}

// If times are certain, and roofs up to their noise.
TimeInterval SavedIfCertain(const Ceiling& ceiling, const PathAnalysis& path, double noise) {
  const TimeSplit& split = path.split;
  const double least_gain = std::max(1.0, *ceiling.gain.least / (1 + noise));
  const double most_gain = ceiling.gain.most * (1 + noise);
  double least = split.needed_s ? *split.needed_s * (1 - 1 / least_gain) : 0;
  const double most = std::max(least, split.Usable() * (1 - 1 / most_gain));
  if (!path.limit.beside.empty()) {
    least = std::clamp(*split.needed_s - ceiling.apart_s * (1 + noise), 0.0, least);
  }
  if (path.limit.what == LimitedBy::kUnexplained || ceiling.may_give_nothing) least = 0;
  return {least, most};
}

void AddCures(size_t p, const PathAnalysis& path, std::vector<Advice>& all) {
  constexpr double kNobodyKnows = 0.5;
  const bool known = path.split.needed_s && path.limit.beside.empty();
  double explained = known ? path.split.Explained() : kNobodyKnows;
  // What limits it hides what is fixed, or does not.
  if (path.limit.what == LimitedBy::kUnexplained) explained *= kNobodyKnows;
  for (const Ceiling* ceiling : WorthCuring(path.runtime)) {
    const TimeInterval certain = SavedIfCertain(*ceiling, path, 0);
    const double likely = ceiling->may_give_nothing ? kNobodyKnows * explained : explained;
    all.push_back({.path = p,
                   .shortfall = ceiling->shortfall,
                   .gain = ceiling->gain.Middle(),
                   .ease = EaseOf(*ceiling),
                   .saves = SavedBy(*ceiling, path),
                   .expected_s = likely * certain.most + (1 - likely) * certain.least});
  }
}

void AddPossible(size_t p, AdviceKind kind, double most, std::vector<Advice>& all) {
  if (most <= 0) return;
  all.push_back({.path = p,
                 .kind = kind,
                 .ease = Ease::kRestructuring,
                 .saves = {0, most},
                 .expected_s = most / 2});
}

// Of a region that waits, all but what its arithmetic and its traffic need.
double WaitingSeconds(const PathAnalysis& path) {
  const WaitingFor what = path.waiting.what;
  if (what != WaitingFor::kMpiUntimed && what != WaitingFor::kUnknown) {
    const double waits = path.waiting.mpi_works ? 0 : path.split.inside_mpi_s;
    return waits + path.split.in_openmp_s;
  }
  const Value& busy = path.waiting.busy_share;
  return path.split.time_s * (1 - (busy ? *busy : 0));
}

// Seconds of the region's time that nothing explains, if that is more than measurements spread by.
// Two resources that fill the time together do explain it.
double UnexplainedSeconds(const PathAnalysis& path) {
  constexpr double kMuch = 0.3;  // of the time outside MPI
  const TimeSplit& split = path.split;
  if (!split.unexplained_s || !path.limit.beside.empty()) return 0;
  return *split.unexplained_s > kMuch * split.Usable() ? *split.unexplained_s : 0;
}

}  // namespace

TimeInterval SavedBy(const Ceiling& ceiling, const PathAnalysis& path) {
  TimeInterval saves = SavedIfCertain(ceiling, path, ceiling.noise);
  // Seconds of a roof's noise are not the work's, even where the gain does not depend on it.
  saves.least /= 1 + path.runtime.roof.noise;
  return Widened(saves, path.time_uncertainty, path.split.Usable());
}

std::vector<const Ceiling*> WorthCuring(const RuntimeModel& region) {
  std::vector<const Ceiling*> ranked;
  for (const Ceiling& ceiling : region.ceilings) {
    if (ceiling.rank > 0) ranked.push_back(&ceiling);
  }
  std::sort(ranked.begin(), ranked.end(),
            [](const Ceiling* a, const Ceiling* b) { return a->rank < b->rank; });
  return ranked;
}

int64_t ScoreOf(const Advice& advice) {
  return std::llround(advice.expected_s * 1e9 / static_cast<double>(advice.ease));
}

bool IsFrame(const JobProfile& job, const JobAnalysis& analysis, size_t path) {
  constexpr double kMostlyBelow = 0.5;
  return TimeBelow(job, analysis, path) > kMostlyBelow;
}

std::vector<Advice> AdviceFor(const JobProfile& job, const JobAnalysis& analysis) {
  constexpr double kLeastShare = 0.01;  // of the run
  const Value wall = WallTime(job);
  const double least = wall ? kLeastShare * *wall : 0;
  std::vector<Advice> all;
  for (size_t p = 0; p < analysis.paths.size(); ++p) {
    const PathAnalysis& path = analysis.paths[p].Advised();
    if (!path.time_s || IsFrame(job, analysis, p)) continue;
    AddPossible(p, AdviceKind::kWaiting, WaitingSeconds(path), all);
    if (path.waiting.waits()) continue;
    AddPossible(p, AdviceKind::kKernel, path.split.in_kernel_s, all);
    if (path.waiting.mpi_works) AddPossible(p, AdviceKind::kMpiWork, path.split.inside_mpi_s, all);
    AddCures(p, path, all);
    AddPossible(p, AdviceKind::kUnexplained, UnexplainedSeconds(path), all);
  }
  std::erase_if(all, [&](const Advice& advice) {
    return advice.expected_s < std::max(least, Noise(job.paths[advice.path]));
  });
  std::stable_sort(all.begin(), all.end(),
                   [](const Advice& a, const Advice& b) { return ScoreOf(a) > ScoreOf(b); });
  return all;
}

}  // namespace roofmark
