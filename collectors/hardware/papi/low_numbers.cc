// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/papi/low_numbers.h"

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <new>

#include "collectors/hardware/papi/copies.h"
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

int Highest(const std::vector<int>& numbers) {
  return *std::max_element(numbers.begin(), numbers.end());
}

}  // namespace

LowNumbersTaken::LowNumbersTaken(size_t events) noexcept {
  Lock();
  try {
    const int first_high = FirstOutOfTheWay();
    low_.reserve(2 * static_cast<size_t>(first_high) + events);
    next_.reserve(2 * static_cast<size_t>(first_high) + events);
    Copies copies(low_);
    bool more = !low_.empty();
    // Copies take the lowest free numbers, so that all are taken below the highest one. Those above
    // it may be in use, and then copies get high numbers: at most thrice as many as were free.
    while (more && Highest(low_) < first_high - 1) {
      const auto left = static_cast<size_t>(first_high - 1 - Highest(low_));
      more = copies.Append(std::min(left, 3 * low_.size()), low_);
    }
    const auto is_low = [&](int number) { return number < first_high; };
    const auto high = [&] {
      return low_.size() - static_cast<size_t>(std::count_if(low_.begin(), low_.end(), is_low));
    };
    while (more && high() < events) more = copies.Append(events - high(), low_);
    const auto split = std::partition(low_.begin(), low_.end(), is_low);
    next_.assign(split, low_.end());
    low_.erase(split, low_.end());
  } catch (const std::bad_alloc&) {
  }
  CloseAll(next_);
  if (next_.size() > events) next_.resize(events);
}

std::vector<EventDescriptor> LowNumbersTaken::Opened() const {
  std::vector<EventDescriptor> opened;
  for (const int number : next_) {
    if (const auto event = EventDescriptor::At(number)) opened.push_back(*event);
  }
  return opened;
}

LowNumbersTaken::~LowNumbersTaken() {
  const int error = errno;
  CloseAll(low_);
  // Another thread may have got one of these.
  for (const int number : next_) {
    if (EventDescriptor::At(number)) fcntl(number, F_SETFD, FD_CLOEXEC);
  }
  pthread_mutex_unlock(&g_one_at_a_time);
  errno = error;
}

}  // namespace roofmark::papi
