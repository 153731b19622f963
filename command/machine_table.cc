// SPDX-License-Identifier: BSD-3-Clause
#include "command/machine_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "command/machine_table_sections.h"
#include "lib/core/cpu_list.h"
#include "lib/model/imbalance.h"
#include "lib/report/format.h"

namespace roofmark::cli {
namespace {

std::string NumaHead(const Machine& machine) {
  if (machine.numa_nodes.size() < 2) return {};
  std::string text;
  for (size_t i = 0; i < machine.numa_nodes.size();) {
    const NumaNode& node = machine.numa_nodes[i];
    std::set<uint32_t> alike;
    const auto same = [&](const NumaNode& other) {
      return other.kind == node.kind && other.memory_bytes == node.memory_bytes &&
             other.cores == node.cores;
    };
    for (; i < machine.numa_nodes.size() && same(machine.numa_nodes[i]); ++i) {
      alike.insert(machine.numa_nodes[i].index);
    }
    text += fmt::format("NUMA node{} {}: {}{}{}, {}\n", alike.size() == 1 ? "" : "s",
                        FormatCpuList(alike), alike.size() == 1 ? "" : "each ",
                        node.kind.empty() ? "" : node.kind + " ", Bytes(node.memory_bytes),
                        node.cores == 0 ? "no cores" : CoresTitle(node.cores));
  }
  return text;
}

std::string Head(const Machine& machine) {
  std::string text = fmt::format("{}\n", machine.cpu_model) +
                     Wrap(fmt::format("{} (CPUs {}) of {} package{}, {}, {} measurement{}",
                                      CoresTitle(machine.cores), machine.cpuset, machine.packages,
                                      machine.packages == 1 ? "" : "s", Bytes(machine.memory_bytes),
                                      machine.effort, machine.partial ? ", interrupted" : ""),
                          kTableWidth, 2);
  for (const CacheLevel& cache : machine.caches) {
    text += fmt::format("L{} {} shared by {}, ", cache.level, Bytes(cache.size_bytes),
                        CoresTitle(cache.shared_by_cores));
    text += cache.plateau_bytes == 0 ? "not found by the sweep\n"
                                     : fmt::format("fast up to {}\n", Bytes(cache.plateau_bytes));
  }
  if (!machine.nodes.empty()) {
    text += Wrap(Printable(fmt::format("median of {} node{}: {}", machine.nodes.size(),
                                       machine.nodes.size() == 1 ? "" : "s",
                                       fmt::join(machine.nodes, ", "))),
                 kTableWidth, 4);
  }
  return text + NumaHead(machine);
}

// Ceilings whose note is theirs to tell: a peak names where it comes from, and "ilp" is the scalar
// "add" under its name in the 2008 paper.
bool HasNote(const CeilingCurve& ceiling) {
  return !ceiling.note.empty() && !ceiling.id.ends_with(".peak") &&
         ceiling.id.find(".ilp.") == std::string::npos;
}

bool AnyNoisy(const Machine& machine) {
  return std::any_of(machine.ceilings.begin(), machine.ceilings.end(),
                     [](const CeilingCurve& ceiling) {
                       return std::any_of(ceiling.curve.begin(), ceiling.curve.end(), IsNoisy);
                     });
}

std::string Remarks(const Machine& machine) {
  constexpr size_t kMostNotes = 8;
  std::vector<std::string> notes;
  for (const CeilingCurve& ceiling : machine.ceilings) {
    if (HasNote(ceiling)) notes.push_back(fmt::format("{}: {}", ceiling.id, ceiling.note));
  }
  std::string text;
  if (AnyNoisy(machine))
    text += "~ noisy: halves of the samples, or several nodes, differ by more than 5 %\n";
  if (notes.size() > kMostNotes) {
    text += fmt::format("{} of {} ceilings have notes: see them in the machine file\n",
                        notes.size(), machine.ceilings.size());
  } else {
    for (const std::string& note : notes) text += Wrap(Printable(note), kTableWidth, 4);
  }
  for (const std::string& figures : machine.contradictions) {
    text += Wrap("not to be trusted: " + Printable(figures), kTableWidth, 4);
  }
  for (const std::string& warning : machine.warnings) {
    text += Wrap(Printable(warning), kTableWidth, 4);
  }
  return text.empty() ? text : "\n" + text;
}

}  // namespace

std::string MachineTable(const Machine& machine) {
  return Head(machine) + Roofs(machine) + Compute(machine) + Mix(machine) + Bandwidth(machine) +
         Latency(machine) + DramCurve(machine) + NumaGrids(machine) + Imbalance(machine) +
         Clock(machine) + Gpus(machine) + Remarks(machine);
}

}  // namespace roofmark::cli
