// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace roofmark {
namespace {

std::string Percent(double share) {
  const double percent = share * 100;
  return fmt::format("{:.{}f} %", percent, percent > 0 && percent < 9.95 ? 1 : 0);
}

// Factors and lanes: two decimals below ten hide nothing that matters.
std::string Factor(double value) { return fmt::format("{:.{}f}", value, value < 9.95 ? 1 : 0); }

std::string Times(double gain) {
  return gain < 1.95 ? fmt::format("{:.2f}x", gain) : Factor(gain) + "x";
}

// The number behind it: see RegionInputs::extent.
std::string Extent(const RuntimeCeiling& ceiling, const RuntimeModel& region) {
  const double extent = *ceiling.extent;
  switch (ceiling.shortfall) {
    case Shortfall::kFmaBalance:
      return !region.kinds_told ? "this CPU does not tell fused operations apart"
                                : fmt::format("{} of the FLOPs are fused", Percent(extent));
    case Shortfall::kSimd:
      return fmt::format("{} of {} lanes used", Factor(extent), Factor(region.lanes_possible));
    case Shortfall::kDivides:
      return fmt::format("{} of the FLOPs are divisions or roots", Percent(extent));
    case Shortfall::kInstructionMix:
      return fmt::format("{} of the instructions do FLOPs", Percent(extent));
    case Shortfall::kIlp:
      return fmt::format("units idle in the {} of cycles not stalled on memory",
                         Percent(1 - extent));
    case Shortfall::kThreadImbalance:
      return fmt::format("the busiest thread does {}x the mean of its rank", Factor(extent));
    case Shortfall::kRankImbalance:
      return fmt::format("the busiest rank does {}x the mean", Factor(extent));
    case Shortfall::kPrefetch:
      return fmt::format("stalled on memory in {} of the cycles", Percent(extent));
    case Shortfall::kAffinity:
      return fmt::format("at least {} of the traffic crosses packages", Percent(extent));
    case Shortfall::kControllers:
      return fmt::format("the busiest memory controller moves {}x the mean", Factor(extent));
    case Shortfall::kConcurrency:
      return fmt::format("traffic comes from {} of the cores", Percent(extent));
    case Shortfall::kWriteAllocate:
      return fmt::format("{}{} of the traffic fetches lines that are then overwritten",
                         ceiling.gain.most > *ceiling.gain.least ? "up to " : "", Percent(extent));
    case Shortfall::kCapacity:
    case Shortfall::kConflict:
      return fmt::format("{} of the last level's misses", Percent(extent));
  }
  return {};
}

// Share of a path's time that lies in its children.
double TimeBelow(const JobProfile& job, const JobAnalysis& analysis, size_t path) {
  const Value& own = analysis.paths[path].time_s;
  if (!own || *own <= 0) return 0;
  double below = 0;
  const std::string prefix = job.paths[path].path + "/";
  auto at = std::lower_bound(
      job.paths.begin(), job.paths.end(), prefix,
      [](const PathInfo& info, const std::string& text) { return info.path < text; });
  for (; at != job.paths.end() && at->path.starts_with(prefix); ++at) {
    const Value& time = analysis.paths[static_cast<size_t>(at - job.paths.begin())].time_s;
    if (time && ParentPath(at->path) == job.paths[path].path) below += *time;
  }
  return below / *own;
}

// Left to the regions below it.
bool IsFrame(const JobProfile& job, const JobAnalysis& analysis, size_t path) {
  constexpr double kMostlyBelow = 0.5;
  return TimeBelow(job, analysis, path) > kMostlyBelow;
}

}  // namespace

std::string AdviceSentence(const RuntimeCeiling& ceiling, const RuntimeModel& region) {
  const ShortfallInfo& info = InfoOf(ceiling.shortfall);
  const double least = *ceiling.gain.least, most = ceiling.gain.most;
  const std::string gain = most > least * 1.01 && least < most
                               ? fmt::format("{} to {}", Times(least), Times(most))
                               : fmt::format("up to {}", Times(most));
  const std::string cure = IsFusedAlready(ceiling)
                               ? "additions beside them, which have pipes of their own, are"
                               : fmt::format("{} is", info.cure);
  return fmt::format("{}: {}; {} worth {}", info.label, Extent(ceiling, region), cure, gain);
}

std::vector<const RuntimeCeiling*> WorthCuring(const RuntimeModel& region) {
  std::vector<const RuntimeCeiling*> ranked;
  for (const RuntimeCeiling& ceiling : region.ceilings) {
    if (ceiling.rank > 0) ranked.push_back(&ceiling);
  }
  std::sort(ranked.begin(), ranked.end(),
            [](const RuntimeCeiling* a, const RuntimeCeiling* b) { return a->rank < b->rank; });
  return ranked;
}

std::vector<Advice> AdviceFor(const JobProfile& job, const JobAnalysis& analysis) {
  std::vector<Advice> all;
  for (size_t p = 0; p < analysis.paths.size(); ++p) {
    const PathAnalysis& path = analysis.paths[p];
    if (!path.time_s || path.waiting.waits || IsFrame(job, analysis, p)) continue;
    const Value& inside_mpi = path.mpi_share;
    const double works_s = *path.time_s * (1 - (inside_mpi ? *inside_mpi : 0));
    for (const RuntimeCeiling* ceiling : WorthCuring(path.runtime)) {
      const double gain = ceiling->gain.Middle();
      all.push_back({p, ceiling->shortfall, EaseOf(*ceiling), gain, works_s * (1 - 1 / gain),
                     AdviceSentence(*ceiling, path.runtime)});
    }
  }
  const auto score = [](const Advice& advice) {
    return std::llround(advice.saved_s * 1e9 / static_cast<double>(advice.ease));
  };
  std::stable_sort(all.begin(), all.end(),
                   [&](const Advice& a, const Advice& b) { return score(a) > score(b); });
  return all;
}

std::vector<size_t> WaitingRegions(const JobProfile& job, const JobAnalysis& analysis) {
  std::vector<size_t> waiting;
  for (size_t p = 0; p < analysis.paths.size(); ++p) {
    if (analysis.paths[p].waiting.waits && !IsFrame(job, analysis, p)) waiting.push_back(p);
  }
  std::stable_sort(waiting.begin(), waiting.end(), [&](size_t a, size_t b) {
    return *analysis.paths[a].time_s > *analysis.paths[b].time_s;
  });
  return waiting;
}

std::string MovesSentence(const RuntimeModel& region) {
  if (!region.attainable || region.binding.empty()) return {};
  const auto gain = [](const Value& value) -> std::string {
    if (!value) return "is worth more than this model can bound";
    if (*value < kLeastGain) return "gains nothing";
    return fmt::format("is worth at most {}", Times(*value));
  };
  return fmt::format("{} binds; moving right (more {}s per byte) {}, moving up {}", region.binding,
                     region.unit, gain(region.gain_right), gain(region.gain_up));
}

}  // namespace roofmark
