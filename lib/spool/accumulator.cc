// SPDX-License-Identifier: BSD-3-Clause
#include "lib/spool/accumulator.h"

namespace roofmark::spool {
namespace {

bool IsCommit(const Totals& totals, uint32_t sequence) {
  return static_cast<uint32_t>(totals.visits) == sequence && totals.measured <= totals.visits;
}

// The copy that is not current: what was current before, or its successor, half or wholly written.
// Each of its fields then stems from one of the two.
bool MayStandBeside(const Totals& other, const Totals& current) {
  if (current.visits == 0) return other.visits <= 1 && other.measured <= 1;
  if (other.visits + 1 == current.visits || other.visits == current.visits + 1) {
    return other.measured + 1 >= current.measured && other.measured <= current.measured + 1;
  }
  return false;
}

}  // namespace

AccumulatorReading ReadAccumulator(const Accumulator& accumulator) noexcept {
  const uint32_t sequence = accumulator.sequence.load(std::memory_order_acquire);
  const Totals& current = accumulator.copies[sequence & 1];
  const Totals& other = accumulator.copies[(sequence + 1) & 1];
  AccumulatorReading reading;
  reading.active = accumulator.active;
  if (IsCommit(current, sequence) && MayStandBeside(other, current)) {
    reading.state = AccumulatorState::kWhole;
    reading.totals = current;
  } else if (!IsCommit(current, sequence) && sequence != 0 && IsCommit(other, sequence - 1)) {
    reading.state = AccumulatorState::kTorn;
    reading.totals = other;
  }
  return reading;
}

// The copy that is current when the reading begins is overwritten only after the next commit.
void CopyAccumulator(const Accumulator& live, Accumulator& copy) noexcept {
  uint32_t sequence;
  Totals totals;
  do {
    sequence = live.sequence.load(std::memory_order_acquire);
    const Totals& current = live.copies[sequence & 1];
    totals.visits = Get(current.visits);
    totals.measured = Get(current.measured);
    totals.ticks = Get(current.ticks);
    std::atomic_thread_fence(std::memory_order_acquire);
  } while (live.sequence.load(std::memory_order_relaxed) != sequence);
  copy.active = Get(live.active);
  copy.begun = Get(live.begun);
  copy.copies[sequence & 1] = totals;
  Totals& before = copy.copies[(sequence + 1) & 1];
  before = totals;
  if (totals.visits != 0) --before.visits;
  if (before.measured > before.visits) before.measured = before.visits;
  copy.sequence.store(sequence, std::memory_order_release);
}

}  // namespace roofmark::spool
