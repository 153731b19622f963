// SPDX-License-Identifier: BSD-3-Clause
#include "lib/report/rank_whiskers.h"

#include <algorithm>

namespace roofmark {
namespace {

constexpr double kVisible = 1.02;  // high over low

// With the dot in it: the mean may lie beyond percentiles. A chart has no place for 0.
Whisker Visible(const Whisker& whisker, double dot) {
  const bool shown = whisker.low > 0 && whisker.high >= kVisible * whisker.low;
  return shown ? Whisker{std::min(whisker.low, dot), std::max(whisker.high, dot)} : Whisker();
}

double At(const Spread& spread, double percentile) {
  return static_cast<double>(Percentile(spread, percentile));
}

}  // namespace

Whisker RateOverRanks(const JobProfile& job, size_t path, const PathAnalysis& analysis) {
  const Spread& flops = job.SpreadAt(path, Drawn::kFlops);
  const Value& time_s = analysis.time_s;
  if (flops.ranks < 2 || !analysis.gflops || !time_s || *time_s <= 0) return {};
  const double each = flops.ranks / *time_s * 1e-9;
  const double least = At(flops, kPercentiles.front()), most = At(flops, kPercentiles.back());
  return Visible({each * least, each * most}, *analysis.gflops);
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
  return Visible(whisker, *analysis.roof_intensity);
}

}  // namespace roofmark
