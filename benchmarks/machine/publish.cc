// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/publish.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "benchmarks/machine/branch_load.h"
#include "lib/core/metric.h"

namespace roofmark {
namespace {

bool Unmeasured(const MeasureTask& task) { return task.rates.empty() && !task.no_memory; }

// Why a task's figure cannot be published; empty if it can.
std::string Objection(const MeasureTask& task) {
  if (task.no_memory) return "there was no memory for its arrays";
  if (task.wrong) return "its result was wrong";
  if (task.most_per_cycle <= 0) return {};
  const double value = task.rates.Summary().value, ghz = task.clock.Summary().max;
  const double most = task.most_per_cycle * task.on.cores() * ghz;
  if (ghz <= 0 || value <= kClockSlack * most) return {};
  return fmt::format("{:.4g} {} is more than the {:.4g} that {:.2f} GHz allow", value, task.unit,
                     most, ghz);
}

// What a reader should know of a series, or nothing.
std::string NoteOf(const Series& series) {
  if (series.OnlyDisturbed()) {
    return fmt::format("disturbed: other work ran during all {} samples", series.rejected());
  }
  constexpr double kNoisy = 0.05;
  const double noise = series.Noise();
  if (series.accepted() < 4 && series.rejected() > 0) {
    return fmt::format("disturbed: {} of {} samples", series.rejected(),
                       series.accepted() + series.rejected());
  }
  if (series.accepted() < 4) return fmt::format("noisy: only {} samples", series.accepted());
  return noise > kNoisy ? fmt::format("noisy: {:.0f} % between the halves of {} samples",
                                      100 * noise, series.accepted())
                        : "";
}

MachinePoint PointOf(const Series& series, const CoreSet& on) {
  MachinePoint point = series.Summary();
  point.cores = on.cores();
  point.packages = on.packages;
  return point;
}

MachinePoint PointOf(const MeasureTask& task) {
  MachinePoint point = PointOf(task.rates, task.on);
  point.variant = task.variant;
  if (!task.clock.empty()) point.ghz = task.clock.Summary().median;
  if (task.unit != "ns") return point;
  // 1e9 loads per second take 1 ns each.
  const MachinePoint rate = point;
  point.value = 1 / rate.value;
  point.median = 1 / rate.median;
  point.min = 1 / rate.max;
  point.max = 1 / rate.min;
  return point;
}

std::string Cores(const CoreSet& on) {
  const std::string cores = fmt::format("{} core{}", on.cores(), on.cores() == 1 ? "" : "s");
  return on.packages == 1 ? cores : fmt::format("{} of {} packages", cores, on.packages);
}

CeilingCurve& FindOrAdd(Machine& machine, const std::string& id, const std::string& label,
                        const std::string& unit) {
  for (CeilingCurve& ceiling : machine.ceilings) {
    if (ceiling.id == id) return ceiling;
  }
  CeilingCurve ceiling;
  ceiling.id = id;
  ceiling.label = label;
  ceiling.unit = unit;
  machine.ceilings.push_back(std::move(ceiling));
  return machine.ceilings.back();
}

// Keeps the curve ascending in packages and cores, and the better of two points for the same ones
// (of rates: no latency is measured twice). True if `point` is now in it.
bool Merge(std::vector<MachinePoint>& curve, const MachinePoint& point) {
  const auto key = [](const MachinePoint& p) { return std::tie(p.packages, p.cores); };
  auto at = std::lower_bound(
      curve.begin(), curve.end(), point,
      [key](const MachinePoint& a, const MachinePoint& b) { return key(a) < key(b); });
  if (at == curve.end() || key(*at) != key(point)) {
    curve.insert(at, point);
    return true;
  }
  if (at->value >= point.value) return false;
  *at = point;
  return true;
}

bool Holds(const CeilingCurve& ceiling, const MachinePoint& point) {
  return std::any_of(ceiling.curve.begin(), ceiling.curve.end(), [&point](const MachinePoint& p) {
    return p.cores == point.cores && p.packages == point.packages && p.value == point.value;
  });
}

void AddNote(CeilingCurve& ceiling, const CoreSet& on, const std::string& note) {
  if (note.empty()) return;
  if (!ceiling.note.empty()) ceiling.note += "; ";
  ceiling.note += fmt::format("{}: {}", Cores(on), note);
}

// Independent scalar additions are also "instruction-level parallelism" of the 2008 paper's ladder.
void PublishIlp(Machine& machine) {
  for (const std::string_view precision : {"dp", "sp"}) {
    const CeilingCurve* add = machine.Find(fmt::format("compute.{}.add.scalar", precision));
    if (add == nullptr) continue;
    CeilingCurve ilp = *add;
    ilp.id = fmt::format("compute.{}.ilp.scalar", precision);
    machine.ceilings.push_back(std::move(ilp));
  }
}

// The highest figure of any kind and width, point by point.
void PublishPeak(Machine& machine) {
  constexpr std::pair<std::string_view, std::string_view> kPrecisions[] = {
      {"dp", "double"}, {"sp", "single"}, {"hp", "half"}, {"bf16", "bfloat16"}};
  for (const auto& [precision, name] : kPrecisions) {
    const std::string prefix = fmt::format("compute.{}.", precision);
    CeilingCurve peak;
    std::string from;
    for (const CeilingCurve& ceiling : machine.ceilings) {
      if (!ceiling.id.starts_with(prefix)) continue;
      for (const MachinePoint& point : ceiling.curve) {
        if (Merge(peak.curve, point)) from = ceiling.label;
      }
    }
    if (peak.curve.empty()) continue;
    peak.id = prefix + "peak";
    peak.label = fmt::format("{} peak", name);
    peak.unit = "GFLOP/s";
    peak.note = from;
    machine.ceilings.push_back(std::move(peak));
  }
}

// What each branch costs that goes another way than expected: what branches with random outcomes
// take longer than those that always go one way, by the share of them that this happens to.
void PublishMisprediction(Machine& machine) {
  const CeilingCurve *random = machine.Find(kRandomBranchId),
                     *one_way = machine.Find(kOneWayBranchId);
  if (random == nullptr || one_way == nullptr) return;
  const MachinePoint &with = random->curve.front(), &without = one_way->curve.front();
  const auto cost = [&without](double ns) {
    return std::max(0.0, (ns - without.value) / kMispredictedShare);
  };
  MachinePoint point = with;
  point.value = cost(with.value);
  if (point.value <= 0) {
    machine.warnings.emplace_back(
        "latency.misprediction: not measured: branches with random outcomes took no longer than "
        "those that always go one way");
    return;
  }
  point.median = cost(with.median);
  point.min = cost(with.min);
  point.max = cost(with.max);
  point.samples = std::min(with.samples, without.samples);
  const double moved = with.noise * with.value + without.noise * without.value;
  point.noise = std::min(1.0, moved / kMispredictedShare / point.value);
  CeilingCurve cost_of_one;
  cost_of_one.id = "latency.misprediction";
  cost_of_one.label = "branch that goes another way than expected";
  cost_of_one.unit = random->unit;
  cost_of_one.curve = {point};
  cost_of_one.note = random->note.empty() ? one_way->note : random->note;
  machine.ceilings.push_back(std::move(cost_of_one));
}

// The clock under the densest work of each width: double-precision FMA, or adds without it.
void PublishClock(const std::vector<MeasureTask>& tasks, Machine& machine) {
  for (const auto& [width, name] : kWidthNames) {
    for (const std::string_view kind : {"fma", "add"}) {
      const std::string load = fmt::format("compute.dp.{}.{}", kind, name);
      const std::string id = fmt::format("clock.{}", name);
      if (machine.Find(id) != nullptr) break;
      for (const MeasureTask& task : tasks) {
        if (task.id != load || task.clock.empty()) continue;
        const std::string label = fmt::format(
            "clock in {} {}", width == Width::kScalar ? "scalar" : fmt::format("{}-bit", name),
            kind == "fma" ? "FMA" : "adds");
        CeilingCurve& clock = FindOrAdd(machine, id, label, "GHz");
        Merge(clock.curve, PointOf(task.clock, task.on));
      }
    }
  }
}

}  // namespace

void PublishCeilings(const std::vector<MeasureTask>& tasks, Machine& machine) {
  size_t unmeasured = 0;
  std::vector<const MeasureTask*> good;
  for (const MeasureTask& task : tasks) {
    if (Unmeasured(task)) {
      ++unmeasured;
    } else if (const std::string objection = Objection(task); !objection.empty()) {
      machine.warnings.push_back(
          fmt::format("{} on {}: not measured: {}", task.id, Cores(task.on), objection));
    } else {
      good.push_back(&task);
    }
  }
  for (const MeasureTask* task : good) {
    CeilingCurve& ceiling = FindOrAdd(machine, task->id, task->label, task->unit);
    ceiling.counted_factor = task->counted_factor;
    Merge(ceiling.curve, PointOf(*task));
  }
  if (unmeasured > 0) {
    machine.warnings.push_back(fmt::format(
        "{} of {} kernels were not measured, because the time was up", unmeasured, tasks.size()));
  }
  // Notes belong to the point that was kept.
  for (const MeasureTask* task : good) {
    CeilingCurve& ceiling = FindOrAdd(machine, task->id, task->label, task->unit);
    if (Holds(ceiling, PointOf(*task))) AddNote(ceiling, task->on, NoteOf(task->rates));
  }
  PublishIlp(machine);
  PublishPeak(machine);
  PublishMisprediction(machine);
  PublishClock(tasks, machine);
}

}  // namespace roofmark
