// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/rank_whiskers.h"

#include <algorithm>

namespace roofmark {
namespace {

constexpr double kVisible = 1.02;  // high over low

Whisker Visible(const Whisker& whisker) {
  const bool shown = whisker.low > 0 && whisker.high >= kVisible * whisker.low;
  return shown ? whisker : Whisker();
}

double At(const Spread& spread, double percentile) {
  return static_cast<double>(Percentile(spread, percentile));
}

}  // namespace

Whisker RateOverRanks(const JobProfile& job, size_t path, const PathAnalysis& analysis) {
  const Spread& time = job.SpreadAt(path, Drawn::kTime);
  if (time.ranks < 2 || !analysis.total_flops) return {};
  const double fast = At(time, kPercentiles.front()), slow = At(time, kPercentiles.back());
  if (fast <= 0 || slow <= 0) return {};
  // FLOPs per nanosecond are GFLOP/s.
  return Visible({*analysis.total_flops / slow, *analysis.total_flops / fast});
}

Whisker IntensityOverRanks(const JobProfile& job, size_t path, const PathAnalysis& analysis) {
  const Spread& flops = job.SpreadAt(path, Drawn::kFlops);
  const Spread& bytes = job.SpreadAt(path, Drawn::kDramBytes);
  if (flops.ranks < 2 || flops.ranks != bytes.ranks || !analysis.roof_intensity) return {};
  Whisker whisker;
  for (const double percentile : kPercentiles) {
    const double moved = At(bytes, percentile), done = At(flops, percentile);
    if (moved <= 0 || done <= 0) return {};
    const double intensity = done / moved;
    whisker.low = whisker.low == 0 ? intensity : std::min(whisker.low, intensity);
    whisker.high = std::max(whisker.high, intensity);
  }
  return Visible(whisker);
}

}  // namespace roofmark
