// SPDX-License-Identifier: BSD-3-Clause
#include "tests/lib/report/several_runs.h"

#include <fmt/format.h>

#include <cmath>

#include "tests/lib/model/model_machine.h"
#include "tests/lib/report/page_jobs.h"

namespace roofmark::test {
namespace {

constexpr uint32_t kRanks = 4;

void Multiply(JobProfile& job, size_t row, MetricId metric, double factor) {
  Cell& cell = job.At(row, metric);
  if (cell.ranks == 0) return;
  const uint32_t ranks = cell.ranks;
  const uint64_t value = static_cast<uint64_t>(static_cast<double>(cell.max) * factor);
  const Status status = job.sources[metric].status;
  Cell changed;
  for (uint32_t rank = 0; rank < ranks; ++rank) {
    changed = Combine(changed, Cell::Of(value, rank, status));
  }
  cell = changed;
}

// Times of executions that differ by up to 1 %.
void AddExecutions(JobProfile& job, size_t executions) {
  if (executions < 2) return;
  job.run.repeats_s.assign(executions, 100.0);
  for (size_t row = 0; row < job.paths.size(); ++row) {
    const double time_ns = static_cast<double>(job.At(row, metric::kTimeNs).max);
    for (size_t i = 0; i < executions; ++i) {
      const double off = 0.005 * (static_cast<double>(i % 3) - 1) + 0.001 * static_cast<double>(i);
      job.paths[row].repeats_ns.push_back(static_cast<uint64_t>(time_ns * (1 + off)));
    }
  }
}

ReportJob Analyzed(const std::string& name, JobProfile profile) {
  const Machine machine = ModelMachine();
  JobAnalysis analysis = Analyze(profile, &machine);
  return {name, std::move(profile), std::move(analysis)};
}

void Move(JobProfile& job, size_t row) {
  constexpr double kTimes[] = {0.5, 1.001, 0.8, 1.08, 3};
  Multiply(job, row, metric::kTimeNs, kTimes[row % 5]);
  if (row % 5 != 2) return;
  for (const MetricId metric :
       {metric::kDramReadBytes, metric::kDramWriteBytes, metric::kDramBytes}) {
    Multiply(job, row, metric, 0.25);
  }
}

bool IsLeaf(const JobProfile& job, size_t row) {
  return row + 1 == job.paths.size() ||
         !job.paths[row + 1].path.starts_with(job.paths[row].path + "/");
}

}  // namespace

TwoRuns RegionsThatMove(size_t regions, size_t executions) {
  JobProfile before = PageJob(regions, kRanks).profile, after = before;
  for (size_t row = 0; row < after.paths.size(); ++row) {
    Move(after, row);
    // Its name is then no longer that of the first run.
    if (row % 11 == 4 && IsLeaf(after, row)) after.paths[row].path += " anew";
  }
  AddExecutions(before, executions);
  AddExecutions(after, executions);
  return {Analyzed("before.json", std::move(before)), Analyzed("after.json", std::move(after))};
}

TwoRuns OneRegionSlower(double times) {
  JobProfile before = PageJob(1, kRanks).profile, after = before;
  Multiply(after, 0, metric::kTimeNs, times);
  AddExecutions(before, 5);
  AddExecutions(after, 5);
  return {Analyzed("before.json", std::move(before)), Analyzed("after.json", std::move(after))};
}

TwoRuns NothingMoves(size_t regions) {
  JobProfile job = PageJob(regions, kRanks).profile;
  AddExecutions(job, 5);
  return {Analyzed("before.json", job), Analyzed("after.json", job)};
}

ScaledJobs RegionsThatScale(size_t regions, ScalingKind kind) {
  ScaledJobs made;
  for (const uint32_t ranks : {1u, 2u, 4u, 8u}) {
    JobProfile job = PageJob(regions, ranks).profile;
    for (size_t row = 0; row < job.paths.size(); ++row) {
      // Amdahl's law, with a part that does not scale of 0 to 20 %.
      const double serial = 0.02 * static_cast<double>(row % 11);
      const double strong = serial + (1 - serial) / ranks;
      Multiply(job, row, metric::kTimeNs, kind == ScalingKind::kStrong ? strong : strong * ranks);
    }
    if (ranks == 4 && regions > 1) job.paths[1].path += " elsewhere";
    made.jobs.push_back(Analyzed(fmt::format("n{}.json", ranks), std::move(job)));
  }
  std::vector<ComparedRun> runs;
  for (const ReportJob& job : made.jobs) runs.push_back({job.profile, job.analysis});
  made.scaling = ScalingOf(runs, kind);
  return made;
}

PortedJobs RegionsThatArePorted(size_t regions) {
  PortedJobs made;
  std::vector<Platform> platforms;
  for (const double slower : {1.0, 1.4, 2.5}) {
    JobProfile job = PageJob(regions, kRanks).profile;
    for (size_t row = 0; row < job.paths.size(); ++row) {
      Multiply(job, row, metric::kTimeNs, slower + 0.1 * static_cast<double>(row % 3));
    }
    if (slower > 2 && regions > 1) job.paths[1].path += " elsewhere";
    made.jobs.push_back(
        Analyzed(fmt::format("platform{}.json", made.jobs.size() + 1), std::move(job)));
  }
  for (const ReportJob& job : made.jobs) platforms.push_back({&job.profile, &job.analysis});
  made.regions = PortabilityOf(platforms);
  return made;
}

}  // namespace roofmark::test
