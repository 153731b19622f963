// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/memory_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <string_view>

#include "benchmarks/machine/chase_load.h"
#include "benchmarks/machine/memory_load.h"
#include "benchmarks/machine/random_load.h"
#include "benchmarks/machine/sweep.h"
#include "lib/model/memory_streams.h"
#include "lib/model/small_pages.h"

namespace roofmark {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;
// Less per core and the start of a walk shows more than its middle.
constexpr uint64_t kLeastSlab = 32 * kMiB, kLeastWalk = 64 * kMiB;
// Bytes per cycle and core that no core loads and stores: four 64-byte accesses.
constexpr double kMostBytesPerCycle = 256;
// A chain through so many times the level above hardly ever finds a line there.
constexpr uint64_t kTimesAbove = 4;

uint64_t Sum(const std::vector<uint64_t>& bytes) {
  return std::accumulate(bytes.begin(), bytes.end(), uint64_t{0});
}

MeasureTask TaskOf(std::string id, std::string label, const CoreSet& set,
                   std::shared_ptr<Load> load) {
  MeasureTask task;
  task.id = std::move(id);
  task.label = std::move(label);
  task.unit = "GB/s";
  task.on = set;
  task.load = std::move(load);
  return task;
}

MeasureTask MemoryTask(std::string_view level, MemoryKernel kernel, const CoreSet& set,
                       std::shared_ptr<Load> load) {
  const MemoryKindInfo& info = GetInfo(kernel.kind);
  auto task = TaskOf(fmt::format("bandwidth.{}.{}", level, info.name),
                     fmt::format("{} {}", level, info.label), set, std::move(load));
  task.counted_factor = info.allocating_factor;
  if (kernel.prefetch_bytes > 0)
    task.variant = fmt::format("{} bytes ahead", kernel.prefetch_bytes);
  if (kernel.kind == MemoryKind::kReadFour) task.variant = "four streams";
  task.needed =
      kernel.kind == MemoryKind::kRead || (kernel.kind == MemoryKind::kTriad && level == "DRAM");
  return task;
}

MeasureTask LatencyTask(std::string id, std::string label, uint32_t worker,
                        std::shared_ptr<Load> load) {
  auto task = TaskOf(std::move(id), std::move(label), {{worker}, 1}, std::move(load));
  task.unit = "ns";
  return task;
}

// Bytes of each core of a set, so that all together take `total` for each last-level cache.
uint64_t BytesPerCore(const Topology& topology, const CoreSet& set, uint64_t total) {
  const uint64_t share = total * LastLevelCaches(topology, set) / set.cores();
  return std::max(share, std::min(total, kLeastSlab)) / kMiB * kMiB;
}

// Of each core of a set in its own slab; one core alone has all that was found to reach DRAM.
uint64_t LocalBytes(const Topology& topology, const MemoryPlan& plan, const CoreSet& set) {
  return set.cores() == 1 ? plan.local[set.workers.front()]
                          : BytesPerCore(topology, set, plan.total);
}

std::vector<uint64_t> LocalSlabs(const Topology& topology, uint64_t total) {
  std::vector<uint64_t> bytes(topology.cores.size());
  for (const CoreSet& set : ManyCoreSets(topology)) {
    const uint64_t each = BytesPerCore(topology, set, total);
    for (const uint32_t worker : set.workers) bytes[worker] = std::max(bytes[worker], each);
  }
  return bytes;
}

std::vector<NumaNode> NodesWithCores(const Topology& topology) {
  std::vector<NumaNode> nodes;
  std::copy_if(topology.numa.begin(), topology.numa.end(), std::back_inserter(nodes),
               [](const NumaNode& node) { return node.cores > 0; });
  return nodes;
}

// As many slabs as the largest node has cores.
std::vector<uint64_t> NodeSlabs(const Topology& topology, uint64_t total) {
  std::vector<uint64_t> most;
  for (const NumaNode& node : NodesWithCores(topology)) {
    const CoreSet set = CoresOfNode(topology, node.index);
    if (set.cores() > most.size()) most.assign(set.cores(), BytesPerCore(topology, set, total));
  }
  return most;
}

struct Streams {
  const Topology& topology;
  const MemoryPlan& plan;
  const Slabs& slabs;
  std::vector<MeasureTask>& tasks;

