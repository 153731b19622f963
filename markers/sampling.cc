// SPDX-License-Identifier: BSD-3-Clause
#include "markers/sampling.h"

namespace roofmark::markers {

Extent Sampling::Wanted() const noexcept {
  if (paused_) return Extent::kNothing;
  if (begun_.load() && unexhausted_.load() == 0) return Extent::kCheap;
  return unvisited_.load() > 0 ? Extent::kFirst : Extent::kAll;
}

void Sampling::Switch() noexcept {
  if (collector_ == nullptr) return;
  const std::lock_guard lock(mutex_);
  const Extent wanted = Wanted();
  if (wanted == counting_) return;
  counting_ = wanted;
  collector_->SetCounting(wanted);
}

bool Sampling::Begin(spool::Accumulator* accumulator) noexcept {
  const uint64_t visit = accumulator->begun;
  spool::Put(accumulator->begun, visit + 1);
  if (first_only() && visit == 0) {
    unexhausted_.fetch_add(1);
    unvisited_.fetch_add(1);
    begun_.store(true);
    Switch();
  }
  return visits_.Measures(visit);
}

// Each change of the numbers is followed by a Switch(), so that the last one sees them all.
void Sampling::End(const spool::Accumulator* accumulator) noexcept {
  if (!first_only()) return;
  const uint64_t measured = accumulator->Current().measured;
  const bool all_visited = measured == 1 && unvisited_.fetch_sub(1) == 1;
  const bool exhausted = measured == visits_.n && unexhausted_.fetch_sub(1) == 1;
  if (all_visited || exhausted) Switch();
}

void Sampling::Pause(bool paused) noexcept {
  {
    const std::lock_guard lock(mutex_);
    paused_ = paused;
  }
  Switch();
}

}  // namespace roofmark::markers
