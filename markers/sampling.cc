// SPDX-License-Identifier: BSD-3-Clause
#include "markers/sampling.h"

#include <algorithm>

namespace roofmark::markers {
namespace {

// With first:K the collector rests after so many times K visits in a row that are not measured. A
// region that is visited again after a long time wakes it, at most K times.
constexpr uint64_t kPatience = 8;

// Threads share these words: once it rests, none writes them.
template <typename Word>
void PutIfOther(std::atomic<Word>& word, Word value) {
  if (word != value) word = value;
}

}  // namespace

uint64_t Sampling::Patience() const noexcept {
  return kPatience * std::min(visits_.n, UINT64_MAX / kPatience);
}

Extent Sampling::Wanted() const noexcept {
  if (paused_) return Extent::kNothing;
  if (first_only() && unmeasured_ >= Patience()) return Extent::kCheap;
  return in_first_ ? Extent::kFirst : InStratum(stratum_);
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
  const uint64_t before = unmeasured_;
  PutIfOther(unmeasured_, measured ? 0 : std::min(before + 1, Patience()));
  PutIfOther(in_first_, visit == 0);
  if (visit > 0) PutIfOther(stratum_, counts::StratumOf(visit - 1));
  Switch();
  return measured;
}

void Sampling::End() noexcept {
  PutIfOther(in_first_, false);
  Switch();
}

void Sampling::Pause(bool paused) noexcept {
  paused_ = paused;
  Switch();
}

void Sampling::SetStratum(size_t stratum) noexcept {
  PutIfOther(stratum_, stratum);
  Switch();
}

}  // namespace roofmark::markers
