// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/package/intervals.h"

#include <algorithm>
#include <utility>

#include "lib/core/clock.h"

namespace roofmark::package {
namespace {

// After so many intervals a region's visits are judged: reading may take a twentieth of them.
constexpr uint64_t kEnoughIntervals = 64, kMostShare = 20;

}  // namespace

class Intervals::Now {
 public:
  explicit Now(Intervals& intervals) : intervals_(intervals), ns_(NowNs()) {}

  uint64_t ns() const { return ns_; }
  const Total* totals() {
    if (state_ == State::kUnread) {
      state_ = intervals_.ReadTotals() ? State::kRead : State::kFailed;
      const uint64_t took = NowNs() - ns_;
      uint64_t& least = intervals_.read_ns_;
      least = least == 0 ? took : std::min(least, took);
    }
    return state_ == State::kRead ? intervals_.totals_.data() : nullptr;
  }

 private:
  enum class State { kUnread, kRead, kFailed };
  Intervals& intervals_;
  const uint64_t ns_;
  State state_ = State::kUnread;
};

Intervals::Intervals(Segment& segment, uint32_t package, Controllers controllers)
    : segment_(segment),
      package_(package),
      controllers_(std::move(controllers)),
      events_(controllers_.Events()),
      totals_(segment.place().events) {
  Package& shared = segment_.package(package_);
  const Hold hold(shared);
  if (!hold) {
    GiveUp();
    return;
  }
  // The first one here begins to watch the time outside of all regions.
  if (shared.members++ > 0) return;
  Now now(*this);
  shared.idle_since_ns = now.ns();
  const Total* totals = now.totals();
  if (totals == nullptr) {
    shared.idle_invalid = 1;
  } else {
    std::copy_n(totals, totals_.size(), segment_.IdleStart(package_));
  }
}

// If a total runs backwards, it is unknown which of the two readings was wrong, and what began with
// the one before.
bool Intervals::ReadTotals() noexcept {
  if (!controllers_.Read(totals_.data())) return false;
  Total* latest = segment_.Latest(package_);
  const bool backwards = std::any_of(events_.begin(), events_.end(), [&](uint32_t event) {
    return totals_[event].value < latest[event].value;
  });
  std::copy(totals_.begin(), totals_.end(), latest);
  for (uint32_t i = 0; backwards && i < kMostEntries; ++i) {
    Entry& entry = segment_.entry(package_, i);
    if (entry.inside > 0) entry.invalid = 1;
  }
  return !backwards;
}

// Others would wait for the end of what this process is in.
void Intervals::GiveUp() noexcept {
  gave_up_ = true;
  segment_.package(package_).damaged = 1;
}

void Intervals::Leave() noexcept {
  Package& shared = segment_.package(package_);
  const Hold hold(shared);
  if (hold && shared.members > 0) --shared.members;
}

void Intervals::Apply(const Changes& changes) noexcept {
  if (gave_up_.load(std::memory_order_relaxed)) return;
  Package& shared = segment_.package(package_);
  const Hold hold(shared);
  if (!hold) return GiveUp();
  Now now(*this);
  for (Entry* entry : changes.close) Close(*entry, now);
  if (changes.enters && shared.inside++ == 0) AddIdle(shared, now);
  for (Entry* entry : changes.open) Open(*entry, now);
  if (changes.leaves && --shared.inside == 0) {
    shared.idle_since_ns = now.ns();
    if (const Total* totals = now.totals()) {
      std::copy_n(totals, totals_.size(), segment_.IdleStart(package_));
    } else {
      shared.idle_invalid = 1;
    }
  }
}

void Intervals::AddIdle(Package& shared, Now& now) noexcept {
  if (!AddSince(segment_.IdleStart(package_), segment_.IdleSums(package_), now)) {
    shared.idle_invalid = 1;
  }
  shared.idle_ns += now.ns() - shared.idle_since_ns;
}

void Intervals::Open(Entry& entry, Now& now) noexcept {
  AccountShared(entry, now.ns());
  if (entry.inside++ > 0) return;
  entry.since_ns = now.ns();
  if (const Total* totals = now.totals()) {
    std::copy_n(totals, totals_.size(), segment_.Start(package_, &entry));
  } else {
    entry.invalid = 1;
  }
}

void Intervals::Close(Entry& entry, Now& now) noexcept {
  AccountShared(entry, now.ns());
  if (entry.inside == 0 || --entry.inside > 0) return;
  entry.united_ns += now.ns() - entry.since_ns;
  ++entry.intervals;
  if (!AddSince(segment_.Start(package_, &entry), segment_.Sums(package_, &entry), now)) {
    entry.invalid = 1;
  }
  JudgeLength(entry);
}

void Intervals::AccountShared(Entry& entry, uint64_t now_ns) noexcept {
  const uint32_t members = segment_.package(package_).members;
  if (entry.inside > 0 && entry.inside < members) entry.shared_ns += now_ns - entry.changed_ns;
  entry.changed_ns = now_ns;
}

bool Intervals::AddSince(const Total* start, Sum* sums, Now& now) noexcept {
  const Total* totals = now.totals();
  if (totals == nullptr) return false;
  bool valid = true;
  for (const uint32_t event : events_) {
    const Sum difference = threads::Difference(start[event], totals[event]);
    sums[event].Add(difference);
    valid = valid && !difference.invalid;
  }
  return valid;
}

// Reading the controllers takes microseconds for each. A region that is over sooner would be slowed
// down by it: it is left to the region around it.
void Intervals::JudgeLength(Entry& entry) noexcept {
  if (entry.intervals == kEnoughIntervals &&
      entry.united_ns < kEnoughIntervals * kMostShare * read_ns_) {
    entry.too_short.store(1, std::memory_order_relaxed);
  }
}

void Intervals::CloseOff(bool died) noexcept {
  Now now(*this);
  for (uint32_t i = 0; i < kMostEntries; ++i) {
    Entry& entry = segment_.entry(package_, i);
    if (entry.ready.load() == 0 || entry.inside == 0) continue;
    entry.inside = 1;
    if (died) entry.invalid = 1;
    Close(entry, now);
  }
  Package& shared = segment_.package(package_);
  if (shared.inside == 0) AddIdle(shared, now);
}

}  // namespace roofmark::package
