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
                 const std::vector<uint32_t>& workers, std::vector<Buffer>* slabs) {
  const size_t first = slabs->size();
  for (const uint64_t size : bytes) {
    slabs->emplace_back(size);
    if (slabs->back().data() == nullptr) return false;
  }
  team.Run(team.All(), [&](uint32_t rank) {
    for (size_t i = 0; i < bytes.size(); ++i) {
      if (workers[i] == rank) FillSlab((*slabs)[first + i]);
    }
  });
  return true;
}

std::vector<SweepPoint> Sweep(Sampler& sampler, const std::vector<Buffer>& slabs,
                              const std::atomic<bool>* stop) {
  constexpr uint32_t kSamples = 6, kRounds = 3;
  std::vector<SweepPoint> sweep;
  for (const uint64_t bytes : SweepSizes(slabs.front().size())) {
    MeasureTask task;
    task.load = std::make_shared<MemoryLoad>(MemoryKernel{MemoryKind::kRead}, bytes, &slabs,
                                             task.on.workers, MemoryLoad::Before::kPass);
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
