// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/perf_event/counted_thread.h"

#include <array>
#include <cerrno>
#include <new>
#include <utility>

namespace roofmark::perf {

size_t EventSet::events() const {
  size_t events = 0;
  for (const auto& group : groups) events += group.size();
  return events;
}

std::optional<OpenFailure> CountedThread::Attach(pid_t tid,
                                                 const std::atomic<uint32_t>& team_path) noexcept
    try {
  const std::lock_guard lock(mutex_);
  groups_.reserve(set_.groups.size());
  for (const auto& events : set_.groups) {
    OpenFailure failure;
    std::optional<Group> group = Group::Open(events, tid, -1, set_.with_kernel, &failure);
    if (!group) {
      Close();
      return failure;
    }
    Counted& counted = groups_.emplace_back(Counted{std::move(*group), {}, false});
    counted.known = counted.group.Read(counted.last) == ReadStatus::kOk;
  }
  own_path_ = 0;
  // In this order: the main thread sets the team's path, then looks who is attached.
  tid_.store(tid);
  team_path_ = team_path.load();
  return std::nullopt;
} catch (const std::bad_alloc&) {
  Close();
  return OpenFailure{ENOMEM, 0};
}

void CountedThread::MissedWork(uint32_t path) noexcept {
  if (!IsMeasured(path)) return;
  const std::lock_guard lock(mutex_);
  Sum* row = sums_.Row(path);
  if (row == nullptr) lost_ = true;
  for (size_t i = 0; row != nullptr && i < set_.events(); ++i) row[i].invalid = true;
}

void CountedThread::MapPages() noexcept {
  const std::lock_guard lock(mutex_);
  for (Counted& counted : groups_) counted.group.MapPages();
}

void CountedThread::Close() noexcept {
  groups_.clear();
  tid_ = 0;
}

void CountedThread::Detach() noexcept {
  const std::lock_guard lock(mutex_);
  Account(false);
  Close();
}

void CountedThread::DetachInChild() noexcept {
  for (Counted& counted : groups_) counted.group.CloseInChild();
}

void CountedThread::EnterTeam(uint32_t path, bool own) noexcept {
  const std::lock_guard lock(mutex_);
  Account(own);
  team_path_ = path;
}

void CountedThread::EnterOwn(uint32_t path) noexcept {
  const std::lock_guard lock(mutex_);
  Account(true);
  own_path_ = path;
}

void CountedThread::Account(bool own) noexcept {
  if (groups_.empty()) return;
  Sum* row = IsMeasured(Path()) ? sums_.Row(Path()) : nullptr;
  if (row == nullptr && IsMeasured(Path())) lost_ = true;
  for (Counted& counted : groups_) {
    AccountGroup(counted, row, own);
    if (row != nullptr) row += counted.group.size();
  }
}

// Without a believable total at the beginning and the end of an interval its work is unknown, and
// so is that of the path: whatever is added later, a part is missing. If one event of a reading
// cannot be right the others are not believed either, and neither is the next interval, because
// nobody knows which of the two readings was wrong.
void CountedThread::AccountGroup(Counted& counted, Sum* row, bool own) noexcept {
  Reading now;
  const bool read = (own ? counted.group.ReadOwn(now) : counted.group.Read(now)) == ReadStatus::kOk;
  const size_t events = counted.group.size();
  std::array<Sum, kMostInGroup> differences;
  bool valid = read && counted.known;
  for (size_t i = 0; valid && i < events; ++i) {
    differences[i] =
        Difference({counted.last.values[i], counted.last.enabled_ns, counted.last.running_ns},
                   {now.values[i], now.enabled_ns, now.running_ns});
    valid = !differences[i].invalid;
  }
  for (size_t i = 0; row != nullptr && i < events; ++i) {
    if (valid) {
      row[i].Add(differences[i]);
    } else {
      row[i].invalid = true;
    }
  }
  counted.known = read && (valid || !counted.known);
  if (read) counted.last = now;
}

}  // namespace roofmark::perf
