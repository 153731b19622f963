// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/describe_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "benchmarks/machine/memory_plan.h"
#include "benchmarks/machine/tasks.h"

namespace roofmark {
namespace {

std::string Plural(size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string Bytes(uint64_t bytes) {
  if (bytes >= uint64_t{10} << 30) {
    return fmt::format("{:.0f} GiB", static_cast<double>(bytes) / (1u << 30));
  }
  return bytes % (1 << 20) == 0 ? fmt::format("{} MiB", bytes >> 20)
                                : fmt::format("{} KiB", bytes >> 10);
}

std::string Hardware(const Topology& topology) {
  std::string text = fmt::format("{} ({}) of {}, {}\n", Plural(topology.cores.size(), "core"),
                                 Plural(topology.threads, "hardware thread"),
                                 Plural(topology.packages(), "package"),
                                 Plural(topology.numa.size(), "NUMA node"));
  for (const CacheLevel& cache : topology.caches) {
    text += fmt::format("L{} {} shared by {}\n", cache.level, Bytes(cache.size_bytes),
                        Plural(cache.shared_by_cores, "core"));
  }
  for (const NumaNode& node : topology.numa) {
    text += fmt::format("NUMA node {}{}: {}, {}\n", node.index,
                        node.kind.empty() ? "" : " (" + node.kind + ")", Bytes(node.memory_bytes),
                        node.cores == 0 ? "no cores" : Plural(node.cores, "core"));
  }
  return text;
}

// Core counts of a ceiling, the packages first: "1: 1 2 4; 2: 2 4 8".
struct Curve {
  size_t tasks = 0;
  std::map<uint32_t, std::set<uint32_t>> cores;

  void Add(const MeasureTask& task) {
    ++tasks;
    cores[task.on.packages].insert(task.on.cores());
  }
  std::string Text() const {
    std::string text;
    for (const auto& [packages, counts] : cores) {
      text += fmt::format("{}{} on {}", text.empty() ? "" : "; ", fmt::join(counts, " "),
                          Plural(packages, "package"));
    }
    return text;
  }
};

// "arithmetic" and "instructions" have many ceilings, the others are told by their id.
std::string LineOf(const MeasureTask& task) {
  if (task.unit == "GFLOP/s") return "arithmetic";
  return task.unit == "Ginst/s" ? "instructions" : task.id;
}

// Arithmetic is told in one line, and so are instructions; each other ceiling has its own.
std::string Curves(const std::vector<MeasureTask>& tasks) {
  std::vector<std::pair<std::string, Curve>> curves;
  std::map<std::string, std::set<std::string>> ceilings;
  for (const MeasureTask& task : tasks) {
    const std::string name = LineOf(task);
    ceilings[name].insert(task.id);
    auto at = std::find_if(curves.begin(), curves.end(),
                           [&name](const auto& curve) { return curve.first == name; });
    if (at == curves.end()) at = curves.insert(at, {name, {}});
    at->second.Add(task);
  }
  std::string text;
  for (const auto& [name, curve] : curves) {
    const size_t count = ceilings[name].size();
    const std::string what = count > 1 ? fmt::format("{}, {} ceilings", name, count) : name;
    text += fmt::format("  {:<30} {}\n", what, curve.Text());
  }
  return text;
}

}  // namespace

std::string DescribePlan(const Topology& topology, Effort effort, uint64_t memory_bytes) {
  const EffortPlan plan = PlanOf(effort);
  const uint64_t allowance = memory_bytes / 4;
  const uint64_t total = DramBytes(topology, std::min(plan.most_dram_bytes, allowance / 2));
  const MemoryPlan memory = PlanMemory(topology, total, allowance);
  std::vector<std::optional<Plateau>> plateaus;
  for (const CacheLevel& level : topology.caches) {
    plateaus.push_back(Plateau{level.size_bytes, 0});
  }
  Slabs slabs;  // no memory: the tasks are not run
  slabs.node.resize(topology.numa.size());
  slabs.chase.resize(topology.numa.size());
  const auto tasks = AllTasks(topology, &memory, slabs, plateaus, "");
  uint64_t bytes = 0;
  for (const uint64_t slab : memory.local) bytes += slab;
  std::string text = Hardware(topology);
  text += fmt::format(
      "\nplan of a {} measurement: {} in about {:.0f} s,\n"
      "working sets that exceed the caches from {}, {} in total\n",
      EffortName(effort), Plural(tasks.size(), "kernel run"), plan.seconds, Bytes(memory.total),
      Bytes(bytes));
  text += "\nceiling                          on cores\n" + Curves(tasks);
  for (const std::string& sentence : memory.left_out) text += "left out: " + sentence + "\n";
  return text;
}

}  // namespace roofmark
