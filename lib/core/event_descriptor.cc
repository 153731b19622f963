// SPDX-License-Identifier: BSD-3-Clause
#include "lib/core/event_descriptor.h"

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <string_view>

namespace roofmark {
namespace {

std::optional<uint64_t> EventId(int number) noexcept {
  uint64_t id = 0;
  if (number < 0 || ioctl(number, PERF_EVENT_IOC_ID, &id) != 0) return std::nullopt;
  return id;
}

bool IsEvent(int number) noexcept {
  constexpr std::string_view kEvent = "anon_inode:[perf_event]";
  char path[64], link[kEvent.size() + 1];
  snprintf(path, sizeof path, "/proc/thread-self/fd/%d", number);
  const ssize_t size = readlink(path, link, sizeof link);
  return size >= 0 && std::string_view(link, static_cast<size_t>(size)) == kEvent;
}

}  // namespace

std::optional<EventDescriptor> EventDescriptor::At(int number) noexcept {
  const std::optional<uint64_t> id = EventId(number);
  return id ? std::optional(EventDescriptor(number, *id)) : std::nullopt;
}

EventDescriptor::EventDescriptor(int number) noexcept {
  if (const std::optional<EventDescriptor> event = At(number)) {
    *this = *event;
  } else if (number >= 0) {
    const int error = errno;
    close(number);
    errno = error;
  }
}

bool EventDescriptor::IsOpen() const noexcept {
  const std::optional<uint64_t> id = EventId(number_);
  return id && *id == id_;
}

// Where a sandbox forbids the question an event is ours: programs open few.
void EventDescriptor::Close() noexcept {
  const int error = errno;
  const std::optional<uint64_t> id = EventId(number_);
  if (id ? *id == id_ : errno != EBADF && errno != ENOTTY && IsEvent(number_)) close(number_);
  errno = error;
  *this = {};
}

bool AllAreOpen(const std::vector<EventDescriptor>& events) noexcept {
  return std::all_of(events.begin(), events.end(),
                     [](const EventDescriptor& event) { return event.IsOpen(); });
}

}  // namespace roofmark
