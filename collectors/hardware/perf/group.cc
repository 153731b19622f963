// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/perf/group.h"

#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "collectors/hardware/events/generic.h"
#include "collectors/hardware/perf/page.h"
#include "lib/core/descriptor.h"

namespace roofmark::perf {
namespace {

constexpr uint64_t kFormat = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED |
                             PERF_FORMAT_TOTAL_TIME_RUNNING;

// As read(2) fills it with kFormat.
struct Layout {
  uint64_t count, enabled_ns, running_ns;
  struct {
    uint64_t value, id;
  } of[kMostInGroup];
};

int OpenEvent(perf_event_attr attr, pid_t tid, int cpu, bool with_kernel, int leader) {
  attr.size = sizeof(attr);
  attr.read_format = kFormat;
  attr.disabled = leader < 0;
  // Devices outside the cores know no modes, and refuse to be asked for one.
  attr.exclude_kernel =
      tid >= 0 && !with_kernel && !events::HappensInKernel(attr.type, attr.config);
  attr.exclude_hv = tid >= 0;
  return static_cast<int>(
      syscall(SYS_perf_event_open, &attr, tid, cpu, leader, PERF_FLAG_FD_CLOEXEC));
}

size_t PageSize() {
  static const auto size = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

}  // namespace

std::optional<Group> Group::Open(const std::vector<perf_event_attr>& events, pid_t tid, int cpu,
                                 bool with_kernel, OpenFailure* failure) {
  Group group;
  const auto fail = [&](size_t event) {
    *failure = {errno, event};
    return std::nullopt;
  };
  for (const perf_event_attr& event : events) {
    const size_t i = group.size_;
    const int leader = group.events_[0].number();
    group.events_[i] =
        EventDescriptor(MoveOutOfTheWay(OpenEvent(event, tid, cpu, with_kernel, leader)));
    if (group.events_[i].number() < 0) return fail(i);
    ++group.size_;
  }
  if (ioctl(group.events_[0].number(), PERF_EVENT_IOC_ENABLE, 0) != 0) return fail(0);
  return group;
}

Group Group::Adopt(const std::vector<int>& descriptors, const std::vector<uint64_t>& ids) noexcept {
  Group group;
  group.size_ = std::min({descriptors.size(), ids.size(), kMostInGroup});
  for (size_t i = 0; i < group.size_; ++i) group.events_[i] = {descriptors[i], ids[i]};
  return group;
}

std::vector<uint64_t> Group::Ids() const {
  std::vector<uint64_t> ids;
  for (size_t i = 0; i < size_; ++i) ids.push_back(events_[i].id());
  return ids;
}

Group::~Group() {
  for (const perf_event_mmap_page* page : pages_) {
    if (page != nullptr) munmap(const_cast<perf_event_mmap_page*>(page), PageSize());
  }
  // Siblings first: a closed leader would turn them into groups of their own for a moment.
  CloseAll();
}

void Group::CloseAll() noexcept {
  while (size_ > 0) events_[--size_].Close();
}

Group::Group(Group&& other) noexcept { *this = std::move(other); }

Group& Group::operator=(Group&& other) noexcept {
  std::swap(size_, other.size_);
  std::swap(events_, other.events_);
  std::swap(pages_, other.pages_);
  std::swap(mapped_, other.mapped_);
  return *this;
}

bool Group::Enable(bool on) noexcept {
  return events_[0].IsOpen() &&
         ioctl(events_[0].number(), on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0) == 0;
}

void Group::CloseInChild() noexcept {
  pages_.fill(nullptr);
  mapped_ = false;
  CloseAll();
}

ReadStatus Group::Read(Reading& reading) const noexcept {
  if (!events_[0].IsOpen()) return ReadStatus::kForeign;
  Layout layout;
  const size_t expected = offsetof(Layout, of) + size_ * sizeof(layout.of[0]);
  ssize_t got = 0;
  do {
    got = read(events_[0].number(), &layout, expected);
  } while (got < 0 && errno == EINTR);
  if (got < 0) return ReadStatus::kError;
  if (got == 0) return ReadStatus::kEndOfFile;
  if (static_cast<size_t>(got) != expected) return ReadStatus::kShort;
  if (layout.count != size_) return ReadStatus::kForeign;
  reading.enabled_ns = layout.enabled_ns;
  reading.running_ns = layout.running_ns;
  for (size_t i = 0; i < size_; ++i) {
    if (layout.of[i].id != events_[i].id()) return ReadStatus::kForeign;
    reading.values[i] = layout.of[i].value;
  }
  return ReadStatus::kOk;
}

bool Group::MapPages() noexcept {
  mapped_ = true;
  for (size_t i = 0; i < size_ && mapped_; ++i) {
    if (!(mapped_ = events_[i].IsOpen())) break;
    void* page = mmap(nullptr, PageSize(), PROT_READ, MAP_SHARED, events_[i].number(), 0);
    if (!(mapped_ = page != MAP_FAILED)) break;
    pages_[i] = static_cast<const perf_event_mmap_page*>(page);
    mapped_ = CanReadInUserSpace(*pages_[i]);
  }
  return mapped_;
}

// The times are those of the last event: in a group they are all alike.
ReadStatus Group::ReadOwn(Reading& reading) const noexcept {
  if (!mapped_) return Read(reading);
  for (size_t i = 0; i < size_; ++i) {
    PageReading one;
    if (!ReadPage(*pages_[i], one)) return Read(reading);
    reading.values[i] = one.value;
    reading.enabled_ns = one.enabled_ns;
    reading.running_ns = one.running_ns;
  }
  return ReadStatus::kOk;
}

}  // namespace roofmark::perf
