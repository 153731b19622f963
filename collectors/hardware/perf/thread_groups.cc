// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/perf/thread_groups.h"

#include <cerrno>
#include <new>
#include <optional>
#include <utility>

#include "collectors/hardware/perf/explain.h"
#include "collectors/hardware/perf/group.h"

namespace roofmark::perf {
namespace {

class GroupsOfThread final : public threads::Counters {
 public:
  explicit GroupsOfThread(std::vector<Group> groups) : groups_(std::move(groups)) {}

  bool Read(size_t group, bool own, Reading& reading) noexcept override {
    const Group& read = groups_[group];
    return (own ? read.ReadOwn(reading) : read.Read(reading)) == ReadStatus::kOk;
  }
  void PrepareOwnReads() noexcept override {
    for (Group& group : groups_) group.MapPages();
  }
  bool CountOnly(size_t group) noexcept override {
    bool done = true;
    for (size_t i = 0; i < groups_.size(); ++i) {
      const bool counts = only_ == kAll || i == only_;
      if (i != group && counts) done &= groups_[i].Enable(false);
    }
    if (group != threads::kNoGroup && group != only_) done &= groups_[group].Enable(true);
    only_ = done ? group : kAll;
    return done;
  }
  void CloseInChild() noexcept override {
    for (Group& group : groups_) group.CloseInChild();
  }

 private:
  static constexpr size_t kAll = threads::kNoGroup - 1;

  std::vector<Group> groups_;
  size_t only_ = kAll;  // counts, or kNoGroup; kAll: perhaps several do
};

}  // namespace

size_t EventSet::events() const {
  size_t events = 0;
  for (const auto& group : groups) events += group.size();
  return events;
}

ThreadGroups::ThreadGroups(EventSet set) : set_(std::move(set)) {
  for (const auto& group : set_.groups) sizes_.push_back(group.size());
}

std::unique_ptr<threads::Counters> ThreadGroups::Open(pid_t tid,
                                                      threads::OpenFailure& failure) noexcept try {
  std::vector<Group> groups;
  groups.reserve(set_.groups.size());
  for (const auto& events : set_.groups) {
    std::optional<Group> group = Group::Open(events, tid, -1, set_.with_kernel, &failure);
    if (!group) return nullptr;
    groups.push_back(std::move(*group));
  }
  return std::make_unique<GroupsOfThread>(std::move(groups));
} catch (const std::bad_alloc&) {
  failure = {ENOMEM, 0};
  return nullptr;
}

std::string ThreadGroups::Explain(int error) const {
  return ExplainOpen(error, set_.with_kernel).reason;
}

}  // namespace roofmark::perf
