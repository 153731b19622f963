// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/threads/counted_thread.h"

#include <algorithm>
#include <new>
#include <utility>

namespace roofmark::threads {

std::optional<OpenFailure> CountedThread::Attach(pid_t tid,
                                                 const std::atomic<uint32_t>& team_path) noexcept {
  const std::lock_guard lock(mutex_);
  OpenFailure failure;
  counters_ = source_.Open(tid, failure);
  if (counters_ == nullptr) return failure;
  for (size_t i = 0; i < groups_.size(); ++i) {
    groups_[i].known = counters_->Read(i, false, groups_[i].last);
  }
  active_ = 0;
  if (rotate_) Activate(active_);
  own_path_ = 0;
  layer_ = Layer::kWork;
  // In this order: the main thread sets the team's path, then looks who is attached.
  tid_.store(tid);
  team_path_ = team_path.load();
  return std::nullopt;
}

void CountedThread::MissedWork(uint32_t path) noexcept {
  if (!IsMeasured(path)) return;
  const std::lock_guard lock(mutex_);
  const Places places = PlacesOf(path, Layer::kWork);
  for (size_t i = 0; i < source_.Events(); ++i) {
    places.Both(i, [](Sum& sum) { sum.invalid = true; });
  }
}

void CountedThread::KeepIn(counts::CountStore& store) noexcept {
  const std::lock_guard lock(mutex_);
  store_ = &store;
  kept_.reset(new (std::nothrow) KeptSums(store, sizes_, source_.Events(), worker_));
  if (kept_ == nullptr) store.Lacks(counts::Lack::kRoom);
}

void CountedThread::PrepareOwnReads() noexcept {
  const std::lock_guard lock(mutex_);
  if (counters_ != nullptr) counters_->PrepareOwnReads();
}

void CountedThread::Close() noexcept {
  counters_.reset();
  tid_ = 0;
}

void CountedThread::Detach() noexcept {
  const std::lock_guard lock(mutex_);
  Account(false);
  // The end of its visit will not be told to this record.
  if (own_path_ != 0 && store_ != nullptr) store_->Lacks(counts::Lack::kWork);
  Close();
}

void CountedThread::DetachInChild() noexcept {
  if (counters_ != nullptr) counters_->CloseInChild();
}

void CountedThread::Finish(const counts::FinishedVisit* finished) noexcept {
  if (finished != nullptr && kept_ != nullptr) kept_->Finish(*finished);
}

void CountedThread::EnterTeam(uint32_t path, bool own,
                              const counts::FinishedVisit* finished) noexcept {
  const std::lock_guard lock(mutex_);
  Account(own);
  if (own) layer_ = Layer::kWork;
  Finish(finished);
  const bool begins = path > team_path_;
  team_path_ = path;
  if (rotate_ && begins) Rotate();
}

void CountedThread::EnterOwn(uint32_t path, const counts::FinishedVisit* finished) noexcept {
  const std::lock_guard lock(mutex_);
  Account(true);
  layer_ = Layer::kWork;
  Finish(finished);
  const bool begins = path > own_path_;
  own_path_ = path;
  if (rotate_ && begins) Rotate();
}

Layer CountedThread::EnterLayer(Layer layer) noexcept {
  const std::lock_guard lock(mutex_);
  const Layer before = layer_;
  if (layer == before || layer == Layer::kOwn) return before;
  Account(true);
  layer_ = layer;
  if (SumsOf(layer) == nullptr) {
    apart_[layer == Layer::kMpi ? 0 : 1].reset(new (std::nothrow) PathSums(source_.Events()));
  }
  return before;
}

void CountedThread::SetCounting(bool on) noexcept {
  const std::lock_guard lock(mutex_);
  if (on == counting_) return;
  Account(false);
  counting_ = on;
}

// Without memory the counts of the path are lost, and both readers are told. Only work is kept.
CountedThread::Places CountedThread::PlacesOf(uint32_t path, Layer layer) noexcept {
  if (!IsMeasured(path)) return {};
  Places places;
  PathSums* sums = SumsOf(layer);
  places.row = sums == nullptr ? nullptr : sums->Row(path);
  if (places.row == nullptr) lost_ = true;
  if (kept_ != nullptr && layer == Layer::kWork) places.open = kept_->Open(path);
  return places;
}

void CountedThread::Account(bool own) noexcept {
  if (counters_ == nullptr) return;
  const Places places = PlacesOf(Path(), layer_);
  if (rotate_) return AccountOne(places, own);
  size_t event = 0;
  for (size_t i = 0; i < groups_.size(); event += sizes_[i++]) {
    AccountGroup(i, places.From(event), own);
  }
}

// The others stood still: the time that the one counted is time in which they did not. At least a
// moment, even if the clock did not move: what they have is not all. If it is unknown how long it
// was nothing can be scaled up.
void CountedThread::AccountOne(const Places& places, bool own) noexcept {
  size_t first = 0;
  for (size_t i = 0; i < active_; ++i) first += sizes_[i];
  const Places active = places.From(first);
  const uint64_t before = active.row == nullptr ? 0 : active.row->enabled_ns;
  const bool known = AccountGroup(active_, active, own);
  if (active.row == nullptr) return;
  const uint64_t passed = std::max<uint64_t>(active.row->enabled_ns - before, 1);
  size_t event = 0;
  for (size_t i = 0; i < groups_.size(); event += sizes_[i++]) {
    for (size_t k = 0; i != active_ && k < sizes_[i]; ++k) {
      places.Both(event + k, [&](Sum& sum) {
        sum.enabled_ns += passed;
        sum.invalid |= !known;
      });
    }
  }
}

// By coverage rather than in turns: regions that alternate would get the same group every time.
void CountedThread::Rotate() noexcept {
  if (counters_ == nullptr || !IsMeasured(Path())) return;
  const Sum* row = sums_.Row(Path());
  if (row == nullptr) return;
  size_t least = 0;
  uint64_t least_ns = UINT64_MAX;
  for (size_t i = 0; i < groups_.size(); row += sizes_[i++]) {
    if (row->running_ns < least_ns) least = i, least_ns = row->running_ns;
  }
  if (least != active_ || !switched_) Activate(least);
}

// If it fails groups may count while they are believed to stand still: none of their totals is the
// beginning of anything then.
void CountedThread::Activate(size_t group) noexcept {
  active_ = group;
  switched_ = counters_->CountOnly(group);
  if (switched_) return;
  for (Group& each : groups_) each.known = false;
}

// Without a believable total at the beginning and the end of an interval its work is unknown, and
// so is that of the path: whatever is added later, a part is missing. If one event of a reading
// cannot be right the others are not believed either, and neither is the next interval, because
// it is unknown which of the two readings was wrong.
bool CountedThread::AccountGroup(size_t group, const Places& places, bool own) noexcept {
  Group& counted = groups_[group];
  Reading now;
  const bool read = counters_->Read(group, own, now);
  bool valid = read && counted.known;
  for (size_t i = 0; valid && i < sizes_[group]; ++i) {
    const Sum difference =
        Difference({counted.last.values[i], counted.last.enabled_ns, counted.last.running_ns},
                   {now.values[i], now.enabled_ns, now.running_ns});
    valid = !difference.invalid;
    // Of no account if a later event is invalid: then all of them are.
    places.Both(i, [&](Sum& sum) { sum.Add(difference); });
  }
  for (size_t i = 0; !valid && i < sizes_[group]; ++i) {
    places.Both(i, [](Sum& sum) { sum.invalid = true; });
  }
  counted.known = read && (valid || !counted.known);
  if (read) counted.last = now;
  return valid;
}

}  // namespace roofmark::threads
