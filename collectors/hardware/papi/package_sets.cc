// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/papi/package_sets.h"

#include "collectors/hardware/papi/api.h"

#ifdef ROOFMARK_HAVE_PAPI
#include <fmt/format.h>
#include <pthread.h>

#include <cerrno>
#include <map>
#include <mutex>
#include <new>
#include <utility>

#include "collectors/hardware/papi/component.h"
#include "collectors/hardware/papi/library.h"
#include "collectors/hardware/papi/low_numbers.h"
#include "collectors/hardware/perf/explain.h"
#include "collectors/hardware/threads/thread_hook.h"
#include "lib/core/clock.h"
#include "lib/core/own_stack.h"

namespace roofmark::papi {
namespace {

struct Event {
  uint32_t number;
  std::string name;
  int code;
};

// What went wrong with which event.
struct Failure {
  int error = PAPI_OK;  // PAPI's, or EMFILE
  std::string event;
};

// PAPI has a few errors for all of the kernel's.
int Cause(int error) { return errno == EMFILE || errno == ENFILE ? EMFILE : error; }

std::string Explain(const Failure& failure) {
  switch (failure.error) {
    case EMFILE:
      return perf::ExplainDevice(EMFILE).reason;
    case PAPI_EPERM:
      return perf::ExplainDevice(EACCES).reason;
    case PAPI_EISRUN:
      return fmt::format(
          "{}: PAPI allows one running set of events per thread and component, and gave no other "
          "thread one: let the program itself not count with this component of PAPI",
          failure.event);
    case PAPI_ECNFLCT:
      return fmt::format("{}: {}", failure.event, perf::ExplainNeverRuns().reason);
    default:
      return fmt::format("{}: PAPI says: {}", failure.event, TheLibrary().strerror(failure.error));
  }
}

class Set {
 public:
  Set() = default;
  ~Set() { Close(); }
  Set(const Set&) = delete;
  Set& operator=(const Set&) = delete;

  // Of one component.
  Failure Start(const std::vector<Event>& events) {
    const Library& papi = TheLibrary();
    errno = 0;
    Failure failure{PAPI_OK, events.front().name};
    const std::lock_guard lock(papi.sets);
    failure.error = papi.create_eventset(&id_);
    for (size_t i = 0; failure.error == PAPI_OK && i < events.size(); ++i) {
      failure = {papi.add_event(id_, events[i].code), events[i].name};
    }
    if (failure.error == PAPI_OK) failure.error = papi.start(id_);
    running_ = failure.error == PAPI_OK;
    if (!running_ && failure.error != PAPI_EISRUN) failure.error = Cause(failure.error);
    started_ns_ = NowNs();
    for (const Event& event : events) numbers_.push_back(event.number);
    values_.resize(events.size());
    return failure;
  }

  const std::vector<uint32_t>& numbers() const { return numbers_; }

  // PAPI reports events that have no counter as an error, so that what is read has always run.
  // Values below 0 are no counts: a service that keeps them was started again, say.
  bool Read(threads::Total* totals) noexcept {
    if (TheLibrary().read(id_, values_.data()) != PAPI_OK) return false;
    const uint64_t ran_ns = NowNs() - started_ns_;
    for (const long long value : values_) {
      if (value < 0) return false;
      *totals++ = {static_cast<uint64_t>(value), ran_ns, ran_ns};
    }
    return true;
  }

  // PAPI would stop the parent's counters.
  void Abandon() noexcept { id_ = PAPI_NULL; }

 private:
  // A set that PAPI cannot read it does not stop either: it remains until the process ends.
  void Close() noexcept {
    if (id_ == PAPI_NULL) return;
    const Library& papi = TheLibrary();
    const std::lock_guard lock(papi.sets);
    constexpr int kTries = 3;
    for (int i = 0; running_ && i < kTries; ++i) {
      running_ = papi.stop(id_, values_.data()) != PAPI_OK;
    }
    for (int i = 0; i < kTries && papi.cleanup_eventset(id_) != PAPI_OK; ++i) {
    }
    papi.destroy_eventset(&id_);
  }

