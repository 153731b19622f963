// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/measure.h"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "benchmarks/machine/again.h"
#include "benchmarks/machine/compute_kernels.h"
#include "benchmarks/machine/memory_limit.h"
#include "benchmarks/machine/memory_plan.h"
#include "benchmarks/machine/numa_memory.h"
#include "benchmarks/machine/other_load.h"
#include "benchmarks/machine/publish.h"
#include "benchmarks/machine/sweep.h"
#include "benchmarks/machine/tasks.h"
#include "lib/core/cgroup.h"
#include "lib/core/clock.h"
#include "lib/core/cpu_list.h"
#include "lib/model/machine_identity.h"

namespace roofmark {
namespace {

std::string UtcNow() {
  const time_t now = time(nullptr);
  tm utc;
  gmtime_r(&now, &utc);
  char text[32];
  strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

// Names of the widths that this CPU computes with.
std::vector<std::string> UsableWidths() {
  std::vector<std::string> names;
  Width widest = Width::kScalar;
  for (const ComputeKernel& kernel : ComputeKernels()) widest = std::max(widest, kernel.width);
  for (const auto& width : kWidthNames) {
    if (width.id <= widest) names.emplace_back(width.name);
  }
  return names;
}

// Hardware threads that share a core with one that measures are among them.
std::set<uint32_t> CpusOf(const Topology& topology) {
  std::set<uint32_t> cpus;
  for (const std::string& list : topology.package_cpus) cpus.merge(ParseCpuList(list));
  return cpus;
}

// More cores than a quota grants would be stopped again and again.
Topology Within(const std::optional<double>& quota, Topology topology) {
  if (!quota || *quota >= static_cast<double>(topology.cores.size())) return topology;
  topology.cores.resize(std::max<size_t>(1, static_cast<size_t>(*quota)));
  return topology;
}

class Measurement {
 public:
  Measurement(const MeasureOptions& options, Progress& progress, Topology topology)
      : options_(options),
        plan_(PlanOf(options.effort)),
        progress_(progress),
        quota_(CpuQuota()),
        topology_(Within(quota_, std::move(topology))),
        team_(topology_.cores),
        sampler_(team_, plan_.sample_seconds),
        other_load_(CpusOf(topology_)) {}

  Result<Machine> Run() {
    Describe();
    if (!FindLevels()) return Error{"there is not enough memory to measure"};
    MakeSlabs();
    MakeTasks();
    Rounds(0, plan_.seconds);
    MeasureContradictionsAgain();
    progress_.Update(1, 0, "done");
    return Measured(Stopped());
  }

 private:
  // Shares of the time: from when on the first round hurries, and when it gives up.
  static constexpr double kHurry = 0.6, kOverrun = 1.4;
  // Share of the time for finding DRAM, and by how much its rate may change with the working set.
  static constexpr double kGrowing = 0.3, kFlat = 0.1;
  static constexpr double kKeepSeconds = 4;
  // How often contradictory points are measured again, and the share of the time that each may
  // take.
  static constexpr int kMostTries = 2;
  static constexpr double kAgain = 0.25;

  double Elapsed() const { return static_cast<double>(NowNs() - begin_ns_) * 1e-9; }
  bool Stopped() const { return options_.stop != nullptr && options_.stop->load(); }
  void Tell(std::string_view what) {
    const double elapsed = Elapsed();
    progress_.Update(std::min(1.0, elapsed / plan_.seconds), std::max(0.0, plan_.seconds - elapsed),
                     what);
  }

  void Describe() {
    FillIdentity(machine_);
    machine_.effort = EffortName(options_.effort);
    machine_.measured_at = UtcNow();
    machine_.packages = topology_.packages();
    machine_.package_cpus = topology_.package_cpus;
    machine_.cores = static_cast<uint32_t>(topology_.cores.size());
    machine_.threads = topology_.threads;
    machine_.numa_nodes = topology_.numa;
    machine_.isa = UsableWidths();
    const std::set<uint32_t> unbound(team_.unbound().begin(), team_.unbound().end());
    if (!unbound.empty()) {
      machine_.warnings.push_back(
          fmt::format("threads could not be bound to CPU {}: several threads may have shared a CPU",
                      FormatCpuList(unbound)));
    }
    if (quota_ && *quota_ < machine_.threads) {
      machine_.warnings.push_back(fmt::format(
          "a quota of this process's cgroup grants the time of {:.3g} CPUs: measured with at most "
          "{} core{}",
          *quota_, machine_.cores, machine_.cores == 1 ? "" : "s"));
    }
  }

  // The first slab, which reaches DRAM, and the plateaus below: what is fast for programs that ask
  // for no huge pages. False: no memory.
  bool FindLevels() {
    const uint64_t most = std::min(plan_.most_dram_bytes, allowance_ / 2);
    const uint64_t surely = DramBytes(topology_, most);
    uint64_t bytes = std::min(surely, plan_.first_dram_bytes);
    std::vector<Buffer> slabs;
    for (;;) {
      Tell("cache levels");
      slabs.clear();  // before the larger ones are made
      if (bytes == 0 || !AppendSlabs(team_, {bytes}, {0}, &slabs, Pages::kUsual)) return false;
      Sweep(sampler_, slabs, options_.stop, &sweep_);
      const bool deep = bytes >= surely || EndsInDram(sweep_, Plateaus());
      if (Stopped() || (deep && EndsFlat(sweep_, kFlat))) break;
      if (2 * bytes > most || Elapsed() > plan_.seconds * kGrowing) break;
      bytes *= 2;
    }
    if (!Stopped()) NameLevels();
    slabs.clear();
    return AppendSlabs(team_, {bytes}, {0}, &slabs_.local);
  }

  // What the sweep shows of each level that is reported.
  std::vector<std::optional<Plateau>> Plateaus() const {
    std::vector<uint64_t> reported;
    for (const CacheLevel& level : topology_.caches) reported.push_back(level.size_bytes);
    return FindPlateaus(sweep_, reported);
  }

  void NameLevels() {
    plateaus_ = Plateaus();
    for (size_t i = 0; i < plateaus_.size(); ++i) {
      CacheLevel& level = topology_.caches[i];
      if (plateaus_[i]) {
        level.plateau_bytes = plateaus_[i]->end_bytes;
        if (2 * level.plateau_bytes < level.size_bytes) {
          machine_.warnings.push_back(
              fmt::format("L{}: {} KiB are reported, but only {} KiB are fast: other processes may "
                          "use the rest",
                          level.level, level.size_bytes >> 10, level.plateau_bytes >> 10));
        }
      } else {
        machine_.warnings.push_back(fmt::format(
            "L{} not found: {} KiB are reported, but the bandwidth has no plateau there",
            level.level, level.size_bytes >> 10));
      }
    }
    machine_.caches = topology_.caches;
  }

  // Memory for several cores and nodes. What there is none for is left out of the plan.
  void MakeSlabs() {
    const uint64_t total = slabs_.local.front().size();
    memory_ = PlanMemory(topology_, total, allowance_);
    if (Stopped()) return;
    Tell("first touch");
    std::vector<uint64_t> others(memory_.local.begin() + 1, memory_.local.end());
    std::vector<uint32_t> workers = team_.All();
    workers.erase(workers.begin());
    if (!AppendSlabs(team_, others, workers, &slabs_.local)) {
      machine_.warnings.push_back("no memory for the working sets of several cores");
    }
    if (memory_.far) {
      const std::vector<uint32_t> first(memory_.local.size(), 0);
      memory_.far = AppendSlabs(team_, memory_.local, first, &slabs_.far);
    }
    const std::vector<uint64_t> small(memory_.small > 0 ? team_.size() : 0, memory_.small);
    if (!AppendSlabs(team_, small, team_.All(), &slabs_.small, Pages::kSmall)) memory_.small = 0;
    MakeNodeSlabs();
  }

  // Of those nodes that have room; the others leave the matrix.
  void MakeNodeSlabs() {
    if (memory_.matrix.empty()) return;
    const NumaBinder binder;
    slabs_.node.resize(topology_.numa.size());
    slabs_.chase.resize(topology_.numa.size());
    std::erase_if(memory_.matrix, [&](size_t node) {
      const std::string why = FillNode(binder, node);
      if (why.empty()) return false;
      memory_.left_out.push_back(
          fmt::format("NUMA node {} not measured: {}", topology_.numa[node].index, why));
      return true;
    });
  }

  // Empty, or why there is no memory. More than is free would wake the kernel's killer.
  std::string FillNode(const NumaBinder& binder, size_t node) {
    const uint32_t index = topology_.numa[node].index;
    const uint64_t free = FreeNodeBytes(index);
    if (free < 2 * memory_.NodeBytes()) return fmt::format("only {} MiB are free", free >> 20);
    auto& slabs = slabs_.node[node];
    for (const uint64_t bytes : memory_.node) slabs.emplace_back(bytes);
    slabs_.chase[node] = Buffer(ChaseBytes(memory_.total));
    bool bound = binder.Bind(slabs_.chase[node], index);
    for (const Buffer& slab : slabs) bound = bound && binder.Bind(slab, index);
    if (!bound) return "memory cannot be bound to it";
    team_.Run(team_.All(), [&](uint32_t rank) {
      for (size_t i = rank; i < slabs.size(); i += team_.size()) FillSlab(slabs[i]);
    });
    return "";
  }

  void MakeTasks() {
    if (Stopped()) return;
    auto& warnings = machine_.warnings;
    const bool dram = ReachesDram();
    if (dram) {
      if (!EndsFlat(sweep_, 2 * kFlat)) {
        warnings.push_back(fmt::format(
            "read bandwidth still changes at {} MiB: DRAM figures may include cache hits",
            sweep_.back().bytes >> 20));
      }
      warnings.insert(warnings.end(), memory_.left_out.begin(), memory_.left_out.end());
    } else {
      warnings.push_back(
          fmt::format("DRAM not measured: the working sets of several cores may have {} MiB in "
                      "total, and the last-level cache has {} MiB",
                      memory_.total >> 20, FastBytes(topology_) >> 20));
    }
    tasks_ = AllTasks(topology_, dram ? &memory_ : nullptr, slabs_, plateaus_, machine_.cpu_vendor);
    if (HugePagesAreHad()) return;
    std::erase_if(tasks_, NeedsHugePages);
    warnings.emplace_back("page walks not measured: there are no huge pages to compare with");
  }

  // A working set that the last level may hold says nothing of DRAM.
  bool ReachesDram() const { return memory_.total >= 2 * FastBytes(topology_); }

  // All tasks take turns, so that a disturbance hits each a little and none alone.
  // Within `budget` seconds from `begin` on, both since the start.
  void Rounds(double begin, double budget) {
    for (uint32_t round = 1;; ++round) {
      bool all_settled = true;
      for (MeasureTask& task : tasks_) {
        if (task.settled || task.wrong || task.no_memory) continue;
        if (Stopped()) return;
        // On a busy machine the first round alone may take all the time: one sample each is then
        // better than several of some, and what a roofline needs is measured however long it takes.
        const double elapsed = Elapsed() - begin;
        const bool late = elapsed > budget * (round == 1 ? kHurry : 1);
        const bool over = elapsed > budget * kOverrun;
        if (late && (round > 1 || (over && !task.needed))) return;
        Tell(task.label);
        sampler_.Round(task, late ? 1 : plan_.samples);
        task.settled =
            task.rates.Settled(plan_.tolerance, plan_.most_samples) && round >= plan_.least_rounds;
        KeepSoFar();
        all_settled = all_settled && task.settled;
      }
      if (all_settled) return;
    }
  }

  // The time is for these. Returns which were settled.
  std::vector<bool> SettleAllBut(const EarlierSamples& again) {
    std::vector<bool> settled;
    for (MeasureTask& task : tasks_) {
      settled.push_back(task.settled);
      task.settled = true;
    }
    for (const auto& [index, task] : again) tasks_[index].settled = false;
    return settled;
  }

  void MeasureContradictionsAgain() {
    for (int tries = 0; tries < kMostTries && !Stopped(); ++tries) {
      const EarlierSamples earlier = ForgetContradictory(ContradictionsOf(Measured(false)), tasks_);
      if (earlier.empty()) return;
      const std::vector<bool> settled = SettleAllBut(earlier);
      Rounds(Elapsed(), plan_.seconds * kAgain);
      for (size_t i = 0; i < tasks_.size(); ++i) tasks_[i].settled = settled[i];
      RestoreUnmeasured(earlier, plan_.samples, tasks_);
    }
  }

  void KeepSoFar() {
    if (!options_.keep || Elapsed() - kept_seconds_ < kKeepSeconds) return;
    options_.keep(Measured(/*partial=*/true));
    kept_seconds_ = Elapsed();
  }

  Machine Measured(bool partial) const {
    Machine machine = machine_;
    machine.partial = partial;
    PublishCeilings(tasks_, machine);
    const double huge = HugePageShare();
    if (huge >= 0 && huge < 0.5) {
      machine.warnings.push_back(
          fmt::format("only {:.0f} % of the memory are huge pages", 100 * huge));
    }
    size_t rejected = 0, all = 0;
    for (const MeasureTask& task : tasks_) {
      rejected += task.rates.rejected();
      all += task.rates.rejected() + task.rates.accepted();
    }
    if (rejected * 10 > all) {
      machine.warnings.push_back(
          fmt::format("{} of {} samples were disturbed by other work and left out", rejected, all));
    }
    if (const std::string load = other_load_.Warning(); !load.empty()) {
      machine.warnings.push_back(load);
    }
    NoteContradictions(machine);
    machine.seconds = Elapsed();
    return machine;
  }

  const MeasureOptions& options_;
  const EffortPlan plan_;
  Progress& progress_;
  const uint64_t begin_ns_ = NowNs();
  const std::optional<double> quota_;
  Topology topology_;
  Team team_;
  Sampler sampler_;
  const OtherLoad other_load_;
  const uint64_t allowance_ = MemoryAllowance();
  std::vector<SweepPoint> sweep_;
  std::vector<std::optional<Plateau>> plateaus_;
  MemoryPlan memory_;
  Slabs slabs_;
  std::vector<MeasureTask> tasks_;
  Machine machine_;
  double kept_seconds_ = 0;  // when KeepSoFar() kept last
};

}  // namespace

Result<Machine> MeasureMachine(const MeasureOptions& options, Progress& progress) {
  auto topology = ReadTopology();
  if (!topology) return Error{topology.error()};
  return Measurement(options, progress, std::move(*topology)).Run();
}

}  // namespace roofmark
