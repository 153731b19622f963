// SPDX-License-Identifier: BSD-3-Clause
#include "markers/kernel_watch.h"

#include <algorithm>

#include "lib/core/clock.h"

namespace roofmark::markers {
namespace {

// Two readings are to take 1 % of a long visit.
constexpr uint64_t kReadingsInLongVisit = 200;

}  // namespace

void KernelWatch::Start() noexcept {
  reading_ticks_ = 0;
  for (int i = 0; i < 3; ++i) {
    const uint64_t begin = Ticks();
    ReadKernelCounts(KernelCountsOf::kProcess);
    const uint64_t ticks = std::max<uint64_t>(1, TicksBetween(begin, Ticks()));
    reading_ticks_ = i == 0 ? ticks : std::min(reading_ticks_, ticks);
  }
  long_visit_ = kReadingsInLongVisit * reading_ticks_;
}

// A reading takes longer the more threads there are. One that was interrupted says little.
KernelCounts KernelWatch::Read(KernelCountsOf whose) noexcept {
  const uint64_t begin = Ticks();
  const KernelCounts counts = ReadKernelCounts(whose);
  const uint64_t ticks = std::min(TicksBetween(begin, Ticks()), 2 * reading_ticks_);
  reading_ticks_ = std::max<uint64_t>(1, (7 * reading_ticks_ + ticks + 4) / 8);
  long_visit_ = kReadingsInLongVisit * reading_ticks_;
  return counts;
}

bool KernelWatch::Begin(KernelCountsOf whose, const SharedKernelCounts& threads) noexcept {
  if (long_visit_ == kNever || open_ == visits_.size()) return false;
  Visit& visit = visits_[open_++];
  visit = {whose, {}, threads.Sum(), {}};
  visit.at_begin = Read(whose);
  return true;
}

KernelCounts KernelWatch::End(SharedKernelCounts& threads) noexcept {
  const Visit& visit = visits_[--open_];
  KernelCounts all = Read(visit.whose).Since(visit.at_begin);
  if (visit.whose == KernelCountsOf::kProcess) {
    all = all.Since(threads.Sum().Since(visit.threads_at_begin));
  }
  const KernelCounts own = all.Since(visit.below);
  if (open_ > 0 && visits_[open_ - 1].whose == visit.whose) {
    visits_[open_ - 1].below.Add(all);
  } else if (visit.whose == KernelCountsOf::kThread) {
    threads.Add(all);
  }
  return own;
}

}  // namespace roofmark::markers
