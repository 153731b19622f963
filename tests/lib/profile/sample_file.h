// SPDX-License-Identifier: BSD-3-Clause
#ifndef ROOFMARK_TESTS_LIB_PROFILE_SAMPLE_FILE_H_
#define ROOFMARK_TESTS_LIB_PROFILE_SAMPLE_FILE_H_

#include "lib/profile/roofline_json.h"
#include "tests/lib/profile/sample_job.h"

namespace roofmark::test {

// A file in which every kind of member has a value.
inline RooflineFile SampleFile() {
  RooflineFile file;
  JobProfile& job = file.job = EmptyJob(3, 2);
  job.run.warnings = {"rank 2 wrote \"quotes\" and \xE9"};
  AddPass(job, "timer", 2.5);
  job.run.passes[0].facts["cache"] = "L1:48K:12";
  const size_t solve = AddPath(job, "solve");
  const size_t inner = AddPath(job, "solve/a\\/b", RegionKind::kThread);
  Set(job, solve, metric::kVisits, {1, 1, 1}, "timer");
  Set(job, solve, metric::kTimeNs, {100, 200, 301}, "timer", Status::kScaled);
  Set(job, inner, metric::kVisits, {7}, "timer");
  for (MetricId m = 0; m < kFlopClasses; ++m) Set(job, solve, m, {0, 0, 0});
  Set(job, solve, kDp256Fma, {UINT64_MAX, UINT64_MAX, 5});
  job.At(solve, kDpScalarAdd) = Cell();
  Set(job, solve, UserMetric(2), {4, 5, 6}, "perf_event");
  MetricSource& user = job.sources[UserMetric(2)];
  user.label = "uncore_imc/cas_count_read/";
  user.unit = "bytes";
  user.scope = Scope::kPackage;
  job.run.background = {{"node1", 1, 4096, 0.5}};
  file.machines = {"{\"format\": \"roofmark-machine\", \"version\": 1}"};
  return file;
}

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_LIB_PROFILE_SAMPLE_FILE_H_
