// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/papi/event_set.h"

#include <utility>

#ifdef ROOFMARK_HAVE_PAPI
#include <cerrno>

#include "collectors/hardware/papi/library.h"
#include "lib/core/clock.h"
#include "lib/core/thread.h"

namespace roofmark::papi {
namespace {

static_assert(PAPI_NULL == -1);  // NOLINT(misc-redundant-expression): a macro

int Count(const Library& papi, int set, bool with_kernel) {
  PAPI_option_t option{};
  option.domain.eventset = set;
  option.domain.domain = with_kernel ? PAPI_DOM_USER | PAPI_DOM_KERNEL : PAPI_DOM_USER;
  return papi.set_opt(PAPI_DOMAIN, &option);
}

// PAPI has a few errors for all of the kernel's.
int Cause(int error, pid_t tid) {
  if (errno == EMFILE || errno == ENFILE) return EMFILE;
  return IsGone(tid) ? ESRCH : error;
}

}  // namespace

std::optional<EventSet> EventSet::Open(const std::vector<int>& codes, pid_t tid,
                                       const Options& options, threads::OpenFailure* failure) {
  const Library& papi = TheLibrary();
  EventSet set;
  set.tid_ = tid;
  set.in_turns_ = options.in_turns;
  const auto failed = [&](int error, size_t event) {
    *failure = {Cause(error, tid), event};
    return error != PAPI_OK;
  };
  errno = 0;
  bool bad = false;
  {
    const std::lock_guard lock(papi.sets);
    int error = papi.create_eventset(&set.set_);
    if (error == PAPI_OK) error = papi.assign_eventset_component(set.set_, papi.component);
    if (error == PAPI_OK) error = Count(papi, set.set_, options.with_kernel);
    // Before the events are added: they are opened for the right thread at once.
    if (error == PAPI_OK) error = papi.attach(set.set_, static_cast<unsigned long>(tid));
    bad = error != PAPI_OK && failed(error, 0);
    for (size_t i = 0; !bad && i < codes.size(); ++i) {
      error = papi.add_event(set.set_, codes[i]);
      bad = error != PAPI_OK && failed(error, i);
    }
  }
  if (bad) return std::nullopt;
  set.size_ = codes.size();
  return set;
}

EventSet& EventSet::operator=(EventSet&& other) noexcept {
  std::swap(set_, other.set_);
  std::swap(tid_, other.tid_);
  std::swap(in_turns_, other.in_turns_);
  std::swap(size_, other.size_);
  std::swap(running_, other.running_);
  std::swap(lost_, other.lost_);
  std::swap(started_ns_, other.started_ns_);
  std::swap(last_ns_, other.last_ns_);
  std::swap(counted_ns_, other.counted_ns_);
  std::swap(totals_, other.totals_);
  return *this;
}

bool EventSet::Close() noexcept {
  if (set_ == kNone) return true;
  constexpr int kTries = 3;
  const Library& papi = TheLibrary();
  const std::lock_guard lock(papi.sets);
  std::array<long long, threads::kMostInGroup> values;
  for (int i = 0; running_ && i < kTries; ++i) {
    running_ = papi.stop(set_, values.data()) != PAPI_OK;
  }
  bool clean = false;
  for (int i = 0; i < kTries && !clean; ++i) clean = papi.cleanup_eventset(set_) == PAPI_OK;
  papi.destroy_eventset(&set_);
  set_ = kNone;
  return clean;
}

// Of a thread that has ended: what it had.
uint64_t EventSet::ThreadsNs() noexcept {
  last_ns_ = in_turns_ ? ThreadCpuNs(tid_).value_or(last_ns_) : NowNs();
  return last_ns_;
}

int EventSet::Start() noexcept {
  const int error = TheLibrary().start(set_);
  running_ = error == PAPI_OK;
  started_ns_ = ThreadsNs();
  return error;
}

// Totals that the next start will clear are kept.
bool EventSet::Stop() noexcept {
  if (!running_) return true;
  std::array<long long, threads::kMostInGroup> values;
  lost_ |= TheLibrary().stop(set_, values.data()) != PAPI_OK;
  if (lost_) return false;
  running_ = false;
  counted_ns_ += ThreadsNs() - started_ns_;
  for (size_t i = 0; i < size_; ++i) totals_[i] += static_cast<uint64_t>(values[i]);
  return true;
}

bool EventSet::Read(threads::Reading& reading) noexcept {
  if (lost_) return false;
  std::array<long long, threads::kMostInGroup> values{};
  if (running_ && TheLibrary().read(set_, values.data()) != PAPI_OK) return false;
  reading.enabled_ns = counted_ns_ + (running_ ? ThreadsNs() - started_ns_ : 0);
  reading.running_ns = reading.enabled_ns;
  for (size_t i = 0; i < size_; ++i) {
    reading.values[i] = totals_[i] + static_cast<uint64_t>(values[i]);
  }
  return true;
}

}  // namespace roofmark::papi

#else

namespace roofmark::papi {

std::optional<EventSet> EventSet::Open(const std::vector<int>&, pid_t, const Options&,
                                       threads::OpenFailure*) {
  return std::nullopt;
}
EventSet& EventSet::operator=(EventSet&&) noexcept { return *this; }
bool EventSet::Close() noexcept { return true; }
int EventSet::Start() noexcept { return kNone; }
bool EventSet::Stop() noexcept { return false; }
bool EventSet::Read(threads::Reading&) noexcept { return false; }

}  // namespace roofmark::papi

#endif
