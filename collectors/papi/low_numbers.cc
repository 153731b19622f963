// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/papi/low_numbers.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <cerrno>
#include <new>
#include <string_view>

#include "lib/core/descriptor.h"

namespace roofmark::papi {
namespace {

// Held over fork(): a child would keep what was taken.
pthread_mutex_t g_one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

void Lock() {
  static const int at_fork = pthread_atfork([] { pthread_mutex_lock(&g_one_at_a_time); },
                                            [] { pthread_mutex_unlock(&g_one_at_a_time); },
                                            [] { pthread_mutex_unlock(&g_one_at_a_time); });
  static_cast<void>(at_fork);
  pthread_mutex_lock(&g_one_at_a_time);
}

void CloseAll(const std::vector<int>& descriptors) noexcept {
  for (const int descriptor : descriptors) close(descriptor);
}

bool IsEvent(int descriptor) noexcept {
  constexpr std::string_view kEvent = "anon_inode:[perf_event]";
  char path[64] = "", link[kEvent.size() + 1];
  fmt::format_to_n(path, sizeof path - 1, "/proc/self/fd/{}", descriptor);
  const ssize_t size = readlink(path, link, sizeof link);
  return size >= 0 && std::string_view(link, static_cast<size_t>(size)) == kEvent;
}

}  // namespace

LowNumbersTaken::LowNumbersTaken(size_t events) noexcept {
  Lock();
  try {
    const int first_high = FirstOutOfTheWay();
    low_.reserve(static_cast<size_t>(first_high));
    next_.reserve(events);
    int last = open("/", O_PATH | O_CLOEXEC);
    while (last >= 0 && last < first_high) {
      low_.push_back(last);
      last = fcntl(low_.front(), F_DUPFD_CLOEXEC, last);
    }
    while (last >= 0 && next_.size() < events) {
      next_.push_back(last);
      last = fcntl(next_.front(), F_DUPFD_CLOEXEC, last);
    }
    if (last >= 0) close(last);
  } catch (const std::bad_alloc&) {
  }
  CloseAll(next_);
}

LowNumbersTaken::~LowNumbersTaken() {
  const int error = errno;
  CloseAll(low_);
  // Another thread may have got one of these.
  for (const int number : next_) {
    const int flags = fcntl(number, F_GETFD);
    if (flags < 0 || (flags & FD_CLOEXEC) != 0 || !IsEvent(number)) continue;
    fcntl(number, F_SETFD, flags | FD_CLOEXEC);
  }
  pthread_mutex_unlock(&g_one_at_a_time);
  errno = error;
}

}  // namespace roofmark::papi
