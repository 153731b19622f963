// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <optional>

#include "lib/core/clock.h"
#include "lib/core/cpu_name.h"
#include "lib/core/engine_facts.h"
#include "lib/core/frequency.h"
#include "lib/core/messages/recording.h"
#include "lib/core/thread.h"
#include "lib/fold/fold.h"
#include "lib/profile/forked_facts.h"
#include "markers/recorder.h"
#include "markers/runtime/device_profile.h"
#include "markers/runtime/output.h"
#include "markers/runtime/page_facts.h"
#include "markers/runtime/process.h"
#include "markers/runtime/turn_times.h"
#include "markers/runtime/warnings.h"
#include "markers/runtime/worker_sums.h"

namespace roofmark::runtime {

bool TimesAreReal(const Process& self) {
  return self.choice.counter == nullptr || self.choice.counter->TimesAreReal();
}

uint32_t RankOf(const Process& self) {
  return self.job ? self.job->rank : self.launcher.rank.value_or(0);
}

bool IsOfOtherMpi(const Process& self) {
  return self.job && self.job->ranks == 1 && self.launcher.ranks.value_or(1) > 1;
}

std::string OutputPattern(const Process& self) {
  return self.settings.output.empty() ? std::string("roofmark-%j.json") : self.settings.output;
}

std::string OutputName(const Process& self, uint32_t rank) {
  const std::string name = ExpandName(OutputPattern(self), rank, self.launcher.job_id);
  return IsForked(self) ? BeforeExtension(name, fmt::format(".child{}", self.pid)) : name;
}

namespace {

using markers::Recorder;

constexpr char kNotTimes[] = "times of a program that is counted in this way are not valid";

void AddOpen(const std::vector<markers::OpenVisit>& open, std::vector<ThreadPathTotals>& totals) {
  for (const markers::OpenVisit& visit : open) {
    if (visit.path >= totals.size()) continue;  // opened since the paths were looked at
    ThreadPathTotals& own = totals[visit.path];
    ++own.visits;
    own.measured += visit.measured ? 1 : 0;
    own.ticks += visit.ticks;
  }
}

// What is known at the end only loses its source in `profile`.
void AddCounts(Collector& counter, Until until, FoldInput& input, JobProfile& profile) {
  input.outside_is_counted = counter.CountsOutside();
  input.workers_have_every_visit = counter.CountsEveryVisit();
  WorkerSums sums(Recorder::Get().turns(), input);
  if (until == Until::kEnd) return counter.Harvest(sums);
  for (const OfferedMetric& later : counter.HarvestSoFar(sums)) {
    MetricSource& source = profile.sources[later.metric];
    source.origin.clear();
    source.status = later.status;
    source.reason = later.reason;
  }
}

Status OfSampledVisits(const Process& self) {
  const bool all = self.settings.visits.AreAll();
  return all ? Status::kMeasured : Status::kScaled;
}

// Says whether the time inside MPI is known.
void AdoptMpiTime(const Process& self, JobProfile& profile) {
  MetricSource source;
  if (!Recorder::TimesMpi()) {
    source.reason =
        self.job ? "time inside MPI was not measured: use `roofmark run` without `--no-mpi-wait`, "
                   "or preload libroofmark_mpi_wait.so"
                 : "the process used no MPI, or one that is linked into the program itself, whose "
                   "calls cannot be seen";
  } else if (!TimesAreReal(self)) {
    source.reason = kNotTimes;
  } else {
    source = {"mpi_wait", OfSampledVisits(self), ""};
  }
  profile.sources[metric::kMpiNs] = profile.sources[metric::kOutsideMpiNs] = source;
}

// Likewise for the time of threads in parallel regions.
void AdoptOpenMpTime(const Process& self, JobProfile& profile) {
  MetricSource source;
  if (!Recorder::TimesOpenMp()) {
    source.reason =
        "no parallel region of OpenMP was measured: there was none, or libroofmark_openmp_wait.so "
        "was not preloaded, as `roofmark run` does";
  } else if (!TimesAreReal(self)) {
    source.reason = kNotTimes;
  } else {
    source = {"openmp_wait", OfSampledVisits(self), ""};
  }
  for (MetricId id = metric::kParallelNs; id <= metric::kOpenMpWaitNs; ++id) {
    profile.sources[id] = source;
  }
}

// Likewise for what the kernel did.
void AdoptKernel(const Process& self, JobProfile& profile) {
  MetricSource source;
  if (TimesAreReal(self)) {
    source = {"kernel", OfSampledVisits(self), ""};
  } else {
    source.reason = kNotTimes;
  }
  for (MetricId id = metric::kPageFaults; id <= metric::kPreemptions; ++id) {
    profile.sources[id] = source;
  }
  if (TimesAreReal(self)) source = {"timer", Status::kMeasured, ""};
  profile.sources[metric::kLongestVisitNs] = source;
}

// Only where visits take turns is it known how far times can be wrong.
void AdoptMarginOfTime(JobProfile& profile) {
  if (Recorder::Get().turns().on()) {
    profile.sources[metric::kTimeMarginNs] = profile.sources[metric::kTimeNs];
  }
}

// Who follows layers is told of them by the wrappers alone.
void AdoptLayers(const Process& self, JobProfile& profile) {
  if (self.choice.counter == nullptr || !self.choice.counter->FollowsLayers()) return;
  const auto adopt = [&](MetricId first, MetricId last, MetricId told_with) {
    const MetricSource& told = profile.sources[told_with];
    for (MetricId id = first; told.origin.empty() && id <= last; ++id) {
      profile.sources[id] = {"", told.status, told.reason};
    }
  };
  adopt(metric::kFirstInMpi, metric::kFirstInRuntime - 1, metric::kMpiNs);
  adopt(metric::kFirstInRuntime, metric::kLastInRuntime, metric::kParallelNs);
}

// Where each metric comes from.
void AdoptSources(const Process& self, JobProfile& profile) {
  profile.sources = self.choice.sources;
  AdoptMpiTime(self, profile);
  AdoptOpenMpTime(self, profile);
  AdoptKernel(self, profile);
  AdoptMarginOfTime(profile);
  AdoptLayers(self, profile);
}

// What the markers know.
FoldInput GatherVisits(const Process& self, const std::vector<markers::OpenVisit>& open) {
  Recorder& recorder = Recorder::Get();
  FoldInput input;
  input.nodes = recorder.paths().Snapshot();
  for (const PathNode& node : input.nodes) {
    input.names.push_back(recorder.names().Text(node.name));
  }
  recorder.records().ForEach([&](const markers::ThreadRecord& record) {
    std::vector<ThreadPathTotals> totals(input.nodes.size());
    for (uint32_t p = 0; p < input.nodes.size(); ++p) {
      if (const markers::Accumulator* accumulator = record.FindAccumulator(p)) {
        const markers::Totals current = accumulator->Current();
        totals[p].visits = current.visits;
        totals[p].measured = current.measured;
        totals[p].ticks = current.ticks;
      }
      if (const markers::DeclaredWork* work = record.FindWork(p)) {
        totals[p].declared_flops = work->flops.load(std::memory_order_relaxed);
        totals[p].declared_bytes = work->bytes.load(std::memory_order_relaxed);
        totals[p].operations = work->operations.load(std::memory_order_relaxed);
        totals[p].operation = work->kind.load(std::memory_order_relaxed);
        input.dropped_operations += work->dropped.load(std::memory_order_relaxed);
        totals[p].pauses = work->pauses.load(std::memory_order_relaxed);
        totals[p].mpi_ticks = work->mpi_ticks.load(std::memory_order_relaxed);
        totals[p].parallel_ticks = work->parallel_ticks.load(std::memory_order_relaxed);
        totals[p].team_ticks = work->team_ticks.load(std::memory_order_relaxed);
        totals[p].busy_ticks = work->busy_ticks.load(std::memory_order_relaxed);
        totals[p].busiest_ticks = work->busiest_ticks.load(std::memory_order_relaxed);
        totals[p].kernel = {work->page_faults.load(std::memory_order_relaxed),
                            work->system_ns.load(std::memory_order_relaxed),
                            work->preemptions.load(std::memory_order_relaxed)};
        totals[p].longest_ticks = work->longest_ticks.load(std::memory_order_relaxed);
        if (totals[p].operation != 0) {
          input.operations[totals[p].operation] = recorder.names().Text(totals[p].operation);
        }
      }
    }
    if (&record == markers::t_record) AddOpen(open, totals);
    input.threads.push_back(std::move(totals));
  });
  input.ns_per_tick = NsPerTick(recorder.started());
  input.rank = RankOf(self);
  return input;
}

// Where the main thread never came to markers, the first one that did stands for it.
TakenTurns TurnsOf(const Recorder& recorder) {
  TakenTurns taken{recorder.turns()};
  size_t thread = 0;
  recorder.records().ForEach([&](const markers::ThreadRecord& record) {
    if (record.is_main) taken.main_thread = thread;
    ++thread;
  });
  return taken;
}

RunInfo DescribeRun(const Process& self) {
  RunInfo run;
  run.roofmark_version = ROOFMARK_VERSION_TEXT;
  run.job_id = self.launcher.job_id;
  run.ranks = self.job ? self.job->ranks : self.launcher.ranks.value_or(1);
  run.first_rank = RankOf(self);
  run.mpi = self.job ? self.job->mpi : "";
  run.hosts = {ThisHost()};
  if (TimesAreReal(self)) run.hosts.front().cpu = CpuName();
  PassInfo pass;
  pass.collector = self.choice.name;
  pass.command = CommandLine();
  pass.start_time = self.start_time;
  pass.wall_s = static_cast<double>(NowNs() - self.start_ns) * 1e-9;
  pass.settings = self.settings.given;
  pass.facts = DispatchFacts();
  if (TimesAreReal(self)) AddPageFacts(pass.facts);
  if (!self.launcher.name.empty()) pass.facts["launcher"] = self.launcher.name;
  if (IsOfOtherMpi(self)) pass.facts[kOtherMpiFact] = self.launcher.name;
  if (!self.choice.why_no_counters.empty()) {
    pass.facts[kNoCountersFact] = self.choice.why_no_counters;
  }
  if (IsForked(self)) {
    pass.facts[kForkedFromFact] = std::to_string(self.forked_from);
    pass.facts[kForkedProcessFact] = std::to_string(self.pid);
    pass.facts[kForkedAtFact] = fmt::format("{:.6f}", static_cast<double>(self.start_ns) * 1e-9);
  }
  if (!self.samples_fact.empty()) pass.facts["samples"] = self.samples_fact;
  pass.times_are_real = TimesAreReal(self);
  if (self.choice.counter != nullptr) pass.facts.merge(self.choice.counter->Facts());
  run.passes = {std::move(pass)};
  return run;
}

// Where times are not the program's, nor are the markers'.
void Calibrate(const Process& self, Until until, FoldInput& input, JobProfile& profile) {
  MetricSource& source = profile.sources[metric::kMarkerNs];
  if (until == Until::kNow) {
    source.reason = "markers are calibrated when recording ends";
    return;
  }
  if (!TimesAreReal(self)) {
    source.reason = kNotTimes;
    return;
  }
  const double ticks = Recorder::Get().PairTicks(self.settings.sync_node);
  input.marker_pair_ps = static_cast<uint64_t>(ticks * input.ns_per_tick * 1e3);
  if (input.marker_pair_ps == 0) {
    source.reason = "there was not enough memory to calibrate the markers";
    return;
  }
  source = {"timer", Status::kModelled, ""};
  profile.run.cost.marker_pair_ps = Cell::Of(input.marker_pair_ps, input.rank, Status::kModelled);
}

void AddBackground(const Process& self, RunInfo& run) {
  if (self.choice.counter == nullptr) return;
  for (const Background& each : self.choice.counter->BackgroundTraffic()) {
    run.background.push_back(
        {run.hosts.front().name, each.package, each.bytes, static_cast<double>(each.ns) * 1e-9});
  }
}

KernelUse KernelUseOf(const Process& self, const FoldInput& input, Until until) {
  if (!input.kernel) return {};
  const uint32_t rank = input.rank;
  KernelUse use;
  use.system_ns = Cell::Of(input.kernel->system_ns, rank, Status::kMeasured);
  use.page_faults = Cell::Of(input.kernel->page_faults, rank, Status::kMeasured);
  if (const std::optional<uint64_t> cpu_ns = ProcessCpuNs()) {
    use.cpu_ns = Cell::Of(*cpu_ns, rank, Status::kMeasured);
  }
  if (const auto waited = LongestWaitSince(self.run_queue_at_start, ReadRunQueueWaits())) {
    use.run_queue_ns = Cell::Of(*waited, rank, Status::kMeasured);
  }
  if (const auto peak = PeakResidentBytes()) {
    use.resident_bytes = Cell::Of(*peak, rank, Status::kMeasured);
  }
  if (until == Until::kEnd) {
    if (const double ghz = CoreGhz(); ghz > 0) {
      use.clock_khz = Cell::Of(static_cast<uint64_t>(ghz * 1e6), rank, Status::kMeasured);
    }
  }
  return use;
}

}  // namespace

JobProfile DescribeProcess(const Process& self) {
  JobProfile profile;
  profile.run = DescribeRun(self);
  profile.run.warnings = Warnings(self, {}, Until::kNow);
  AdoptSources(self, profile);
  return profile;
}

JobProfile BuildProfile(Process& self, Until until) {
  Recorder& recorder = Recorder::Get();
  std::vector<std::string> still_open;
  std::vector<markers::OpenVisit> open;
  if (until == Until::kEnd) {
    using After = Recorder::After;
    still_open = recorder.Stop(self.ended_in_finalize ? After::kCounts : After::kIsOff);
  } else {
    open = recorder.OpenVisits(UsersTicks());
    for (const markers::OpenVisit& visit : open) still_open.push_back(visit.name);
  }
  JobProfile profile;
  AdoptSources(self, profile);
  FoldInput input = GatherVisits(self, open);
  const bool in_turns = recorder.turns().on();
  const uint64_t counting_ticks = in_turns ? TakeOutCounting(TurnsOf(recorder), input) : 0;
  if (self.choice.counter != nullptr) AddCounts(*self.choice.counter, until, input, profile);
  profile.run = DescribeRun(self);
  if (in_turns) JudgeTurns(TurnsOf(recorder), counting_ticks, input, profile.run.passes[0]);
  AddBackground(self, profile.run);
  profile.run.warnings = Warnings(self, still_open, until);
  const auto& facts = profile.run.passes[0].facts;
  if (const auto incomplete = facts.find(kIncompleteFact); incomplete != facts.end()) {
    profile.run.warnings.push_back(InWords(message::kCountsAreIncomplete, incomplete->second));
  }
  if (input.dropped_operations > 0) {
    profile.run.warnings.push_back(
        self.settings.regions.empty()
            ? InWords(message::kOperationsLeftOut, input.dropped_operations)
            : InWords(message::kOperationsMovedOut, input.dropped_operations));
  }
  if (until == Until::kEnd && self.choice.counter != nullptr) {
    AddDevices(*self.choice.counter, input, profile.run);
  }
  Calibrate(self, until, input, profile);
  input.program_ns = static_cast<uint64_t>(std::llround(profile.run.passes[0].wall_s * 1e9));
  if (TimesAreReal(self)) {
    input.kernel = ReadKernelCounts(KernelCountsOf::kProcess).Since(self.kernel_at_start);
  }
  Fold(input, profile);
  for (size_t p = 0; p < profile.paths.size(); ++p) {
    profile.run.threads_max = std::max<uint32_t>(
        profile.run.threads_max, static_cast<uint32_t>(profile.At(p, metric::kWorkers).max));
  }
  FillSpreads(profile);
  profile.run.kernel = KernelUseOf(self, input, until);
  DescribeNode(self.launcher.local_rank.value_or(0) == 0, profile.run);
  OwnCost& cost = profile.run.cost;
  cost.startup_ns = Cell::Of(self.startup_ns, input.rank, Status::kMeasured);
  cost.finalize_ns = Cell::Of(FinalizeNs(), input.rank, Status::kMeasured);
  if (until == Until::kEnd && self.settings.detail == "threads") {
    self.threads = std::make_unique<ThreadRows>(std::move(input), profile.sources);
  }
  return profile;
}

}  // namespace roofmark::runtime
