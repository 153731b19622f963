// SPDX-License-Identifier: BSD-3-Clause
#include "tests/lib/report/hostile_jobs.h"

#include "lib/profile/region_name.h"
#include "tests/lib/model/sample_machine.h"
#include "tests/lib/profile/sample_job.h"

namespace roofmark::testing {

const std::string kHostile =
    "=1+\"'><script>x</script>]]>&\\,\x1b]0;t\x07\xC2\x9B"
    "31m\xE2\x80\xAE\xFF\r\n--";

namespace {

JobProfile HostileProfile() {
  JobProfile job = EmptyJob(2, 1, 2);
  RunInfo& run = job.run;
  for (std::string* text : {&run.roofmark_version, &run.job_id, &run.mpi, &run.hosts[0].name,
                            &run.hosts[0].cpuset, &run.hosts[0].cpu, &run.hosts[0].kind}) {
    *text = kHostile;
  }
  run.warnings = {kHostile};
  run.ranks = 3;
  run.background = {{kHostile, 0, 1, 1}};
  AddPass(job, "timer", 5);
  PassInfo& pass = run.passes[0];
  pass.collector = pass.start_time = kHostile;
  pass.command = {kHostile, kHostile};
  pass.settings[kHostile] = pass.facts[kHostile] = kHostile;
  job.rank_hosts = {{0, kHostile}, {1, kHostile}};
  for (const bool nested : {false, true}) {
    const std::string name = EscapeRegionName(kHostile);
    const size_t row = AddPath(job, nested ? name + "/" + name : name);
    job.paths[row].file = job.paths[row].operation = kHostile;
    job.paths[row].critical = {kHostile, 1, 9, 10};
    for (MetricId m = 0; m < kMetrics; ++m) Set(job, row, m, {1'000'000'000, 700'000'000});
    for (size_t m = 0; m < kSpreads; ++m) {
      Spread spread = Spread::Of(1'000'000'000, 0, 1);
      Combine(spread, Spread::Of(100, 1, 1));
      job.spreads.push_back(spread);
    }
  }
  for (MetricId m = 0; m < kMetrics; ++m) {
    const bool measured = m % 7 != 3;
    job.sources[m] = {kHostile, measured ? Status::kMeasured : Status::kDenied, kHostile};
    if (IsUser(m)) job.sources[m].label = job.sources[m].unit = kHostile;
  }
  // One short enough for the head of a column.
  job.sources[UserMetric(0)].label = "<script>\"'";
  job.sources[UserMetric(0)].status = Status::kMeasured;
  return job;
}

}  // namespace

Machine HostileMachine() {
  Machine machine = SampleMachine();
  for (std::string* text :
       {&machine.cpu_vendor, &machine.cpu_model, &machine.microcode, &machine.kernel,
        &machine.firmware, &machine.cpuset, &machine.measured_at, &machine.effort}) {
    *text = kHostile;
  }
  machine.warnings = machine.nodes = {kHostile};
  for (CeilingCurve& ceiling : machine.ceilings) {
    ceiling.label = ceiling.note = kHostile;
    for (MachinePoint& point : ceiling.curve) point.variant = kHostile;
  }
  return machine;
}

std::vector<ReportJob> HostileJobs() {
  const Machine machine = HostileMachine();
  JobProfile profile = HostileProfile();
  JobAnalysis analysis = Analyze(profile, &machine);
  const ReportJob job = {kHostile, std::move(profile), std::move(analysis)};
  return {job, job};
}

}  // namespace roofmark::testing
