// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/papi/source.h"

#include <cerrno>
#include <new>
#include <optional>
#include <utility>

#include "collectors/hardware/papi/api.h"
#include "collectors/hardware/papi/low_numbers.h"
#include "collectors/papi/event_set.h"
#include "lib/core/log.h"
#include "lib/core/messages/collectors.h"
#include "lib/core/own_stack.h"

namespace roofmark::papi {
namespace {

// PAPI needs more stack than a thread may have: 7 KiB to read, 11 to open. One for each thread that
// is counted, because any may read another one.
class PapiCounters final : public threads::Counters {
 public:
  // What PAPI does not give back of a thread's descriptors is added to `kept_open`.
  PapiCounters(const Sets& sets, std::atomic<size_t>& kept_open)
      : described_(sets), kept_open_(kept_open) {}
  ~PapiCounters() override {
    if (!sets_.empty()) stack_.Call([this] { Close(); });
  }

  // False, and why, if the thread cannot be counted.
  bool Open(pid_t tid, perf::ThreadGroups& kernels, threads::OpenFailure& failure) noexcept {
    bool opened = false;
    failure = {ENOMEM, 0};
    if (stack_.Exists()) stack_.Call([&] { opened = OpenAll(tid, kernels, failure); });
    return opened;
  }

  // PAPI's sets are read alike by all threads.
  bool Read(size_t group, bool own, threads::Reading& reading) noexcept override {
    if (group >= sets_.size()) return kernels_->Read(group - sets_.size(), own, reading);
    if (!AllAreOpen(events_)) return false;
    bool read = false;
    stack_.Call([&] { read = sets_[group].Read(reading); });
    return read;
  }
  void PrepareOwnReads() noexcept override {
    if (kernels_ != nullptr) kernels_->PrepareOwnReads();
  }
  bool CountOnly(size_t group) noexcept override {
    if (!AllAreOpen(events_)) return false;
    bool done = false;
    stack_.Call([&] { done = Switch(group); });
    return done;
  }
  void CloseInChild() noexcept override {
    Abandon();
    if (kernels_ != nullptr) kernels_->CloseInChild();
  }

 private:
  bool OpenAll(pid_t tid, perf::ThreadGroups& kernels, threads::OpenFailure& failure) noexcept try {
    const LowNumbersTaken taken(described_.natives);
    sets_.reserve(described_.codes.size());
    const EventSet::Options options{.with_kernel = described_.kernels.with_kernel,
                                    .in_turns = described_.in_turns};
    for (const auto& codes : described_.codes) {
      std::optional<EventSet> set = EventSet::Open(codes, tid, options, &failure);
      if (!set) return false;
      sets_.push_back(std::move(*set));
    }
    if (!sets_.empty()) {
      if (const int error = sets_.front().Start(); error != 0) {
        failure = {error, 0};
        return false;
      }
    }
    // PAPI opens the events of a set anew whenever it takes turns with another one.
    if (sets_.size() == 1) events_ = taken.Opened();
    if (!described_.kernels.groups.empty()) {
      kernels_ = kernels.Open(tid, failure);
      if (kernels_ == nullptr) return false;
    }
    return true;
  } catch (const std::bad_alloc&) {
    failure = {ENOMEM, 0};
    return false;
  }

  void Abandon() noexcept {
    for (EventSet& set : sets_) set.Abandon();
  }

  bool Switch(size_t group) noexcept {
    bool done = true;
    for (size_t i = 0; i < sets_.size(); ++i) {
      if (i != group) done &= sets_[i].Stop();
    }
    if (group >= sets_.size()) return done & kernels_->CountOnly(group - sets_.size());
    if (kernels_ != nullptr) done &= kernels_->CountOnly(threads::kNoGroup);
    return done & (sets_[group].Running() || sets_[group].Start() == 0);
  }

  void Close() noexcept {
    bool clean = AllAreOpen(events_);
    if (!clean) Abandon();
    for (EventSet& set : sets_) clean &= set.Close();
    if (!clean) kept_open_ += described_.natives;
  }

  OwnStack stack_{64 << 10};
  const Sets& described_;
  std::vector<EventSet> sets_;
  // PAPI's, where they stay the same. If the program closed them, PAPI would read, stop and close
  // what it has opened under these numbers since: PAPI is not asked.
  std::vector<EventDescriptor> events_;
  std::unique_ptr<threads::Counters> kernels_;
  std::atomic<size_t>& kept_open_;
};

// A record that PAPI never gives up, found by looking through all of them: the 20,000th thread
// takes three times as long to attach to as the first.
constexpr size_t kManyThreads = 5000;

void SayThatThereAreMany() { Complain(message::kPapiKeepsThreads, kManyThreads); }

}  // namespace

PapiSource::PapiSource(Sets sets) : sets_(std::move(sets)), kernels_(sets_.kernels) {
  for (const auto& codes : sets_.codes) sizes_.push_back(codes.size());
  for (const auto& group : sets_.kernels.groups) sizes_.push_back(group.size());
}

std::unique_ptr<threads::Counters> PapiSource::Open(pid_t tid,
                                                    threads::OpenFailure& failure) noexcept try {
  if (++opened_ == kManyThreads) SayThatThereAreMany();
  auto counters = std::make_unique<PapiCounters>(sets_, kept_open_);
  if (!counters->Open(tid, kernels_, failure)) return nullptr;
  return counters;
} catch (const std::bad_alloc&) {
  failure = {ENOMEM, 0};
  return nullptr;
}

std::string PapiSource::Explain(int error) const {
  return error < 0 ? ExplainError(error, sets_.kernels.with_kernel) : kernels_.Explain(error);
}

}  // namespace roofmark::papi