  void Add(MemoryKernel kernel, const CoreSet& set) {
    const uint64_t bytes = LocalBytes(topology, plan, set);
    tasks.push_back(
        MemoryTask("DRAM", kernel, set,
                   std::make_shared<MemoryLoad>(kernel, bytes, &slabs.local, set.workers,
                                                MemoryLoad::Before::kEvict)));
  }
};

void AddCurves(Streams& streams) {
  for (const CoreSet& set : ManyCoreSets(streams.topology)) {
    for (const MemoryKind kind : {MemoryKind::kRead, MemoryKind::kReadFour, MemoryKind::kTriad}) {
      streams.Add({kind}, set);
    }
  }
}

void AddLadder(Streams& streams) {
  using enum MemoryKind;
  for (const CoreSet& set : FewCoreSets(streams.topology)) {
    for (const MemoryKind kind : {kCopy, kTriadNt, kStrided}) streams.Add({kind}, set);
    for (const uint32_t ahead : {512u, 1024u, 2048u, 4096u}) {
      streams.Add({kReadPrefetch, ahead}, set);
      streams.Add({kTriadPrefetch, ahead}, set);
    }
    const uint64_t bytes = LocalBytes(streams.topology, streams.plan, set);
    streams.tasks.push_back(
        TaskOf("bandwidth.DRAM.random", "DRAM read, lines in random order", set,
               std::make_shared<RandomLoad>(bytes, &streams.slabs.local, set.workers)));
  }
}

// What one core draws from so many streams.
void AddStreamCurve(Streams& streams, PageSize pages) {
  using enum MemoryKind;
  constexpr MemoryKind kReadKinds[] = {kRead, kReadTwo, kReadFour, kReadEight};
  static_assert(std::size(kReadKinds) == kStreamCounts.size());
  const bool small = pages == PageSize::kSmall;
  const CoreSet one = FewCoreSets(streams.topology).front();
  const uint64_t bytes =
      small ? streams.plan.small : LocalBytes(streams.topology, streams.plan, one);
  const std::vector<Buffer>* slabs = small ? &streams.slabs.small : &streams.slabs.local;
  for (size_t i = 0; i < kStreamCounts.size(); ++i) {
    const int count = kStreamCounts[i];
    const std::string what = count == 1 ? "one stream" : fmt::format("{} streams", count);
    streams.tasks.push_back(
        TaskOf(StreamCeilingId(count, pages),
               fmt::format("DRAM read, {}{}", what, small ? ", pages of 4 KiB" : ""), one,
               std::make_shared<MemoryLoad>(MemoryKernel{kReadKinds[i]}, bytes, slabs, one.workers,
                                            MemoryLoad::Before::kEvict)));
  }
}

void AddNoAffinity(Streams& streams) {
  if (!streams.plan.far) return;
  const CoreSet all = FewCoreSets(streams.topology).back();
  const uint64_t bytes = BytesPerCore(streams.topology, all, streams.plan.total);
  for (const MemoryKind kind : {MemoryKind::kRead, MemoryKind::kReadFour}) {
    streams.tasks.push_back(
        TaskOf("bandwidth.DRAM.read_far", "DRAM read, all pages on one NUMA node", all,
               std::make_shared<MemoryLoad>(MemoryKernel{kind}, bytes, &streams.slabs.far,
                                            all.workers, MemoryLoad::Before::kEvict)));
  }
}

void AddSmallPages(Streams& streams) {
  const uint64_t bytes = streams.plan.small;
  if (bytes == 0) return;
  for (const CoreSet& set : FewCoreSets(streams.topology)) {
    for (const MemoryKind kind : {MemoryKind::kRead, MemoryKind::kReadFour}) {
      streams.tasks.push_back(
          TaskOf(SmallPagesCeilingId("DRAM"), "DRAM read, pages of 4 KiB", set,
                 std::make_shared<MemoryLoad>(MemoryKernel{kind}, bytes, &streams.slabs.small,
                                              set.workers, MemoryLoad::Before::kEvict)));
    }
  }
  AddStreamCurve(streams, PageSize::kSmall);
}

void AddMatrix(Streams& streams) {
  for (const NumaNode& from : NodesWithCores(streams.topology)) {
    const CoreSet set = CoresOfNode(streams.topology, from.index);
    std::vector<uint32_t> ranks(set.cores());
    std::iota(ranks.begin(), ranks.end(), 0u);
    for (const size_t to : streams.plan.matrix) {
      const std::string pair = fmt::format("{}.{}", from.index, streams.topology.numa[to].index);
      const std::string names =
          fmt::format("node {} in memory of node {}", from.index, streams.topology.numa[to].index);
      const std::vector<Buffer>* slabs = &streams.slabs.node[to];
      const uint64_t bytes = BytesPerCore(streams.topology, set, streams.plan.total);
      for (const MemoryKind kind : {MemoryKind::kRead, MemoryKind::kReadFour}) {
        streams.tasks.push_back(
            TaskOf("numa.bandwidth." + pair, "read by " + names, set,
                   std::make_shared<MemoryLoad>(MemoryKernel{kind}, bytes, slabs, ranks,
                                                MemoryLoad::Before::kEvict)));
      }
      streams.tasks.push_back(LatencyTask("numa.latency." + pair, "latency from " + names,
                                          set.workers.front(),
                                          std::make_shared<ChaseLoad>(&streams.slabs.chase[to])));
    }
  }
}

}  // namespace

