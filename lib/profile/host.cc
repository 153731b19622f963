// SPDX-License-Identifier: BSD-3-Clause
#include "lib/profile/host.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "lib/core/cpu_list.h"

namespace roofmark {
namespace {

bool ByName(const HostInfo& a, const HostInfo& b) { return a.name < b.name; }

void MergeHost(HostInfo& into, const HostInfo& other) {
  into.ranks += other.ranks;
  if (into.cpu.empty()) into.cpu = other.cpu;
  if (into.kind.empty()) into.kind = other.kind;
  into.cpuset = UniteCpuLists(into.cpuset, other.cpuset);
  into.cpus = std::max({CountCpus(into.cpuset), into.cpus, other.cpus});
  into.cores = UniteCpuLists(into.cores, other.cores);
  into.machine_cpus = std::max(into.machine_cpus, other.machine_cpus);
  // The same in any order.
  const bool has_other = !other.bound_by.empty();
  if (has_other && (into.bound_by.empty() || other.bound_by < into.bound_by)) {
    into.bound_by = other.bound_by;
  }
  const auto from = FiguresOf(other);
  const auto to = FiguresOf(into);
  for (size_t i = 0; i < to.size(); ++i) *to[i] = Combine(*to[i], *from[i]);
}

}  // namespace

OverHost Combine(const OverHost& a, const OverHost& b) {
  if (a.ranks == 0 || b.ranks == 0) return a.ranks == 0 ? b : a;
  const uint64_t sum = a.sum > OverHost::kOverflow - b.sum ? OverHost::kOverflow : a.sum + b.sum;
  return {a.ranks + b.ranks, std::min(a.least, b.least), std::max(a.most, b.most), sum};
}

void MergeHosts(std::vector<HostInfo>& into, std::vector<HostInfo> other) {
  for (std::vector<HostInfo>* list : {&into, &other}) {
    if (!std::is_sorted(list->begin(), list->end(), ByName)) {
      std::stable_sort(list->begin(), list->end(), ByName);
    }
  }
  std::vector<HostInfo> merged;
  merged.reserve(into.size() + other.size());
  std::merge(std::make_move_iterator(into.begin()), std::make_move_iterator(into.end()),
             std::make_move_iterator(other.begin()), std::make_move_iterator(other.end()),
             std::back_inserter(merged), ByName);
  into.clear();
  for (HostInfo& host : merged) {
    if (into.empty() || into.back().name != host.name) {
      into.push_back(std::move(host));
    } else {
      MergeHost(into.back(), host);
    }
  }
}

void TakeHostWork(const std::vector<HostInfo>& work, std::vector<HostInfo>& into) {
  for (HostInfo& host : into) {
    const auto same = std::find_if(work.begin(), work.end(),
                                   [&](const HostInfo& other) { return other.name == host.name; });
    if (same == work.end() || same->ranks != host.ranks) continue;
    if (same->flops.ranks > 0) host.flops = same->flops;
    if (same->dram_bytes.ranks > 0) host.dram_bytes = same->dram_bytes;
  }
}

}  // namespace roofmark
