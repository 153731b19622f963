// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/core_sets.h"

#include <algorithm>
#include <map>
#include <set>

namespace roofmark {
namespace {

// Workers of each package, in the machine's order.
std::vector<std::vector<uint32_t>> ByPackage(const Topology& topology) {
  std::vector<std::vector<uint32_t>> packages;
  for (uint32_t worker = 0; worker < topology.cores.size(); ++worker) {
    const uint32_t package = topology.cores[worker].package;
    if (packages.size() <= package) packages.resize(package + 1);
    packages[package].push_back(worker);
  }
  std::erase_if(packages, [](const auto& workers) { return workers.empty(); });
  return packages;
}

// The first `each` cores of the first `count` packages, or all that a package has.
CoreSet Take(const std::vector<std::vector<uint32_t>>& packages, size_t count, size_t each) {
  CoreSet set;
  set.packages = static_cast<uint32_t>(count);
  for (size_t p = 0; p < count; ++p) {
    const auto& workers = packages[p];
    set.workers.insert(set.workers.end(), workers.begin(),
                       workers.begin() + static_cast<ptrdiff_t>(std::min(each, workers.size())));
  }
  return set;
}

// Powers of two and their threehalves below `last`, then `last`.
std::vector<size_t> Ladder(size_t last) {
  std::vector<size_t> steps;
  for (size_t step = 1; step < last; step *= 2) {
    steps.push_back(step);
    if (step >= 2 && step + step / 2 < last) steps.push_back(step + step / 2);
  }
  steps.push_back(last);
  return steps;
}

size_t Largest(const std::vector<std::vector<uint32_t>>& packages) {
  size_t largest = 0;
  for (const auto& workers : packages) largest = std::max(largest, workers.size());
  return largest;
}

}  // namespace

std::vector<CoreSet> FewCoreSets(const Topology& topology) {
  const auto packages = ByPackage(topology);
  std::vector<CoreSet> sets = {Take(packages, 1, 1)};
  if (packages.front().size() > 1) sets.push_back(Take(packages, 1, packages.front().size()));
  if (packages.size() > 1) sets.push_back(Take(packages, packages.size(), Largest(packages)));
  return sets;
}

std::vector<CoreSet> ManyCoreSets(const Topology& topology) {
  const auto packages = ByPackage(topology);
  std::vector<CoreSet> sets;
  for (const size_t each : Ladder(packages.front().size())) {
    sets.push_back(Take(packages, 1, each));
  }
  if (packages.size() == 1) return sets;
  for (const size_t each : Ladder(Largest(packages))) {
    sets.push_back(Take(packages, packages.size(), each));
  }
  return sets;
}

CoreSet CoresOfNode(const Topology& topology, uint32_t numa_node) {
  CoreSet set;
  std::set<uint32_t> packages;
  for (uint32_t worker = 0; worker < topology.cores.size(); ++worker) {
    if (topology.cores[worker].numa_node != numa_node) continue;
    set.workers.push_back(worker);
    packages.insert(topology.cores[worker].package);
  }
  set.packages = static_cast<uint32_t>(std::max<size_t>(1, packages.size()));
  return set;
}

uint32_t LastLevelCaches(const Topology& topology, const CoreSet& set) {
  std::set<uint32_t> caches;
  for (const uint32_t worker : set.workers) caches.insert(topology.cores[worker].last_level);
  return static_cast<uint32_t>(caches.size());
}

uint32_t MostSharing(const Topology& topology, const CoreSet& set) {
  std::map<uint32_t, uint32_t> cores;
  uint32_t most = 0;
  for (const uint32_t worker : set.workers) {
    most = std::max(most, ++cores[topology.cores[worker].last_level]);
  }
  return most;
}

}  // namespace roofmark