uint64_t FastBytes(const Topology& topology) {
  if (topology.caches.empty()) return 0;
  const CacheLevel& last = topology.caches.back();
  return last.plateau_bytes != 0 ? last.plateau_bytes : last.size_bytes;
}

uint64_t DramBytes(const Topology& topology, uint64_t allowance) {
  const uint64_t last = topology.caches.empty() ? 0 : topology.caches.back().size_bytes;
  return std::min(std::max(kDramPerLastLevel * last, 256 * kMiB), allowance) / kMiB * kMiB;
}

// The chain comes back to a line only after all others: a few times the last level will do.
uint64_t ChaseBytes(uint64_t total) { return std::min(total / 2, 512 * kMiB); }

uint64_t MemoryPlan::NodeBytes() const { return Sum(node) + ChaseBytes(total); }

MemoryPlan PlanMemory(const Topology& topology, uint64_t total, uint64_t allowance) {
  MemoryPlan plan;
  plan.total = total;
  plan.local = LocalSlabs(topology, plan.total);
  // The first core's slab stays as it was found to reach DRAM; others may have less.
  while (Sum(plan.local) + ChaseBytes(total) > allowance && plan.total > 2 * kMiB) {
    plan.total /= 2;
    plan.local = LocalSlabs(topology, plan.total);
    plan.local.front() = std::max(plan.local.front(), total);
  }
  if (plan.total < total) {
    plan.left_out.push_back(
        fmt::format("only {} MiB of memory may be used: the working sets of several cores have {} "
                    "MiB in total instead of {}, and DRAM figures may include cache hits",
                    allowance / kMiB, plan.total / kMiB, total / kMiB));
  }
  uint64_t used = Sum(plan.local) + ChaseBytes(total);
  const auto take = [&](uint64_t bytes, std::string_view what) {
    if (used + bytes <= allowance) {
      used += bytes;
      return true;
    }
    plan.left_out.push_back(fmt::format(
        "{} not measured: it needs {} MiB more than the {} MiB of memory that may be used", what,
        (used + bytes - allowance) / kMiB, allowance / kMiB));
    return false;
  };
  // Page tables grow with the memory, and a walk with them: as little as reaches DRAM.
  const uint64_t walk = std::min(std::max(4 * FastBytes(topology), kLeastWalk), ChaseBytes(total));
  if (take(2 * walk, "page walks of loads from DRAM")) plan.walk = walk;
  if (NodesWithCores(topology).size() > 1) {
    plan.far = take(Sum(plan.local), "DRAM without affinity");
  }
  if (topology.numa.size() > 1) {
    plan.node = NodeSlabs(topology, plan.total);
    for (size_t i = 0; i < topology.numa.size(); ++i) {
      if (topology.numa[i].memory_bytes / 4 >= plan.NodeBytes()) {
        plan.matrix.push_back(i);
      } else {
        plan.left_out.push_back(
            fmt::format("NUMA node {} not measured: a quarter of its memory is less than the {} "
                        "MiB that this needs",
                        topology.numa[i].index, plan.NodeBytes() / kMiB));
      }
    }
    if (plan.matrix.size() < 2 ||
        !take(plan.NodeBytes() * plan.matrix.size(), "bandwidth and latency between NUMA nodes")) {
      plan.matrix.clear();
    }
  }
  // As much of each core as there is room for, up to what reaches DRAM in huge pages: what a last
  // level keeps varies where others use it, too. More than a gigabyte takes long to touch.
  const uint64_t least = std::max(4 * FastBytes(topology) / kMiB * kMiB, kLeastSlab);
  const uint64_t most = std::min(plan.local.front(), 1024 * kMiB);
  const uint64_t left = (allowance - std::min(allowance, used)) / topology.cores.size();
  const uint64_t small = std::max(std::min(left / kMiB * kMiB, most), least);
  if (take(small * topology.cores.size(), "DRAM in pages of 4 KiB")) plan.small = small;
  return plan;
}

std::vector<MeasureTask> DramTasks(const Topology& topology, const MemoryPlan& plan,
                                   const Slabs& slabs) {
  std::vector<MeasureTask> tasks;
  Streams streams{topology, plan, slabs, tasks};
  AddCurves(streams);
  AddLadder(streams);
  AddStreamCurve(streams, PageSize::kHuge);
  AddNoAffinity(streams);
  AddSmallPages(streams);
  tasks.push_back(LatencyTask("latency.DRAM", "DRAM latency", 0,
                              std::make_shared<ChaseLoad>(ChaseBytes(plan.total))));
  AddMatrix(streams);
  return tasks;
}

