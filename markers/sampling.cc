// SPDX-License-Identifier: BSD-3-Clause
#include "markers/sampling.h"

namespace roofmark::markers {

void Sampling::Switch() noexcept {
  if (collector_ == nullptr) return;
  const std::lock_guard lock(mutex_);
  const Extent wanted = paused_             ? Extent::kNothing
                        : exhausted_.load() ? Extent::kCheap
                                            : Extent::kAll;
  if (wanted == counting_) return;
  counting_ = wanted;
  collector_->SetCounting(wanted);
}

bool Sampling::Begin(spool::Accumulator* accumulator) noexcept {
  const uint64_t visit = accumulator->begun;
  spool::Put(accumulator->begun, visit + 1);
  if (first_only() && visit == 0) {
    unexhausted_.fetch_add(1);
    if (exhausted_.exchange(false)) Switch();
  }
  return visits_.Measures(visit);
}

// The collector is switched at most twice per (thread record, path).
void Sampling::End(const spool::Accumulator* accumulator) noexcept {
  if (!first_only() || accumulator->Current().measured != visits_.n) return;
  if (unexhausted_.fetch_sub(1) == 1 && !exhausted_.exchange(true)) Switch();
}

void Sampling::Pause(bool paused) noexcept {
  {
    const std::lock_guard lock(mutex_);
    paused_ = paused;
  }
  Switch();
}

}  // namespace roofmark::markers
