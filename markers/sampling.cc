// SPDX-License-Identifier: BSD-3-Clause
#include "markers/sampling.h"

namespace roofmark::markers {
namespace {

// With first:K the collector rests after so many times K visits in a row that are not measured. A
// region that is visited again after a long time wakes it, at most K times.
constexpr uint64_t kPatience = 8;

}  // namespace

Extent Sampling::Wanted() const noexcept {
  if (paused_) return Extent::kNothing;
  if (first_only() && unmeasured_ >= kPatience * visits_.n) return Extent::kCheap;
  return in_first_ ? Extent::kFirst : Extent::kAll;
}

void Sampling::Switch() noexcept {
  if (collector_ == nullptr || Wanted() == counting_) return;
  const std::lock_guard lock(mutex_);
  const Extent wanted = Wanted();
  if (wanted == counting_) return;
  counting_ = wanted;
  collector_->SetCounting(wanted);
}

bool Sampling::Begin(spool::Accumulator* accumulator) noexcept {
  const uint64_t visit = accumulator->begun;
  spool::Put(accumulator->begun, visit + 1);
  const bool measured = visits_.Measures(visit);
  if (!first_only()) return measured;
  unmeasured_ = measured ? 0 : unmeasured_ + 1;
  in_first_ = visit == 0;
  Switch();
  return measured;
}

void Sampling::End() noexcept {
  in_first_ = false;
  Switch();
}

void Sampling::Pause(bool paused) noexcept {
  paused_ = paused;
  Switch();
}

}  // namespace roofmark::markers
