// SPDX-License-Identifier: BSD-3-Clause
#include "lib/profile/repeats.h"

#include <algorithm>
#include <numeric>

namespace roofmark {
namespace {

double WallOf(const JobProfile& job) {
  return job.run.passes.empty() ? 0 : job.run.passes.front().wall_s;
}

uint64_t TimeOf(const JobProfile& job, const std::string& path) {
  const int at = job.FindPath(path);
  return at < 0 ? 0 : job.At(static_cast<size_t>(at), metric::kTimeNs).max;
}

}  // namespace

JobProfile JoinRepeats(std::vector<JobProfile> executions) {
  if (executions.size() == 1) return std::move(executions.front());
  std::vector<size_t> order(executions.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return WallOf(executions[a]) < WallOf(executions[b]);
  });
  const size_t middle = order[(order.size() - 1) / 2];
  JobProfile joined = executions[middle];
  for (const JobProfile& one : executions) {
    joined.run.repeats_s.push_back(WallOf(one));
    for (PathInfo& info : joined.paths) info.repeats_ns.push_back(TimeOf(one, info.path));
    for (const std::string& warning : one.run.warnings) {
      std::vector<std::string>& all = joined.run.warnings;
      if (std::find(all.begin(), all.end(), warning) == all.end()) all.push_back(warning);
    }
  }
  return joined;
}

}  // namespace roofmark
