// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/machine/sweep.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "benchmarks/machine/memory_load.h"
#include "benchmarks/machine/plan.h"

namespace roofmark {

void FillSlab(const Buffer& slab) {
  Arrays arrays;
  FillArrays(arrays, SplitArrays(3, slab.data(), slab.size(), &arrays));
}

bool AppendSlabs(Team& team, const std::vector<uint64_t>& bytes,
                 const std::vector<uint32_t>& workers, std::vector<Buffer>* slabs, Pages pages) {
  const size_t first = slabs->size();
  for (const uint64_t size : bytes) {
    slabs->emplace_back(size, pages);
    if (slabs->back().data() == nullptr) return false;
  }
  team.Run(team.All(), [&](uint32_t rank) {
    for (size_t i = 0; i < bytes.size(); ++i) {
      if (workers[i] == rank) FillSlab((*slabs)[first + i]);
    }
  });
  return true;
}

void Sweep(Sampler& sampler, const std::vector<Buffer>& slabs, const std::atomic<bool>* stop,
           std::vector<SweepPoint>* sweep) {
  constexpr uint32_t kSamples = 6, kRounds = 3;
  const uint64_t done = sweep->empty() ? 0 : sweep->back().bytes;
  for (const uint64_t bytes : SweepSizes(slabs.front().size())) {
    if (bytes <= done) continue;
    MeasureTask task;
    task.load = std::make_shared<MemoryLoad>(MemoryKernel{MemoryKind::kRead}, bytes, &slabs,
                                             task.on.workers, MemoryLoad::Before::kPass);
    for (uint32_t round = 0; round < kRounds && task.rates.accepted() < 2; ++round) {
      if (stop != nullptr && stop->load()) return;
      sampler.Round(task, kSamples);
    }
    sweep->push_back({bytes, task.rates.Summary().value});
  }
}

bool EndsInDram(const std::vector<SweepPoint>& sweep,
                const std::vector<std::optional<Plateau>>& plateaus) {
  return !sweep.empty() && !plateaus.empty() && plateaus.back() &&
         sweep.back().bytes >= kDramPerLastLevel * plateaus.back()->end_bytes;
}

bool EndsFlat(const std::vector<SweepPoint>& sweep, double tolerance) {
  const size_t n = sweep.size();
  if (n < 4) return false;
  // Two steps of sqrt 2 make a doubling.
  const double last = std::max(sweep[n - 1].rate, sweep[n - 2].rate);
  const double before = std::max(sweep[n - 3].rate, sweep[n - 4].rate);
  return std::fabs(last - before) <= tolerance * std::max(last, before);
}

}  // namespace roofmark
