// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/advice.h"

#include <algorithm>
#include <cmath>

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

// Left to the regions below it.
bool IsFrame(const JobProfile& job, const JobAnalysis& analysis, size_t path) {
  constexpr double kMostlyBelow = 0.5;
  return TimeBelow(job, analysis, path) > kMostlyBelow;
}

}  // namespace

std::vector<const Ceiling*> WorthCuring(const RuntimeModel& region) {
  std::vector<const Ceiling*> ranked;
  for (const Ceiling& ceiling : region.ceilings) {
    if (ceiling.rank > 0) ranked.push_back(&ceiling);
  }
  std::sort(ranked.begin(), ranked.end(),
            [](const Ceiling* a, const Ceiling* b) { return a->rank < b->rank; });
  return ranked;
}

std::vector<Advice> AdviceFor(const JobProfile& job, const JobAnalysis& analysis) {
  std::vector<Advice> all;
  for (size_t p = 0; p < analysis.paths.size(); ++p) {
    const PathAnalysis& path = analysis.paths[p];
    if (!path.time_s || path.waiting.waits() || IsFrame(job, analysis, p)) continue;
    const Value& inside_mpi = path.mpi_share;
    const double works_s = *path.time_s * (1 - (inside_mpi ? *inside_mpi : 0));
    for (const Ceiling* ceiling : WorthCuring(path.runtime)) {
      const double gain = ceiling->gain.Middle();
      all.push_back({p, ceiling->shortfall, EaseOf(*ceiling), gain, works_s * (1 - 1 / gain)});
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
    if (analysis.paths[p].waiting.waits() && !IsFrame(job, analysis, p)) waiting.push_back(p);
  }
  std::stable_sort(waiting.begin(), waiting.end(), [&](size_t a, size_t b) {
    return *analysis.paths[a].time_s > *analysis.paths[b].time_s;
  });
  return waiting;
}

}  // namespace roofmark
