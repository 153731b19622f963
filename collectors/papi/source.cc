// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/papi/source.h"

#include <fmt/format.h>

#include <cerrno>
#include <new>
#include <optional>
#include <utility>

#include "collectors/papi/api.h"
#include "collectors/papi/event_set.h"
#include "lib/core/log.h"

namespace roofmark::papi {
namespace {

class PapiCounters final : public threads::Counters {
 public:
  // What PAPI does not give back of a thread's `descriptors` is added to `kept_open`.
  PapiCounters(std::vector<EventSet> sets, std::unique_ptr<threads::Counters> kernels,
               size_t descriptors, std::atomic<size_t>& kept_open)
      : sets_(std::move(sets)),
        kernels_(std::move(kernels)),
        descriptors_(descriptors),
        kept_open_(kept_open) {}
  ~PapiCounters() override {
    bool clean = true;
    for (EventSet& set : sets_) clean &= set.Close();
    if (!clean) kept_open_ += descriptors_;
  }

  // PAPI's sets are read alike by all threads.
  bool Read(size_t group, bool own, threads::Reading& reading) noexcept override {
    if (group < sets_.size()) return sets_[group].Read(reading);
    return kernels_->Read(group - sets_.size(), own, reading);
  }
  void PrepareOwnReads() noexcept override {
    if (kernels_ != nullptr) kernels_->PrepareOwnReads();
  }
  bool CountOnly(size_t group) noexcept override {
    bool done = true;
    for (size_t i = 0; i < sets_.size(); ++i) {
      if (i != group) done &= sets_[i].Stop();
    }
    if (group >= sets_.size()) return done & kernels_->CountOnly(group - sets_.size());
    if (kernels_ != nullptr) done &= kernels_->CountOnly(threads::kNoGroup);
    return done & (sets_[group].Running() || sets_[group].Start() == 0);
  }
  void CloseInChild() noexcept override {
    for (EventSet& set : sets_) set.Abandon();
    if (kernels_ != nullptr) kernels_->CloseInChild();
  }

 private:
  std::vector<EventSet> sets_;
  std::unique_ptr<threads::Counters> kernels_;
  const size_t descriptors_;
  std::atomic<size_t>& kept_open_;
};

// A record that PAPI never gives up, found by looking through all of them: the 20,000th thread
// takes three times as long to attach to as the first.
constexpr size_t kManyThreads = 5000;

void SayThatThereAreMany() {
  Complain(
      fmt::format("PAPI keeps a record of every thread that it ever counted (now {}), so each new "
                  "thread takes longer: ROOFMARK_COLLECTOR=perf_event has no such records",
                  kManyThreads));
}

}  // namespace

PapiSource::PapiSource(Sets sets) : sets_(std::move(sets)), kernels_(sets_.kernels) {
  for (const auto& codes : sets_.codes) sizes_.push_back(codes.size());
  for (const auto& group : sets_.kernels.groups) sizes_.push_back(group.size());
}

std::unique_ptr<threads::Counters> PapiSource::Open(pid_t tid,
                                                    threads::OpenFailure& failure) noexcept try {
  if (++opened_ == kManyThreads) SayThatThereAreMany();
  std::vector<EventSet> sets;
  sets.reserve(sets_.codes.size());
  for (const auto& codes : sets_.codes) {
    std::optional<EventSet> set = EventSet::Open(codes, tid, sets_.kernels.with_kernel, &failure);
    if (!set) return nullptr;
    sets.push_back(std::move(*set));
  }
  if (!sets.empty()) {
    if (const int error = sets.front().Start(); error != 0) {
      failure = {error, 0};
      return nullptr;
    }
  }
  std::unique_ptr<threads::Counters> kernels;
  if (!sets_.kernels.groups.empty()) {
    kernels = kernels_.Open(tid, failure);
    if (kernels == nullptr) return nullptr;
  }
  return std::make_unique<PapiCounters>(std::move(sets), std::move(kernels), sets_.natives,
                                        kept_open_);
} catch (const std::bad_alloc&) {
  failure = {ENOMEM, 0};
  return nullptr;
}

std::string PapiSource::Explain(int error) const {
  return error < 0 ? ExplainError(error, sets_.kernels.with_kernel) : kernels_.Explain(error);
}

}  // namespace roofmark::papi