// 256 pages are more than any first TLB holds. As many as half of a second cache level has lines
// are more than the second TLB beside such a level holds, or are at least 8,192.
std::vector<MeasureTask> PageTasks(const Topology& topology, const MemoryPlan* plan) {
  constexpr uint64_t kPage = 4096, kFew = 256, kLeast = 2048, kMost = 8192;
  const uint64_t second = topology.caches.size() > 1 ? topology.caches[1].size_bytes : 0;
  const uint64_t many = std::clamp(second / 2 / LineOrder::kLineBytes, kLeast, kMost);
  std::vector<MeasureTask> tasks;
  const auto add = [&tasks](std::string_view id, std::string_view what, const auto& load_in) {
    tasks.push_back(LatencyTask(std::string(id), fmt::format("latency, {}, huge pages", what), 0,
                                std::make_shared<ChaseLoad>(load_in(Pages::kHuge))));
    tasks.push_back(LatencyTask(SmallPagesId(id), fmt::format("latency, {}, pages of 4 KiB", what),
                                0, std::make_shared<ChaseLoad>(load_in(Pages::kSmall))));
  };
  add(kSecondTlbId, fmt::format("a line in 4 KiB of {} MiB", kFew * kPage / kMiB),
      [=](Pages pages) { return ChaseLoad::OverPages(kFew * kPage, pages); });
  add(kPageWalkId, fmt::format("a line in 4 KiB of {} MiB", many * kPage / kMiB),
      [=](Pages pages) { return ChaseLoad::OverPages(many * kPage, pages); });
  if (plan == nullptr || plan->walk == 0) return tasks;
  add(kFarPageWalkId, fmt::format("all lines of {} MiB", plan->walk / kMiB),
      [=](Pages pages) { return ChaseLoad(plan->walk, pages); });
  return tasks;
}

bool NeedsHugePages(const MeasureTask& task) {
  return task.id.starts_with(kSecondTlbId) || task.id.starts_with(kPageWalkId);
}

std::vector<MeasureTask> CacheTasks(const Topology& topology,
                                    const std::vector<std::optional<Plateau>>& plateaus,
                                    const std::vector<CoreSet>& sets) {
  std::vector<MeasureTask> tasks;
  for (size_t i = 0; i < topology.caches.size() && i < plateaus.size(); ++i) {
    if (!plateaus[i]) continue;
    const std::string level = fmt::format("L{}", topology.caches[i].level);
    for (const MemoryKind kind : {MemoryKind::kRead, MemoryKind::kCopy, MemoryKind::kTriad}) {
      for (const CoreSet& set : sets) {
        const auto bytes = LevelBytes(topology.caches, i, MostSharing(topology, set));
        if (!bytes) continue;
        const MemoryKernel kernel{kind};
        auto task = MemoryTask(level, kernel, set,
                               std::make_shared<MemoryLoad>(kernel, *bytes, set.cores()));
        // The innermost level has nothing to fetch a line into: its traffic is what the source
        // says.
        if (i == 0) task.counted_factor = 1;
        task.most_per_cycle = kMostBytesPerCycle;
        tasks.push_back(std::move(task));
      }
    }
    // Pages of 4 KiB that the first levels hold are few.
    for (const CoreSet& set : i < 2 ? std::vector<CoreSet>() : sets) {
      const auto bytes = LevelBytes(topology.caches, i, MostSharing(topology, set));
      if (!bytes) continue;
      tasks.push_back(TaskOf(SmallPagesCeilingId(level), level + " read, pages of 4 KiB", set,
                             std::make_shared<MemoryLoad>(MemoryKernel{MemoryKind::kRead}, *bytes,
                                                          set.cores(), Pages::kSmall)));
      tasks.back().most_per_cycle = kMostBytesPerCycle;
    }
    if (const auto bytes = LevelBytes(topology.caches, i, 1)) {
      // Where others use a shared level, it loses lines within milliseconds: each is to be read
      // again before that.
      const uint64_t most = i < 2 ? *bytes : kTimesAbove * topology.caches[i - 1].size_bytes;
      const uint64_t kept = std::min(*bytes, most);
      tasks.push_back(LatencyTask("latency." + level, level + " latency", 0,
                                  std::make_shared<ChaseLoad>(kept)));
      if (i >= 2) {
        tasks.push_back(TaskOf(fmt::format("bandwidth.{}.random", level),
                               level + " read, lines in random order", {{0}, 1},
                               std::make_shared<RandomLoad>(kept)));
      }
    }
  }
  return tasks;
}

}  // namespace roofmark
