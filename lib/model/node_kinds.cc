// SPDX-License-Identifier: BSD-3-Clause
#include "lib/model/node_kinds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

#include "lib/core/terminal_text.h"

namespace roofmark {
namespace {

// The only one of `machines` that `is` true of; null if there is none, or if there are several.
template <typename Is>
const Machine* OnlyOne(std::span<const Machine> machines, Is is) {
  const Machine* only = nullptr;
  for (const Machine& machine : machines) {
    if (!is(machine)) continue;
    if (only != nullptr) return nullptr;
    only = &machine;
  }
  return only;
}

// By what hosts say of themselves: their kind, else their CPU.
std::vector<NodeKind> AsTheySay(const RunInfo& run) {
  std::vector<NodeKind> kinds;
  std::map<std::pair<std::string_view, std::string_view>, size_t> places;
  for (size_t h = 0; h < run.hosts.size(); ++h) {
    const HostInfo& host = run.hosts[h];
    const std::string_view cpu = host.kind.empty() ? std::string_view(host.cpu) : "";
    const auto [place, is_new] = places.try_emplace({host.kind, cpu}, kinds.size());
    if (is_new) kinds.emplace_back().key = host.kind;
    NodeKind& kind = kinds[place->second];
    if (kind.cpu.empty()) kind.cpu = host.cpu;
    kind.hosts.push_back(h);
  }
  return kinds;
}

constexpr size_t kSeveral = SIZE_MAX;

// By CPU, the place of the only kind with a key that has it.
std::map<std::string, size_t> OnlyKindOfCpu(const std::vector<NodeKind>& kinds) {
  std::map<std::string, size_t> only;
  for (size_t i = 0; i < kinds.size(); ++i) {
    if (kinds[i].key.empty() || kinds[i].cpu.empty()) continue;
    const auto [place, is_new] = only.try_emplace(kinds[i].cpu, i);
    if (!is_new) place->second = kSeveral;
  }
  return only;
}

void MoveHosts(NodeKind& from, NodeKind& to) {
  to.hosts.insert(to.hosts.end(), from.hosts.begin(), from.hosts.end());
  std::sort(to.hosts.begin(), to.hosts.end());
  from.hosts.clear();
}

// Hosts that do not say their kind, to the one kind that they can be of.
void Unite(std::vector<NodeKind>& kinds) {
  const std::map<std::string, size_t> of_cpu = OnlyKindOfCpu(kinds);
  const auto drop_empty = [&kinds] {
    std::erase_if(kinds, [](const NodeKind& kind) { return kind.hosts.empty(); });
  };
  for (NodeKind& vague : kinds) {
    const auto home = vague.key.empty() ? of_cpu.find(vague.cpu) : of_cpu.end();
    if (home != of_cpu.end() && home->second != kSeveral) MoveHosts(vague, kinds[home->second]);
  }
  drop_empty();
  if (kinds.size() != 2) return;
  for (size_t i = 0; i < 2; ++i) {
    if (!kinds[i].key.empty() || !kinds[i].cpu.empty()) continue;
    MoveHosts(kinds[i], kinds[1 - i]);
    return drop_empty();
  }
}

}  // namespace

std::vector<NodeKind> NodeKindsOf(const RunInfo& run) {
  std::vector<NodeKind> kinds = AsTheySay(run);
  Unite(kinds);
  if (kinds.empty()) kinds.emplace_back();
  std::sort(kinds.begin(), kinds.end(),
            [](const NodeKind& a, const NodeKind& b) { return a.hosts < b.hosts; });
  return kinds;
}

void AssignMachines(std::span<const Machine> machines, std::vector<NodeKind>& kinds) {
  for (NodeKind& kind : kinds) {
    const auto of_key = [&kind](const Machine& machine) { return KindOf(machine) == kind.key; };
    const auto of_cpu = [&kind](const Machine& machine) {
      return !kind.cpu.empty() && machine.cpu_model == kind.cpu;
    };
    kind.machine = kind.key.empty() ? nullptr : OnlyOne(machines, of_key);
    if (kind.machine == nullptr) kind.machine = OnlyOne(machines, of_cpu);
  }
  if (kinds.size() == 1 && machines.size() == 1) kinds[0].machine = machines.data();
}

std::string HostNames(const RunInfo& run, const std::vector<size_t>& hosts) {
  constexpr size_t kMost = 4;
  std::string names;
  for (size_t i = 0; i < std::min(kMost, hosts.size()); ++i) {
    names += (i == 0 ? "" : ", ") + Printable(run.hosts[hosts[i]].name);
  }
  return hosts.size() > kMost ? fmt::format("{} and {} more", names, hosts.size() - kMost) : names;
}

bool AllHaveMachines(const std::vector<NodeKind>& kinds) {
  return std::all_of(kinds.begin(), kinds.end(),
                     [](const NodeKind& kind) { return kind.machine != nullptr; });
}

}  // namespace roofmark
