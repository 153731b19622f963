// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/repeats.h"

#include <algorithm>

namespace roofmark {
namespace {

std::optional<TimeInterval> Spanned(const std::vector<double>& seconds) {
  if (seconds.size() < 2) return std::nullopt;
  const auto [least, most] = std::minmax_element(seconds.begin(), seconds.end());
  return TimeInterval{*least, *most};
}

}  // namespace

std::optional<TimeInterval> RunRepeats(const JobProfile& job) { return Spanned(job.run.repeats_s); }

std::vector<double> ExecutionTimes(const PathInfo& path) {
  std::vector<double> seconds;
  for (const uint64_t ns : path.repeats_ns) {
    if (ns > 0) seconds.push_back(static_cast<double>(ns) * 1e-9);
  }
  return seconds;
}

std::optional<TimeInterval> RepeatsOf(const PathInfo& path) {
  return Spanned(ExecutionTimes(path));
}

double Noise(const PathInfo& path) {
  const std::optional<TimeInterval> times = RepeatsOf(path);
  return times ? (times->most - times->least) / 2 : 0;
}

}  // namespace roofmark
