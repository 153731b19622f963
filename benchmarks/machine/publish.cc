// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/publish.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

namespace roofmark {
namespace {

bool Unmeasured(const MeasureTask& task) { return task.rates.empty() && !task.no_memory; }

// Why a task's figure cannot be published; empty if it can.
std::string Objection(const MeasureTask& task) {
  if (task.no_memory) return "no memory for its arrays";
  if (task.wrong) return "its result was wrong";
  if (task.most_per_cycle <= 0) return {};
  const double value = task.rates.Summary().value, ghz = task.clock.Summary().max;
  const double most = task.most_per_cycle * task.cores * ghz;
  if (ghz <= 0 || value <= kClockSlack * most) return {};
  return fmt::format("{:.4g} {} is more than {:.4g}, all that {:.2f} GHz allow", value, task.unit,
                     most, ghz);
}

// What a reader should know of a series, or nothing.
std::string NoteOf(const Series& series) {
  if (series.OnlyDisturbed()) {
    return fmt::format("disturbed: other work ran during all {} samples", series.rejected());
  }
  constexpr double kNoisy = 0.05;
  const MachinePoint point = series.Summary();
  const double below = 1 - point.median / point.value;
  return below > kNoisy ? fmt::format("noisy: median {:.0f} % below", 100 * below) : "";
}

MachinePoint PointOf(const Series& series, uint32_t cores, const Topology& topology) {
  MachinePoint point = series.Summary();
  point.cores = cores;
  point.packages = PackagesOf(topology, cores);
  return point;
}

Ceiling& FindOrAdd(Machine& machine, const std::string& id, const std::string& label,
                   const std::string& unit) {
  for (Ceiling& ceiling : machine.ceilings) {
    if (ceiling.id == id) return ceiling;
  }
  Ceiling ceiling;
  ceiling.id = id;
  ceiling.label = label;
  ceiling.unit = unit;
  machine.ceilings.push_back(std::move(ceiling));
  return machine.ceilings.back();
}

// Keeps the curve ascending in cores and the better of two points for the same cores. True if
// `point` is now in it.
bool Merge(std::vector<MachinePoint>& curve, const MachinePoint& point) {
  auto at = std::lower_bound(
      curve.begin(), curve.end(), point,
      [](const MachinePoint& a, const MachinePoint& b) { return a.cores < b.cores; });
  if (at == curve.end() || at->cores != point.cores) {
    curve.insert(at, point);
    return true;
  }
  if (at->value >= point.value) return false;
  *at = point;
  return true;
}

void AddNote(Ceiling& ceiling, uint32_t cores, const std::string& note) {
  if (note.empty()) return;
  if (!ceiling.note.empty()) ceiling.note += "; ";
  ceiling.note += fmt::format("{} core{}: {}", cores, cores == 1 ? "" : "s", note);
}

// Independent scalar additions are also "instruction-level parallelism" of the 2008 paper's ladder.
void PublishIlp(Machine& machine) {
  for (const std::string_view precision : {"dp", "sp"}) {
    const Ceiling* add = machine.Find(fmt::format("compute.{}.add.scalar", precision));
    if (add == nullptr) continue;
    Ceiling ilp = *add;
    ilp.id = fmt::format("compute.{}.ilp.scalar", precision);
    machine.ceilings.push_back(std::move(ilp));
  }
}

// The highest figure of any kind and width, point by point.
void PublishPeak(Machine& machine) {
  for (const std::string_view precision : {"dp", "sp"}) {
    const std::string prefix = fmt::format("compute.{}.", precision);
    Ceiling peak;
    std::string from;
    for (const Ceiling& ceiling : machine.ceilings) {
      if (!ceiling.id.starts_with(prefix)) continue;
      for (const MachinePoint& point : ceiling.curve) {
        if (Merge(peak.curve, point)) from = ceiling.label;
      }
    }
    if (peak.curve.empty()) continue;
    peak.id = prefix + "peak";
    peak.label = fmt::format("{} peak", precision == "dp" ? "double" : "single");
    peak.unit = "GFLOP/s";
    peak.note = from;
    machine.ceilings.push_back(std::move(peak));
  }
}

// The clock under the densest work of each width: double-precision FMA, or adds without it.
void PublishClock(const std::vector<MeasureTask>& tasks, const Topology& topology,
                  Machine& machine) {
  for (const std::string_view width : {"scalar", "128", "256", "512"}) {
    for (const std::string_view kind : {"fma", "add"}) {
      const std::string load = fmt::format("compute.dp.{}.{}", kind, width);
      const std::string id = fmt::format("clock.{}", width);
      if (machine.Find(id) != nullptr) break;
      for (const MeasureTask& task : tasks) {
        if (task.id != load || task.clock.empty()) continue;
        const std::string label = fmt::format(
            "clock in {} {}", width == "scalar" ? "scalar" : fmt::format("{}-bit", width),
            kind == "fma" ? "FMA" : "adds");
        Ceiling& clock = FindOrAdd(machine, id, label, "GHz");
        Merge(clock.curve, PointOf(task.clock, task.cores, topology));
      }
    }
  }
}

}  // namespace

void PublishCeilings(const std::vector<MeasureTask>& tasks, const Topology& topology,
                     Machine& machine) {
  size_t unmeasured = 0;
  for (const MeasureTask& task : tasks) {
    if (Unmeasured(task)) {
      ++unmeasured;
      continue;
    }
    if (const std::string objection = Objection(task); !objection.empty()) {
      machine.warnings.push_back(fmt::format("{} on {} core{}: not measured: {}", task.id,
                                             task.cores, task.cores == 1 ? "" : "s", objection));
      continue;
    }
    Ceiling& ceiling = FindOrAdd(machine, task.id, task.label, task.unit);
    ceiling.counted_factor = task.counted_factor;
    Merge(ceiling.curve, PointOf(task.rates, task.cores, topology));
  }
  if (unmeasured > 0) {
    machine.warnings.push_back(fmt::format("{} of {} kernels were not measured: no time was left",
                                           unmeasured, tasks.size()));
  }
  // Notes belong to the point that was kept.
  for (const MeasureTask& task : tasks) {
    if (Unmeasured(task) || !Objection(task).empty()) continue;
    Ceiling& ceiling = FindOrAdd(machine, task.id, task.label, task.unit);
    const double value = task.rates.Summary().value;
    for (const MachinePoint& point : ceiling.curve) {
      if (point.cores == task.cores && point.value == value) {
        AddNote(ceiling, task.cores, NoteOf(task.rates));
      }
    }
  }
  PublishIlp(machine);
  PublishPeak(machine);
  PublishClock(tasks, topology, machine);
}

}  // namespace roofmark
