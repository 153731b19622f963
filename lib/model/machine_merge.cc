// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/machine_merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "lib/model/machine_contradictions.h"
#include "lib/model/machine_identity.h"

namespace roofmark {
namespace {

constexpr size_t kMostNames = 4;      // of nodes in one sentence
constexpr size_t kMostWarnings = 20;  // of single nodes
constexpr size_t kMostGpus = 256;

std::string NameOf(const Machine& machine) {
  return machine.nodes.empty() ? "a node" : machine.nodes[0];
}

// "n1, n2, n3, n4 and 12 more"
std::string NamesOf(const std::vector<const Machine*>& machines) {
  std::string names;
  for (size_t i = 0; i < machines.size() && i < kMostNames; ++i) {
    names += (i == 0 ? "" : ", ") + NameOf(*machines[i]);
  }
  if (machines.size() > kMostNames) {
    names += fmt::format(" and {} more", machines.size() - kMostNames);
  }
  return names;
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

// One ceiling's point on one node.
struct NodePoint {
  const Machine* node;
  const MachinePoint* point;
};

MachinePoint MergePoints(const std::vector<NodePoint>& of) {
  MachinePoint merged = *of[0].point;
  if (of.size() == 1) return merged;
  std::vector<double> values, medians, noises;
  merged.samples = 0;
  for (const auto& [node, point] : of) {
    values.push_back(point->value);
    medians.push_back(point->median);
    noises.push_back(point->noise);
    if (point->variant != merged.variant) merged.variant.clear();
    merged.min = std::min(merged.min, point->min);
    merged.max = std::max(merged.max, point->max);
    merged.samples += point->samples;
    merged.noise = std::max(merged.noise, point->noise);
  }
  const auto [lowest, highest] = std::minmax_element(values.begin(), values.end());
  merged.node_min = *lowest;
  merged.node_max = *highest;
  merged.value = Median(values);
  merged.median = Median(medians);
  merged.noise = Median(noises);
  merged.nodes = static_cast<uint32_t>(of.size());
  return merged;
}

// "nodes differ by 14 %: n17 is 12 % below the median", or nothing.
std::string DifferenceText(const std::vector<NodePoint>& of, const MachinePoint& merged,
                           bool less_is_better) {
  if (of.size() < 2 || merged.node_max - merged.node_min <= kNodesDiffer * merged.value) return {};
  const double worst = less_is_better ? merged.node_max : merged.node_min;
  const auto slowest =
      std::find_if(of.begin(), of.end(), [&](const auto& n) { return n.point->value == worst; });
  return fmt::format("nodes differ by {:.0f} %: {} is {:.0f} % {} the median",
                     100 * (merged.node_max - merged.node_min) / merged.value,
                     NameOf(*slowest->node), 100 * std::abs(worst - merged.value) / merged.value,
                     less_is_better ? "above" : "below");
}

// What the nodes themselves note, where it is not the same everywhere with its number of nodes.
std::string NoteOf(const std::vector<std::pair<const Machine*, const CeilingCurve*>>& of) {
  std::string note;
  size_t with = 0, same = 0;
  for (const auto& [node, ceiling] : of) {
    if (ceiling->note.empty()) continue;
    ++with;
    if (note.empty()) note = ceiling->note;
    same += ceiling->note == note ? 1 : 0;
  }
  if (with == 0 || same == of.size()) return note;
  return fmt::format("on {} of {} nodes {}", with, of.size(), note);
}

void AddNote(CeilingCurve& ceiling, const std::string& note) {
  if (note.empty()) return;
  ceiling.note += (ceiling.note.empty() ? "" : "; ") + note;
}

// By packages, then cores, as a curve ascends.
using PointsOfNodes = std::map<std::pair<uint32_t, uint32_t>, std::vector<NodePoint>>;

// Adds to the note how the nodes differ at that point where they differ most.
void FillCurve(CeilingCurve& merged, const PointsOfNodes& points) {
  merged.curve.clear();
  std::string difference;
  double most = 0;
  for (const auto& [key, of] : points) {
    const MachinePoint point = MergePoints(of);
    merged.curve.push_back(point);
    const double spread = (point.node_max - point.node_min) / point.value;
    if (spread <= most) continue;
    most = spread;
    difference = DifferenceText(of, point, merged.unit == "ns");
  }
  AddNote(merged, difference);
}

CeilingCurve MergeCeiling(const std::vector<Machine>& machines, const CeilingCurve& first) {
  CeilingCurve merged = first;
  std::vector<std::pair<const Machine*, const CeilingCurve*>> of;
  PointsOfNodes points;
  for (const Machine& machine : machines) {
    const CeilingCurve* ceiling = machine.Find(first.id);
    if (ceiling == nullptr) continue;
    of.emplace_back(&machine, ceiling);
    for (const MachinePoint& point : ceiling->curve) {
      points[{point.packages, point.cores}].push_back({&machine, &point});
    }
  }
  merged.note = NoteOf(of);
  FillCurve(merged, points);
  if (of.size() < machines.size()) {
    AddNote(merged, fmt::format("on {} of {} nodes only", of.size(), machines.size()));
  }
  return merged;
}

// Every ceiling that any node has, in the order of the first node that has it.
std::vector<CeilingCurve> MergeCeilings(const std::vector<Machine>& machines) {
  std::vector<CeilingCurve> merged;
  std::set<std::string> seen;
  for (const Machine& machine : machines) {
    for (const CeilingCurve& ceiling : machine.ceilings) {
      if (seen.insert(ceiling.id).second) merged.push_back(MergeCeiling(machines, ceiling));
    }
  }
  return merged;
}

// The most common value of a field, the first of equals. Warns if there are others.
std::string MostCommon(const std::vector<Machine>& machines, std::string Machine::*field,
                       const char* what, std::vector<std::string>& warnings) {
  std::map<std::string, std::vector<const Machine*>> groups;
  for (const Machine& machine : machines) groups[machine.*field].push_back(&machine);
  const auto most = std::max_element(
      groups.begin(), groups.end(),
      [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  for (const auto& [value, nodes] : groups) {
    if (value == most->first) continue;
    warnings.push_back(fmt::format("{} of {} nodes ({}) have {} {} and not {}", nodes.size(),
                                   machines.size(), NamesOf(nodes), what, value, most->first));
  }
  return most->first;
}

// A sentence of all nodes once, one of some with the node's name.
std::vector<std::string> MergeWarnings(const std::vector<Machine>& machines) {
  std::vector<std::string> order, merged;
  std::map<std::string, std::vector<const Machine*>> by_text;
  for (const Machine& machine : machines) {
    for (const std::string& warning : machine.warnings) {
      auto& nodes = by_text[warning];
      if (nodes.empty()) order.push_back(warning);
      if (nodes.empty() || nodes.back() != &machine) nodes.push_back(&machine);
    }
  }
  for (const std::string& text : order) {
    const auto& nodes = by_text[text];
    if (merged.size() == kMostWarnings) {
      merged.push_back(
          fmt::format("{} more warnings of single nodes", order.size() - merged.size()));
      break;
    }
    merged.push_back(nodes.size() == machines.size() ? text : NamesOf(nodes) + ": " + text);
  }
  return merged;
}

// Each device by itself: they differ as nodes do.
std::vector<GpuMachine> MergeGpus(const std::vector<Machine>& machines,
                                  std::vector<std::string>& warnings) {
  std::vector<GpuMachine> merged;
  size_t all = 0;
  for (const Machine& machine : machines) {
    all += machine.gpus.size();
    const size_t room = std::min(kMostGpus - merged.size(), machine.gpus.size());
    merged.insert(merged.end(), machine.gpus.begin(),
                  machine.gpus.begin() + static_cast<ptrdiff_t>(room));
  }
  if (all > merged.size()) {
    warnings.push_back(fmt::format("{} of {} GPUs are kept", merged.size(), all));
  }
  return merged;
}

}  // namespace

Result<Machine> MergeMachines(std::vector<Machine> machines) {
  if (machines.empty()) return Error{"no machine to merge"};
  for (const Machine& machine : machines) {
    if (KindOf(machine) == KindOf(machines[0])) continue;
    return Error{fmt::format("{} and {} are nodes of different kinds: one machine file each",
                             NameOf(machines[0]), NameOf(machine))};
  }
  if (machines.size() == 1) return std::move(machines[0]);
  std::vector<std::string> warnings;
  const std::string cpuset = MostCommon(machines, &Machine::cpuset, "the CPU set", warnings);
  MostCommon(machines, &Machine::kernel, "the Linux kernel", warnings);
  MostCommon(machines, &Machine::microcode, "the microcode", warnings);
  Machine merged = *std::find_if(machines.begin(), machines.end(),
                                 [&](const Machine& m) { return m.cpuset == cpuset; });
  merged.nodes.clear();
  for (const Machine& machine : machines) {
    merged.nodes.insert(merged.nodes.end(), machine.nodes.begin(), machine.nodes.end());
    merged.partial = merged.partial || machine.partial;
    merged.seconds = std::max(merged.seconds, machine.seconds);
    merged.measured_at = std::max(merged.measured_at, machine.measured_at);
  }
  merged.ceilings = MergeCeilings(machines);
  merged.gpus = MergeGpus(machines, warnings);
  merged.warnings = MergeWarnings(machines);
  merged.warnings.insert(merged.warnings.end(), warnings.begin(), warnings.end());
  NoteContradictions(merged);
  return merged;
}

}  // namespace roofmark
