// SPDX-License-Identifier: BSD-3-Clause
//
// Small jobs with numbers that can be checked by hand, for the tests of every layer that reads one.
#ifndef ROOFMARK_TESTS_LIB_PROFILE_SAMPLE_JOB_H_
#define ROOFMARK_TESTS_LIB_PROFILE_SAMPLE_JOB_H_

#include <string>
#include <vector>

#include "lib/profile/profile.h"

namespace roofmark::test {

// A job without paths: `ranks` ranks of `threads` threads on one host with `cpus` CPUs. Every
// metric is unsupported, with a reason.
inline JobProfile EmptyJob(uint32_t ranks, uint32_t threads = 1, uint32_t cpus = 4) {
  JobProfile job;
  job.run.roofmark_version = "0.1.0";
  job.run.job_id = "4711";
  job.run.ranks = job.run.ranks_merged = ranks;
  job.run.threads_max = threads;
  job.run.hosts.push_back({"node1", ranks, "0-" + std::to_string(cpus - 1), cpus});
  for (MetricSource& source : job.sources) {
    source = {"", Status::kUnsupported, "no collector of this run counts it"};
  }
  return job;
}

inline void AddPass(JobProfile& job, const std::string& collector, double wall_s) {
  PassInfo pass;
  pass.collector = collector;
  pass.command = {"./app", "--size", "8"};
  pass.start_time = "2026-01-02T03:04:05Z";
  pass.wall_s = wall_s;
  pass.times_are_real = collector != "counting";
  job.run.passes.push_back(pass);
}

// Paths must be added in order.
inline size_t AddPath(JobProfile& job, const std::string& path,
                      RegionKind kind = RegionKind::kTeam) {
  job.paths.push_back({path, "app.c", 10 + static_cast<uint32_t>(job.paths.size()), kind});
  job.cells.InsertRow(job.cells.rows());
  return job.paths.size() - 1;
}

// One value per rank, from rank 0 on.
inline void Set(JobProfile& job, size_t path, MetricId metric, const std::vector<uint64_t>& values,
                const std::string& origin = "counting", Status status = Status::kMeasured) {
  job.sources[metric] = {origin, status, ""};
  Cell cell;
  for (uint32_t rank = 0; rank < values.size(); ++rank) {
    cell = Combine(cell, Cell::Of(values[rank], rank, status));
  }
  job.At(path, metric) = cell;
}

inline constexpr MetricId kDpScalarAdd =
    FlopMetric(Precision::kDouble, Width::kScalar, FlopKind::kAdd);
inline constexpr MetricId kDp256Fma = FlopMetric(Precision::kDouble, Width::k256, FlopKind::kFma);

}  // namespace roofmark::test

#endif  // ROOFMARK_TESTS_LIB_PROFILE_SAMPLE_JOB_H_
