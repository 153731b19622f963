// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/dependences.h"

#include <algorithm>

#include "lib/model/work.h"

namespace roofmark {

Dependences DependencesOf(const JobProfile& job, size_t path, double clock_ghz) {
  Dependences result;
  Value& as_is = result.seconds.as_is;
  const Value cycles = MetricSum(job, path, metric::kDependenceCycles);
  as_is = MetricSum(job, path, metric::kWorkerDependenceCyclesMax);
  if (!as_is || !cycles) {
    as_is = as_is ? cycles : as_is;
    return result;
  }
  if (clock_ghz <= 0 || *cycles <= 0) {
    as_is = Value::None(*cycles <= 0 ? Reason::kNoWindow : Reason::kNoClock, cycles.status);
    return result;
  }
  const Cell& busiest = job.At(path, metric::kWorkerDependenceCyclesMax);
  const Cell& workers = job.At(path, metric::kWorkers);
  const double per_second = clock_ghz * 1e9;
  const auto seconds = [&](double number) {
    return Value::Of(number / per_second, cycles.status, cycles.origin);
  };
  const double most = static_cast<double>(busiest.max);
  const double a_rank = static_cast<double>(job.At(path, metric::kDependenceCycles).max) /
                        std::max(1.0, static_cast<double>(workers.max));
  as_is = seconds(most);
  result.seconds.even_ranks =
      seconds(std::min(most, busiest.SumAsDouble() / std::max(1u, job.run.ranks_merged)));
  result.seconds.even_threads = seconds(std::min(most, a_rank));
  result.even_s = std::min({*cycles / std::max(1.0, workers.SumAsDouble()) / per_second,
                            *result.seconds.even_ranks, *result.seconds.even_threads});
  for (size_t i = 0; i < kDependenceKinds; ++i) {
    const auto id = static_cast<MetricId>(metric::kDependenceFpCycles + i);
    result.share[i] = job.At(path, id).SumAsDouble() / *cycles;
  }
  return result;
}

void KeepBranchesWithin(double seconds, Dependences& dependences) {
  Balance& needed = dependences.seconds;
  if (!needed.as_is || *needed.as_is <= seconds) return;
  double& branches = dependences.share[static_cast<size_t>(Dependence::kBranch)];
  const double cut = std::min(branches, 1 - seconds / *needed.as_is), kept = 1 - cut;
  if (cut <= 0 || kept <= 0) return;
  branches -= cut;
  for (double& share : dependences.share) share /= kept;
  for (Value* value : {&needed.as_is, &needed.even_ranks, &needed.even_threads}) {
    if (*value) value->number = **value * kept;
  }
  dependences.even_s *= kept;
  dependences.branches_cut = true;
}

}  // namespace roofmark
