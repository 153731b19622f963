// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/analysis.h"

#include <algorithm>

#include "lib/model/node_kinds.h"
#include "lib/model/phases.h"
#include "lib/profile/whole.h"

namespace roofmark {
namespace {

void AddWork(const JobProfile& job, size_t path, PathAnalysis& out) {
  for (size_t p = 0; p < kPrecisions; ++p) {
    out.flops[p] = FlopsOf(job, path, static_cast<Precision>(p));
  }
  out.total_flops = TotalFlops(job, path);
  out.miss_bytes = LastLevelMissBytes(job, path);
  for (MemoryLevel level : kAllLevels) {
    out.traffic_bytes[static_cast<size_t>(level)] = Traffic(job, path, level);
  }
}

// Which work may be what the program declared.
struct MayBeDeclared {
  bool flops = true, bytes = true;
};

// Declared work stands in where nothing was measured, and keeps its status.
void AddDeclared(const JobProfile& job, size_t path, MayBeDeclared may, PathAnalysis& out) {
  const Value flops = MetricSum(job, path, metric::kDeclaredFlops);
  const Value bytes = MetricSum(job, path, metric::kDeclaredBytes);
  if (may.flops && !out.total_flops && flops && *flops > 0) out.total_flops = flops;
  if (may.bytes && !out.traffic_bytes[kDramLevel] && bytes && *bytes > 0) {
    out.traffic_bytes[kDramLevel] = bytes;
  }
}

// Of the program as a whole, which is no more than what its regions declare: where one of them was
// measured, it would be less than its own part.
MayBeDeclared OfWhole(const std::vector<PathAnalysis>& regions) {
  const auto measured = [&regions](auto value) {
    return std::any_of(regions.begin(), regions.end(), [value](const PathAnalysis& region) {
      const Value& one = value(region);
      return one && one.status != Status::kDeclared;
    });
  };
  return {.flops = !measured([](const PathAnalysis& region) { return region.total_flops; }),
          .bytes = !measured(
              [](const PathAnalysis& region) { return region.traffic_bytes[kDramLevel]; })};
}

Value Efficiency(const Value& gflops, const Value& attainable) {
  if (gflops && *gflops == 0) return Value::None(Reason::kNoFlops, gflops.status);
  return Combine(gflops, attainable, [](double p, double a) { return p / a; });
}

Value GigaRate(const Value& amount, const Value& time_s) {
  if (time_s && *time_s == 0) {
    return Value::None(Reason::kTooShort, time_s.status);
  }
  const auto rate = [](double n, double s) { return n / s * 1e-9; };
  Value value = Combine(amount, time_s, rate);
  if (value && (amount.within || time_s.within)) {
    const Bounds work = amount.within.value_or(Bounds{*amount, *amount});
    const Bounds time = time_s.within.value_or(Bounds{*time_s, *time_s});
    value.within = Bounds{rate(work.least, time.most), rate(work.most, time.least)};
  }
  return value;
}

// Seconds of the region's work at what its mix can attain.
Value AttainableTime(const PathAnalysis& path) {
  const bool flops = path.runtime.unit == "FLOP";
  const Value& work = flops ? path.total_flops : path.operations;
  const Value& attainable = path.runtime.attainable;
  if (attainable && *attainable <= 0) return Value::None(Reason::kNoKnownResource);
  if (!attainable && path.runtime.needed_s) return path.runtime.needed_s;
  return Combine(work, attainable, [](double n, double giga) { return n * 1e-9 / giga; });
}

TimeShares TimeSharesOf(const JobProfile& job, size_t path, const PathAnalysis& out) {
  return {WaitingMpiShare(job, path), out.openmp_share, out.kernel_share};
}

// The roof without FMA is no bound of code that fuses: it may be passed.
void VoidBrokenEfficiencies(const Uncertainty& by, PathAnalysis& out) {
  for (Value* efficiency : {&out.efficiency, &out.verdict.top_efficiency}) {
    if (!*efficiency || !IsBroken(**efficiency, by)) continue;
    out.above_bound = std::max(out.above_bound, **efficiency);
    *efficiency = AboveTime(**efficiency);
  }
}

void AddModel(const JobProfile& job, size_t path, const JobModel& model, PathAnalysis& out) {
  const RegionInputs inputs = InputsOf(job, path, model);
  out.runtime = RuntimeCeilingsOf(inputs, model);
  out.waiting = WaitingOf(job, path, inputs, model);
  const double time = out.time_uncertainty = TimeUncertainty(job.paths[path], out.time_s);
  const auto uncertain = [&](const std::string& binding, const Roof& roof) {
    const double counts = CountUncertainty(binding, out.traffic_bytes);
    return Uncertainty{time, (1 + roof.noise) * (1 + counts) - 1};
  };
  out.split = SplitTime(out.time_s, TimeSharesOf(job, path, out), AttainableTime(out),
                        uncertain(out.runtime.binding, out.runtime.roof));
  if (out.split.BoundIsAboveTime()) {
    out.above_bound = out.split.Excess();
    WithoutBound(out.split.needed_s.reason, out.runtime);
  }
  out.verdict = VerdictOf(inputs,
                          {out.runtime, out.gflops, MetricSum(job, path, metric::kDeclaredFlops),
                           out.ceiling.height.least, out.intensity},
                          model);
  out.bound.roof = RoofBehind(out.bound.binding, inputs, model.roofs);
  VoidBrokenEfficiencies(uncertain(out.bound.binding, out.bound.roof), out);
  out.limit = LimitOf(out.split, out.waiting, out.runtime);
  KeepKind(out.limit.Kind(), out.verdict);
}

// Every number that needs a machine says why there is none.
void AddNothing(const JobProfile& job, size_t path, const Why& why, PathAnalysis& out) {
  out.ceiling = {.origin = CeilingOrigin::kMix, .id = CeilingId::kMix};
  Verdict& verdict = out.verdict;
  for (Value* value :
       {&out.ceiling.height.least, &out.bound.attainable_gflops, &out.efficiency,
        &out.runtime.attainable, &out.runtime.dependences.seconds.as_is, &out.runtime.gain_up,
        &out.runtime.gain_right, &out.waiting.busy_share, &verdict.ridge_point,
        &verdict.top_attainable_gflops, &verdict.top_efficiency, &verdict.no_fma_efficiency,
        &verdict.dram_gbs, &verdict.canonical_flops, &verdict.canonical_gflops,
        &verdict.measured_over_canonical, &verdict.flops_at_cost, &verdict.gflops_at_cost}) {
    *value = Value::None(why);
  }
  verdict.level_gflops.fill(Value::None(why));
  constexpr double kUnknownCopies = 0;
  out.waiting.mpi_works = MpiWorks(job, path, kUnknownCopies);
  out.split = SplitTime(out.time_s, TimeSharesOf(job, path, out), Value::None(why));
  out.limit = LimitOf(out.split, out.waiting, out.runtime);
}

// In scalar arithmetic; 0: not measured.
double LowestClock(const Machine& machine) {
  const CeilingCurve* clock = machine.Find("clock.scalar");
  if (clock == nullptr || clock->curve.empty()) return 0;
  return std::min_element(clock->curve.begin(), clock->curve.end(),
                          [](const auto& a, const auto& b) { return a.value < b.value; })
      ->value;
}

// What all paths are held against, or why there is nothing.
struct Against {
  std::optional<JobModel> model;
  Why why_none;
};

PathAnalysis AnalyzePath(const JobProfile& job, size_t path, const Against& against,
                         MayBeDeclared may_be_declared = {}) {
  PathAnalysis out;
  out.visits = MetricSum(job, path, metric::kVisits);
  out.time_s = SlowestTime(job, path);
  out.time_share = TimeShare(job, path);
  AddWork(job, path, out);
  AddDeclared(job, path, may_be_declared, out);
  out.gflops = GigaRate(out.total_flops, out.time_s);
  out.operations = MetricSum(job, path, metric::kDeclaredOperations);
  out.operation_rate = GigaRate(out.operations, out.time_s);
  for (size_t l = 0; l < kMemoryLevels; ++l) {
    out.intensity[l] = Intensity(out.total_flops, out.traffic_bytes[l]);
  }
  out.roof_intensity = out.intensity[kDramLevel];
  out.time_imbalance = TimeImbalance(job, path);
  out.mpi_share = MpiShare(job, path);
  out.openmp_share = OpenMpShare(job, path);
  out.kernel_share = KernelShare(job, path);
  out.page_faults = MetricSum(job, path, metric::kPageFaults);
  out.openmp_waits = OpenMpWaitShare(job, path);
  out.thread_imbalance = ThreadTimeImbalance(job, path);
  out.flop_imbalance = FlopImbalance(job, path);
  out.worker_imbalance = WorkerImbalance(job, path);
  if (!against.model) {
    AddNothing(job, path, against.why_none, out);
    return out;
  }
  const JobModel& model = *against.model;
  out.ceiling = FitCeiling(model.roofs, job, path);
  if (out.total_flops && *out.total_flops == 0) {
    out.bound.attainable_gflops = Value::None(Reason::kNoFlops);
  } else {
    out.bound = Attainable(model.roofs, out.ceiling.height.least, out.intensity);
    // Cache-resident: no byte of DRAM, so that DRAM cannot bind and has no intensity.
    if (!out.traffic_bytes[kDramLevel]) {
      out.bound = {Value::None(out.traffic_bytes[kDramLevel].reason), ""};
    }
  }
  out.efficiency = Efficiency(out.gflops, out.bound.attainable_gflops);
  AddModel(job, path, model, out);
  return out;
}

AnalyzedKind DescribeKind(const NodeKind& nodes, const RunInfo& run) {
  AnalyzedKind kind;
  kind.key = nodes.key;
  kind.cpu = nodes.cpu;
  kind.hosts = nodes.hosts;
  if (nodes.machine == nullptr) return kind;
  kind.measured = true;
  kind.machine = TitleOf(*nodes.machine);
  kind.machine_key = KindOf(*nodes.machine);
  kind.machine_cpu = nodes.machine->cpu_model;
  kind.machine_cpus = nodes.machine->threads;
  kind.machine_ghz = LowestClock(*nodes.machine);
  kind.contradictions = nodes.machine->contradictions;
  for (const ActiveHost& host : ActiveHosts(*nodes.machine, run, nodes.hosts))
    kind.cores += host.cores;
  return kind;
}

// A sum without some of the nodes would be no roof of the job.
Why WhyNoRoof(const std::vector<NodeKind>& kinds, const RunInfo& run) {
  std::vector<size_t> without;
  for (const NodeKind& kind : kinds) {
    if (kind.machine == nullptr)
      without.insert(without.end(), kind.hosts.begin(), kind.hosts.end());
  }
  std::sort(without.begin(), without.end());
  if (without.size() == run.hosts.size()) return Reason::kNoMachine;
  return {Reason::kNoMachineOfNodes, HostNames(run, without)};
}

}  // namespace

Bound Attainable(const JobRoofs& roofs, const Value& ceiling_gflops,
                 const std::array<Value, kMemoryLevels>& intensity) {
  if (!ceiling_gflops) return {ceiling_gflops, ""};
  if (intensity[kDramLevel] && !roofs.bandwidth[kDramLevel]) {
    return {Value::None(Reason::kNoDramBandwidth), ""};
  }
  Bound bound = {ceiling_gflops, "compute"};
  // From the slowest level on, so that equals are told as the outermost.
  for (size_t i = kMemoryLevels; i-- > 0;) {
    if (!intensity[i] || !roofs.bandwidth[i]) continue;
    const double memory_gflops = roofs.bandwidth[i]->value * *intensity[i];
    Value& best = bound.attainable_gflops;
    const Status status = std::max(best.status, intensity[i].status);
    const std::string origin = JoinOrigins(best.origin, intensity[i].origin);
    const bool binds = memory_gflops < *best;
    best = Value::Of(binds ? memory_gflops : *best, status, origin);
    if (binds) bound.binding = LevelName(static_cast<MemoryLevel>(i));
  }
  return bound;
}

JobAnalysis Analyze(const JobProfile& job, std::span<const Machine> machines) {
  JobAnalysis analysis;
  std::vector<NodeKind> kinds = NodeKindsOf(job.run);
  AssignMachines(machines, kinds);
  Against against;
  if (AllHaveMachines(kinds)) {
    against.model.emplace(kinds, job.run);
    analysis.roofs = against.model->roofs;
  } else {
    against.why_none = WhyNoRoof(kinds, job.run);
  }
  for (const DeviceInfo& device : job.run.devices) {
    analysis.devices.push_back(DeviceRoofsOf(device, machines));
  }
  for (const NodeKind& kind : kinds) analysis.kinds.push_back(DescribeKind(kind, job.run));
  for (size_t p = 0; p < job.paths.size(); ++p) {
    analysis.paths.push_back(AnalyzePath(job, p, against));
  }
  const JobProfile whole = WholeOf(job);
  const MayBeDeclared may_be_declared = OfWhole(analysis.paths);
  for (size_t p = 0; p < whole.paths.size(); ++p) {
    analysis.whole.push_back(AnalyzePath(whole, p, against, may_be_declared));
  }
  // Without a machine only times are known, which add up.
  if (!against.model) return analysis;
  LimitByPhases(
      job, [&](const JobProfile& one, size_t path) { return AnalyzePath(one, path, against); },
      analysis);
  return analysis;
}

const AnalyzedKind* KindOfHost(const JobAnalysis& analysis, size_t host) {
  for (const AnalyzedKind& kind : analysis.kinds) {
    if (std::binary_search(kind.hosts.begin(), kind.hosts.end(), host)) return &kind;
  }
  return nullptr;
}

}  // namespace roofmark
