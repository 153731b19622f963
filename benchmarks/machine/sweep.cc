// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/sweep.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "benchmarks/machine/memory_load.h"
#include "benchmarks/machine/plan.h"

namespace roofmark {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;

}  // namespace

std::vector<Buffer> MakeSlabs(Team& team, uint32_t count, uint64_t bytes) {
  std::vector<Buffer> slabs;
  for (uint32_t rank = 0; rank < count; ++rank) {
    slabs.emplace_back(bytes);
    if (bytes == 0 || slabs.back().data() == nullptr) return {};
  }
  team.Run(count, [&slabs](uint32_t rank) {
    Arrays arrays;
    FillArrays(arrays, SplitArrays(3, slabs[rank].data(), slabs[rank].size(), &arrays));
  });
  return slabs;
}

uint64_t SlabBytesOfAll(const Topology& topology, uint64_t one, uint64_t allowance) {
  const auto cores = static_cast<uint64_t>(topology.cores.size());
  const uint64_t sharing =
      topology.caches.empty() ? cores : std::max(1u, topology.caches.back().shared_by_cores);
  const uint64_t last_levels = (cores + sharing - 1) / sharing;
  const uint64_t wanted = std::max(one * last_levels / cores, 32 * kMiB);
  return std::min(wanted, allowance / cores) / kMiB * kMiB;
}

std::vector<SweepPoint> Sweep(Sampler& sampler, const std::vector<Buffer>& slabs,
                              const std::atomic<bool>* stop) {
  constexpr uint32_t kSamples = 6, kRounds = 3;
  std::vector<SweepPoint> sweep;
  for (const uint64_t bytes : SweepSizes(slabs.front().size())) {
    MeasureTask task;
    task.load = std::make_shared<MemoryLoad>(MemoryKind::kRead, bytes, &slabs, 1,
                                             MemoryLoad::Before::kPass);
    for (uint32_t round = 0; round < kRounds && task.rates.accepted() < 2; ++round) {
      if (stop != nullptr && stop->load()) return sweep;
      sampler.Round(task, kSamples);
    }
    sweep.push_back({bytes, task.rates.Summary().value});
  }
  return sweep;
}

bool EndsFlat(const std::vector<SweepPoint>& sweep, double tolerance) {
  const size_t n = sweep.size();
  if (n < 6) return false;
  // Two steps of sqrt 2 make a doubling.
  const auto octave = [&](size_t back) {
    return std::max(sweep[n - back].rate, sweep[n - back - 1].rate);
  };
  const auto agree = [=](double a, double b) {
    return std::fabs(a - b) <= tolerance * std::max(a, b);
  };
  return agree(octave(1), octave(3)) && agree(octave(3), octave(5));
}

}  // namespace roofmark
