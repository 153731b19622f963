// SPDX-License-Identifier: BSD-3-Clause
//
// What one begin and end cost here and now.
#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "markers/fast_path.h"

namespace roofmark::markers {
namespace {

constexpr size_t kRounds = 15;

// Of one call, in clock ticks: the median of kRounds rounds of `times` calls, so that an interrupt
// or a cold cache does not count.
template <typename Call>
double MedianTicks(uint32_t times, Call call) {
  std::array<uint64_t, kRounds> rounds;
  for (uint64_t& round : rounds) {
    const uint64_t begin = Ticks();
    for (uint32_t i = 0; i < times; ++i) call();
    round = Ticks() - begin;
  }
  std::nth_element(rounds.begin(), rounds.begin() + kRounds / 2, rounds.end());
  return static_cast<double>(rounds[kRounds / 2]) / times;
}

}  // namespace

double Recorder::PairTicks(bool waits_at_boundaries) noexcept {
  const std::unique_ptr<ThreadRecord> scratch(ThreadRecord::Create(/*is_main=*/true));
  if (scratch == nullptr || recording()) return 0;
  constexpr uint32_t kName = 1, kLevel = 0;
  Accumulator accumulator;
  scratch->simple = true;
  scratch->LookupFor(Place{}, kName) = {Place{}, kName, 0, Place{}, &accumulator, false};
  ThreadRecord* const record = t_record;
  t_record = scratch.get();
  const uint8_t inside = std::exchange(t_inside, uint8_t{0});
  double pair = MedianTicks(32, [] {
    TryBegin(kName, kLevel);
    TryEnd(kName, Ticks());
  });
  t_inside = inside;
  t_record = record;
  if (collector_ == nullptr) return pair;
  // The path stays the same, so the time is charged to no region. A barrier would wait for ranks
  // that do not come.
  pair += 2 * MedianTicks(2, [&] {
            waits_at_boundaries ? collector_->EnterOwn(0) : collector_->EnterTeam(0);
          });
  return pair;
}

}  // namespace roofmark::markers
