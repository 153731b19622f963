// SPDX-License-Identifier: BSD-3-Clause
#include "tests/lib/report/hostile_jobs.h"

#include "lib/profile/region_name.h"
#include "tests/lib/incore/made_up_loops.h"
#include "tests/lib/model/sample_machine.h"
#include "tests/lib/profile/sample_job.h"

namespace roofmark::test {

const std::string kHostile =
    "=1+\"'><script>x</script>]]>&\\,\x1b]0;t\x07\xC2\x9B"
    "31m\xE2\x80\xAE\xFF\r\n--";

namespace {

JobProfile HostileProfile(const std::string& text) {
  JobProfile job = EmptyJob(2, 1, 2);
  RunInfo& run = job.run;
  for (std::string* each : {&run.roofmark_version, &run.job_id, &run.mpi, &run.hosts[0].name,
                            &run.hosts[0].cpuset, &run.hosts[0].cpu, &run.hosts[0].kind}) {
    *each = text;
  }
  run.warnings = {text};
  run.ranks = 3;
  run.background = {{text, 0, 1, 1}};
  AddPass(job, "timer", 5);
  PassInfo& pass = run.passes[0];
  pass.collector = pass.start_time = text;
  pass.command = {text, text};
  pass.settings[text] = pass.facts[text] = text;
  job.rank_hosts = {{0, text}, {1, text}};
  for (const bool nested : {false, true}) {
    const std::string name = EscapeRegionName(text);
    const size_t row = AddPath(job, nested ? name + "/" + name : name);
    job.paths[row].file = job.paths[row].operation = text;
    job.paths[row].critical = {text, 1, 9, 10};
    for (MetricId m = 0; m < kMetrics; ++m) Set(job, row, m, {1'000'000'000, 700'000'000});
    for (size_t m = 0; m < kSpreads; ++m) {
      Spread spread = Spread::Of(1'000'000'000, 0, 1);
      Combine(spread, Spread::Of(100, 1, 1));
      job.spreads.push_back(spread);
    }
  }
  for (MetricId m = 0; m < kMetrics; ++m) {
    const bool measured = m % 7 != 3;
    job.sources[m] = {text, measured ? Status::kMeasured : Status::kDenied, text};
    if (IsUser(m)) job.sources[m].label = job.sources[m].unit = text;
  }
  DeviceInfo device;
  device.host = device.uuid = device.name = device.chip = text;
  device.processes = 2;
  for (size_t m = 0; m < kDeviceMetrics; ++m) {
    device.sources[m] = {m % 5 == 0 ? 1u : 2u, text};
  }
  for (const PathInfo& info : job.paths) device.rows.push_back({info.path, 1, 0, {1, 2, 3}});
  run.devices = {device};
  // One short enough for the head of a column.
  job.sources[UserMetric(0)].label = "<script>\"'";
  job.sources[UserMetric(0)].status = Status::kMeasured;
  return job;
}

// What the instructions are is read from bytes, so that no file can name them; here one does.
incore::LoopsView HostileLoops(const std::string& text) {
  HotLoops hot = MadeUpLoops();
  for (HotLoop& loop : hot.loops) {
    loop.module = loop.function = loop.name = loop.file = text;
    loop.uses = {{EscapeRegionName(text), loop.cpu_ns, loop.instructions}};
    for (HotBlock& block : loop.blocks) {
      for (HotLine& line : block.lines) line.file = text;
    }
  }
  incore::LoopsView views = incore::ViewLoops(hot);
  views.model = views.why_no_model = views.why_no_text = text;
  for (incore::LoopView& view : views.loops) {
    view.bound = incore::PortBound{1, 2, text, 1};
    for (incore::BlockView& block : view.blocks) {
      for (incore::InstructionView& at : block.instructions) at.code.text = text;
    }
  }
  views.loops.back().bound.reset();
  views.loops.back().why_no_bound = text;
  return views;
}

}  // namespace

Machine HostileMachine(const std::string& text) {
  Machine machine = SampleMachine();
  for (std::string* each :
       {&machine.cpu_vendor, &machine.cpu_model, &machine.microcode, &machine.kernel,
        &machine.firmware, &machine.cpuset, &machine.measured_at, &machine.effort}) {
    *each = text;
  }
  machine.warnings = machine.nodes = {text};
  for (CeilingCurve& ceiling : machine.ceilings) {
    ceiling.label = ceiling.note = text;
    for (MachinePoint& point : ceiling.curve) point.variant = text;
  }
  return machine;
}

std::string LongHostile() {
  constexpr size_t kBytes = 4096;
  std::string text;
  while (text.size() + kHostile.size() < kBytes) text += kHostile;
  return text + std::string(kBytes - text.size(), 'x');
}

std::vector<ReportJob> HostileJobs(const std::string& text) {
  const Machine machine = HostileMachine(text);
  JobProfile profile = HostileProfile(text);
  JobAnalysis analysis = Analyze(profile, &machine);
  const ReportJob job = {text, std::move(profile), std::move(analysis), HostileLoops(text)};
  return {job, job};
}

}  // namespace roofmark::test
