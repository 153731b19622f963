// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>

#include "lib/core/metric.h"
#include "lib/model/advice.h"
#include "lib/report/chart.h"
#include "lib/report/format.h"
#include "lib/report/rows.h"

namespace roofmark {
namespace {

constexpr double kSame = 1.05;  // a difference that a drawing cannot show

JobRoofs AllCores(const Machine& machine) {
  RunInfo run;
  HostInfo host;
  host.ranks = host.cpus = machine.cores;
  run.hosts = {host};
  return RoofsOf(machine, run);
}

bool Near(double a, double b) { return std::max(a, b) < kSame * std::min(a, b); }

class Ladder {
 public:
  explicit Ladder(const Machine& machine) : machine_(machine), roofs_(AllCores(machine)) {
    for (const auto& roof : roofs_.bandwidth) Keep(memory_, roof);
    const ComputeRoofs& compute = roofs_.compute[static_cast<size_t>(Precision::kDouble)];
    Keep(compute_, compute.peak);
    Keep(compute_, compute.no_fma);
  }

  void Add(const std::string& id, const std::string& name) {
    const CeilingCurve* ceiling = machine_.Find(id);
    if (ceiling == nullptr) return;
    const bool memory = id.starts_with("bandwidth.");
    const double value = ValueAt(*ceiling, machine_.cores) * ceiling->counted_factor;
    std::vector<double>& taken = memory ? memory_ : compute_;
    const auto near = [value](double other) { return Near(value, other); };
    if (value <= 0 || std::any_of(taken.begin(), taken.end(), near)) return;
    taken.push_back(value);
    rungs_.push_back({name, memory, value});
  }

  std::vector<Rung> Take() { return std::move(rungs_); }

 private:
  static void Keep(std::vector<double>& taken, const std::optional<Roof>& roof) {
    if (roof) taken.push_back(roof->value);
  }

  const Machine& machine_;
  JobRoofs roofs_;
  std::vector<double> memory_, compute_;  // lines that are drawn already
  std::vector<Rung> rungs_;
};

}  // namespace

std::vector<Rung> MachineLadder(const Machine& machine) {
  Ladder ladder(machine);
  ladder.Add("compute.dp.chain.scalar", "dp dependent adds");
  ladder.Add("compute.dp.ilp.scalar", "dp +ILP");
  std::string widest;  // scalar first, wider ones later
  for (const auto& width : kWidthNames) {
    if (machine.Find(fmt::format("compute.dp.add.{}", width.name)) != nullptr) widest = width.name;
  }
  ladder.Add("compute.dp.add." + widest, "dp +SIMD, adds");
  ladder.Add("compute.dp.fma." + widest, "dp FMA alone");
  ladder.Add("bandwidth.DRAM.random", "DRAM random lines");
  ladder.Add("bandwidth.DRAM.strided", "DRAM strided");
  ladder.Add("bandwidth.DRAM.read_far", "DRAM no affinity");
  ladder.Add("bandwidth.DRAM.read", "DRAM read");
  ladder.Add("bandwidth.DRAM.triad", "DRAM triad");
  ladder.Add("bandwidth.DRAM.triad_nt", "DRAM non-temporal");
  return ladder.Take();
}

std::optional<size_t> FirstPath(const ReportJob& job) {
  for (const Advice& advice : AdviceFor(job.profile, job.analysis)) {
    if (job.Draws(advice.path) && HasDot(job.analysis.paths[advice.path])) return advice.path;
  }
  return std::nullopt;
}

std::vector<Rung> RuntimeLadder(const PathAnalysis& path, const std::string& key) {
  const RuntimeModel& runtime = path.runtime;
  std::vector<Rung> rungs;
  if (runtime.unit != "FLOP") return rungs;
  double last[2] = {runtime.ideal_gflops, runtime.ideal_gbs};
  for (const Ceiling& ceiling : runtime.ceilings) {
    if (!ceiling.height.least || ceiling.axis == CeilingAxis::kWall) continue;
    const double value = *ceiling.height.least;
    // A step that cannot be seen is none.
    double& above = last[ceiling.IsMemory()];
    if (Near(value, above)) continue;
    above = value;
    rungs.push_back(
        {fmt::format("{}: {}", key, InfoOf(ceiling.shortfall).lack), ceiling.IsMemory(), value});
  }
  return rungs;
}

std::vector<ChartWall> IntensityWalls(const PathAnalysis& path, const std::string& key) {
  const RuntimeModel& runtime = path.runtime;
  std::vector<ChartWall> walls;
  if (runtime.unit != "FLOP" || runtime.ideal_intensity <= 0) return walls;
  const auto add = [&](const std::string& what, double intensity) {
    const std::string name = fmt::format("{}: {}", key, what);
    walls.push_back({fmt::format("{} {}", name, Plain(intensity)), intensity, 0, name});
  };
  add("compulsory only", runtime.ideal_intensity);
  for (const Ceiling& ceiling : runtime.ceilings) {
    if (ceiling.axis != CeilingAxis::kWall || !ceiling.height.least) continue;
    const double intensity = *ceiling.height.least;
    if (intensity > 0 && !Near(intensity, walls.back().x)) {
      add(fmt::format("+ {}", InfoOf(ceiling.shortfall).lack), intensity);
    }
  }
  // All of its traffic is compulsory: its dot says that already.
  if (walls.size() == 1) walls.clear();
  return walls;
}

namespace {

std::string KeyOf(const ReportJob& job, size_t path) {
  return ReportRows(job.profile, job.analysis)[path].key;
}

}  // namespace

std::vector<Rung> RuntimeLadder(const ReportJob& job) {
  const std::optional<size_t> first = FirstPath(job);
  if (!first) return {};
  return RuntimeLadder(job.analysis.paths[*first], KeyOf(job, *first));
}

std::vector<ChartWall> IntensityWalls(const ReportJob& job) {
  const std::optional<size_t> first = FirstPath(job);
  if (!first) return {};
  return IntensityWalls(job.analysis.paths[*first], KeyOf(job, *first));
}

Chart MakeChart(const Machine& machine) {
  const JobRoofs roofs = AllCores(machine);
  return MakeChart(&roofs, {}, {}, MachineLadder(machine));
}

}  // namespace roofmark
