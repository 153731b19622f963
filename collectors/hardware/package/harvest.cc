// SPDX-License-Identifier: BSD-3-Clause
//
// The part of Packages that runs at the end.
#include <signal.h>

#include <algorithm>
#include <cerrno>

#include "collectors/hardware/package/packages.h"
#include "collectors/hardware/package/path.h"
#include "collectors/hardware/package/weigh.h"
#include "lib/core/log.h"
#include "lib/core/messages/collectors.h"

namespace roofmark::package {
namespace {

bool Lives(const Member& member) {
  const int32_t pid = member.pid.load();
  return pid != 0 && (kill(pid, 0) == 0 || errno != ESRCH);
}

// What each rank's share of `bytes` is by its last-level misses.
Distribution Apportion(const Entry& entry, uint64_t bytes) {
  const long double per_miss =
      entry.misses == 0 ? 0
                        : static_cast<long double>(bytes) / static_cast<long double>(entry.misses);
  Distribution shares;
  shares.count = entry.ranks;
  shares.sum = bytes;
  shares.min = static_cast<uint64_t>(static_cast<long double>(entry.least_misses) * per_miss);
  shares.max = static_cast<uint64_t>(static_cast<long double>(entry.most_misses) * per_miss);
  shares.min_rank = entry.least_rank;
  shares.max_rank = entry.most_rank;
  shares.sum_of_squares = entry.squared_misses * static_cast<double>(per_miss * per_miss);
  return shares;
}

template <typename Is>
bool AnyUnfinished(Segment& segment, uint32_t package, Is is) {
  const Header& header = segment.header();
  const uint32_t members = std::min(header.members.load(), kMostMembers);
  const uint32_t bit = 1u << package;
  return std::any_of(header.member, header.member + members, [&](const Member& member) {
    return (member.packages & bit) != 0 && (member.done.load() & bit) == 0 && is(member);
  });
}

}  // namespace

void Packages::Harvest(std::vector<uint64_t> misses, HarvestSink& sink) {
  if (!counts()) return;
  counts_ = false;
  for (auto p = static_cast<uint32_t>(misses.size()); p-- > 1;) {
    const Path* record = PathOf(p);
    if (record != nullptr && record->parent < p) misses[record->parent] += misses[p];
  }
  bool gave_up = false;
  for (const auto& intervals : mine_) {
    gave_up = gave_up || intervals->gave_up();
    AddMisses(*intervals, misses);
  }
  if (gave_up) Complain(message::kControllersBlocked);
  if (unrecorded_ > 0) {
    Complain(message::kControllersNotRead, unrecorded_, kMostEntries, kMostNameBytes);
  }
  for (const auto& intervals : mine_) {
    bool last = false;
    {
      const Hold hold(segment_->package(intervals->package()));
      segment_->header().member[member_].done.fetch_or(1u << intervals->package());
      last = hold && IsLast(intervals->package());
    }
    if (last) HandOver(*intervals, sink);
  }
  if (std::all_of(mine_.begin(), mine_.end(),
                  [&](const auto& intervals) { return IsLast(intervals->package()); })) {
    segment_->ForgetName();
  }
}

bool Packages::IsLast(uint32_t package) const { return !AnyUnfinished(*segment_, package, &Lives); }

bool Packages::SomebodyDied(uint32_t package) const {
  return AnyUnfinished(*segment_, package, [](const Member& member) { return !Lives(member); });
}

void Packages::AddMisses(Intervals& intervals, const std::vector<uint64_t>& misses) {
  if (misses.empty()) return;
  const Hold hold(segment_->package(intervals.package()));
  if (!hold) return;
  const auto mine = std::find_if(mine_.begin(), mine_.end(),
                                 [&](const auto& each) { return each.get() == &intervals; });
  const auto number = static_cast<size_t>(mine - mine_.begin());
  for (uint32_t p = 1; p < misses.size(); ++p) {
    const Path* record = PathOf(p);
    Entry* entry = record == nullptr ? nullptr : record->entry[number];
    if (entry == nullptr) continue;
    // A process on several packages: an equal part on each.
    const uint64_t own = misses[p] / mine_.size();
    if (entry->ranks == 0 || own < entry->least_misses) {
      entry->least_misses = own;
      entry->least_rank = rank_;
    }
    if (entry->ranks == 0 || own > entry->most_misses) {
      entry->most_misses = own;
      entry->most_rank = rank_;
    }
    ++entry->ranks;
    entry->misses += own;
    entry->squared_misses += static_cast<double>(own) * static_cast<double>(own);
  }
}

void Packages::HandOver(Intervals& intervals, HarvestSink& sink) {
  const uint32_t package = intervals.package();
  Package& shared = segment_->package(package);
  const Hold hold(shared);
  if (!hold) {
    Complain(message::kControllersGone);
    return;
  }
  intervals.CloseOff(SomebodyDied(package));
  const std::vector<uint32_t> events = intervals.controllers().Events();
  const auto alone = [&](uint64_t value) { return Distribution::Of(value, rank_); };
  for (uint32_t i = 0; i < kMostEntries; ++i) {
    const Entry& entry = segment_->entry(package, i);
    if (entry.ready.load() == 0 || (entry.intervals == 0 && entry.too_short.load() == 0)) continue;
    const Sum* sums = segment_->Sums(package, &entry);
    const bool lost = entry.invalid != 0 || shared.damaged != 0 || entry.too_short.load() != 0;
    const Status whole = entry.too_short.load() != 0 ? Status::kUnsupported
                         : lost                      ? Status::kInvalid
                                                     : Status::kMeasured;
    const auto give = [&](MetricId id, uint64_t value, Status status) {
      sink.AddShared(entry.name, id, alone(HasValue(status) ? value : 0), status);
    };
    for (const Rule& rule : plan_.rules) {
      const Weighed weighed = threads::Weigh(rule, sums);
      give(rule.metric, weighed.value, std::max(weighed.status, whole));
    }
    const std::vector<uint64_t> controllers = BytesByController(plan_, events, sums);
    const Weighed total = TotalBytes(plan_, sums);
    const Status bytes = std::max(total.status, whole);
    give(metric::kPackageControllers, controllers.size(), whole);
    give(metric::kPackageControllerBytesMax,
         controllers.empty() ? 0 : *std::max_element(controllers.begin(), controllers.end()),
         bytes);
    give(metric::kPackageTimeNs, entry.united_ns, whole);
    give(metric::kPackageSharedNs, entry.shared_ns, whole);
    if (entry.ranks > 0 && entry.misses > 0 && HasValue(bytes)) {
      sink.AddShared(entry.name, metric::kApportionedDramBytes, Apportion(entry, total.value),
                     Status::kModelled);
    }
    if (entry.too_short.load() != 0) {
      Complain(message::kTooShortForControllers, entry.name);
    }
  }
  const Weighed idle = TotalBytes(plan_, segment_->IdleSums(package));
  if (shared.idle_invalid == 0 && shared.idle_ns > 0 && HasValue(idle.status)) {
    background_.push_back({numbers_[package], idle.value, shared.idle_ns});
  }
}

}  // namespace roofmark::package