  int id_ = PAPI_NULL;
  bool running_ = false;
  std::vector<uint32_t> numbers_;
  std::vector<long long> values_;
  uint64_t started_ns_ = 0;
};

// A thread may have one running set of a component, so a process that reads several packages needs
// several threads to start theirs; which one started a set does not matter afterwards. Each waits
// for the next one to end, since PAPI knows a thread by a number that another one gets later.
struct Start {
  const std::vector<Event>& events;
  std::unique_ptr<Set>& set;
  uint32_t threads_left;
  Failure failure;

  void Run() {
    set = std::make_unique<Set>();
    failure = set->Start(events);
    if (failure.error == PAPI_OK) return;
    set.reset();
    if (failure.error != PAPI_EISRUN || threads_left-- == 0) return;
    const auto on_next = [](void* given) -> void* {
      auto* start = static_cast<Start*>(given);
      try {
        start->Run();
      } catch (const std::bad_alloc&) {
        start->set.reset();
        start->failure.error = PAPI_ENOMEM;
      }
      return nullptr;
    };
    pthread_t next;
    if (threads::CreateUncounted(&next, on_next, this)) pthread_join(next, nullptr);
  }
};

// All sets of a package. PAPI needs more stack than a thread may have, as in papi/source.cc, and
// two threads may not read one set at a time.
class PackageSets final : public package::Reader {
 public:
  PackageSets() = default;
  ~PackageSets() override {
    if (!AllAreOpen(opened_)) Abandon();
  }
  PackageSets(const PackageSets&) = delete;
  PackageSets& operator=(const PackageSets&) = delete;

  bool HasStack() const { return stack_.Exists(); }
  // What PAPI opened for all of them.
  void Know(std::vector<EventDescriptor> opened) { opened_ = std::move(opened); }
  Failure Add(const std::vector<Event>& events) {
    std::unique_ptr<Set> set;
    constexpr uint32_t kMostThreads = 16;  // as many as packages
    Start start{events, set, kMostThreads, {}};
    start.Run();
    if (set == nullptr) return start.failure;
    numbers_.insert(numbers_.end(), set->numbers().begin(), set->numbers().end());
    sets_.push_back(std::move(set));
    return {};
  }

  const std::vector<uint32_t>& Events() const override { return numbers_; }
  bool Read(threads::Total* totals) noexcept override {
    const std::lock_guard lock(reading_);
    if (!AllAreOpen(opened_)) return false;
    bool read = true;
    stack_.Call([&] {
      for (size_t i = 0; read && i < sets_.size(); ++i) {
        read = sets_[i]->Read(totals);
        totals += sets_[i]->numbers().size();
      }
    });
    return read;
  }
  void CloseInChild() noexcept override { Abandon(); }

 private:
  void Abandon() noexcept {
    for (const auto& set : sets_) set->Abandon();
  }

  std::vector<std::unique_ptr<Set>> sets_;
  std::vector<uint32_t> numbers_;
  // If the program closed them, PAPI would read and close what it has opened there since.
  std::vector<EventDescriptor> opened_;
  std::mutex reading_;
  OwnStack stack_{64 << 10};
};

}  // namespace

Result<std::unique_ptr<package::Reader>> PackageOpener::Open(
    const std::vector<package::Wanted>& events) const {
  std::map<int, std::vector<Event>> by_component;
  for (const package::Wanted& wanted : events) {
    Result<Native> native = FindNative(wanted.name);
    if (!native) return Error{fmt::format("{}: {}", wanted.name, native.error())};
    by_component[native->component].push_back({wanted.event, wanted.name, native->code});
  }
  const LowNumbersTaken taken(events.size());
  auto sets = std::make_unique<PackageSets>();
  if (!sets->HasStack()) return Error{"there is no memory for a stack on which to call PAPI"};
  for (const auto& [component, of_it] : by_component) {
    const Failure failure = sets->Add(of_it);
    if (failure.error != PAPI_OK) return Error{Explain(failure)};
  }
  sets->Know(taken.Opened());
  return std::unique_ptr<package::Reader>(std::move(sets));
}

}  // namespace roofmark::papi

#else

namespace roofmark::papi {

Result<std::unique_ptr<package::Reader>> PackageOpener::Open(
    const std::vector<package::Wanted>&) const {
  return Error{WhyNoLibrary()};
}

}  // namespace roofmark::papi

#endif
