// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/cupti/cupti.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>

#include "collectors/cupti/attach.h"
#include "collectors/cupti/errors.h"
#include "collectors/cupti/surroundings.h"
#include "lib/core/device_facts.h"

namespace roofmark {
namespace {

using cupti::Attached;
using cupti::Context;

// The calling thread holds the lock: CUDA may call back from inside a call.
thread_local bool t_holds = false;

class Held {
 public:
  explicit Held(std::unique_lock<std::mutex> lock) : lock_(std::move(lock)) { t_holds = true; }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held() { t_holds = false; }

 private:
  std::unique_lock<std::mutex> lock_;
};

class CuptiCollector final : public Collector {
 public:
  std::string_view Name() const override { return "cupti"; }

  ~CuptiCollector() override {
    trace_.reset();
    if (subscriber_ != nullptr) library_.unsubscribe(subscriber_);
  }

  Result<std::vector<OfferedMetric>> Open(const Settings& settings) override {
    group_ = cupti::GroupOf(settings.group);
    Result<cupti::Library> library = cupti::OpenLibrary();
    if (!library) return Error{library.error()};
    library_ = std::move(*library);
    if (group_ == cupti::Group::kTime) {
      trace_ = std::make_unique<cupti::Trace>(library_);
      if (!trace_->failed().empty()) return Error{trace_->failed()};
    }
    if (const auto result = library_.subscribe(&subscriber_, &Called, this); result != 0) {
      subscriber_ = nullptr;
      return Error{cupti::Explain(library_, "cuptiSubscribe", result)};
    }
    for (const uint32_t id : {cupti::kContextCreated, cupti::kContextDestroyStarting}) {
      const auto result = library_.enable_callback(1, subscriber_, cupti::kDomainResource, id);
      if (result != 0) return Error{cupti::Explain(library_, "cuptiEnableCallback", result)};
    }
    return std::vector<OfferedMetric>();
  }

  bool WantsContexts() const override { return true; }
  bool CountsEveryVisit() const override { return true; }
  bool CountsDevices() const override { return true; }
  bool TimesAreReal() const override { return false; }

  // Costs a store and a load until there is a context. A thread that makes one meanwhile either
  // reads this path, or is seen here: path_ and seen_ are in one order for all threads.
  void EnterTeam(uint32_t path, bool, const counts::FinishedVisit*) noexcept override {
    const uint32_t before = path_.exchange(path);
    if (!seen_) return;
    try {
      const Held held{std::unique_lock(mutex_)};
      AttachPending(before);
      for (const Attached& each : contexts_) {
        if (each.session != nullptr) each.session->Enter(path);
      }
      if (trace_ != nullptr) trace_->Enter(path);
    } catch (...) {
      no_memory_ = true;
    }
  }

  void Harvest(HarvestSink&) override {
    const Held held{std::unique_lock(mutex_)};
    AttachPending(path_);
    for (const Attached& each : contexts_) {
      if (each.session != nullptr) each.session->Close();
    }
    if (trace_ != nullptr) trace_->End();
    ended_ = true;
    LookAround();
  }
  // Counts are fetched at the end: before that the device would have to be stopped.
  std::vector<OfferedMetric> HarvestSoFar(HarvestSink&) override { return {}; }

  std::vector<counts::DeviceCounts> Devices() const override {
    std::vector<counts::DeviceCounts> devices = cupti::CountsByDevice(contexts_, around_);
    for (counts::DeviceCounts& device : devices) {
      if (no_memory_) device.missing.fill("there was not enough memory at a boundary of a region");
    }
    return devices;
  }

  std::map<std::string, std::string> Facts() const override {
    std::map<std::string, std::string> facts = {
        {"cupti", library_.file},
        {"cupti_boundaries",
         "the GPU is drained at each boundary of a region: a kernel belongs to "
         "the region in which it was launched"}};
    for (const Attached& each : contexts_) {
      if (each.uuid.empty()) facts["cupti_unknown_device"] = each.error;
    }
    if (!around_.empty()) facts[kGpuSurroundingsFact] = around_;
    return facts;
  }

 private:
  static void Called(void* self, int domain, uint32_t id, const void* data) {
    if (domain != cupti::kDomainResource || data == nullptr) return;
    const Context context = static_cast<const cupti::ResourceData*>(data)->context;
    auto& collector = *static_cast<CuptiCollector*>(self);
    try {
      if (id == cupti::kContextCreated) collector.Created(context);
      if (id == cupti::kContextDestroyStarting) collector.Destroyed(context);
    } catch (...) {
      collector.no_memory_ = true;
    }
  }

  // This thread may hold locks of CUDA, for which the one that holds ours may wait: so it does not
  // wait for ours.
  void Created(Context context) {
    seen_ = true;
    if (t_holds) return Postpone(context);
    std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock()) return Postpone(context);
    const Held held{std::move(lock)};
    Add(context, path_);
  }
  void Postpone(Context context) {
    const std::lock_guard lock(pending_mutex_);
    pending_.push_back(context);
  }

  void Destroyed(Context context) {
    if (t_holds) return;
    {
      const std::lock_guard lock(pending_mutex_);
      std::erase(pending_, context);
    }
    // The lock is held for as long as counts take at a boundary. What cannot be had is lost.
    std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock()) {
      const std::lock_guard also(pending_mutex_);
      gone_.push_back(context);
      return;
    }
    const Held held{std::move(lock)};
    if (cupti::Session* session = SessionIn(context)) session->Close();
    if (trace_ != nullptr) trace_->Close(context);
    Forget(context);
  }

  // Looking at all processes takes a while: only where something is missing.
  void LookAround() {
    const bool all = !contexts_.empty() &&
                     std::all_of(contexts_.begin(), contexts_.end(),
                                 [](const Attached& each) { return each.WhyNot().empty(); });
    if (!all) around_ = cupti::SurroundingPhrase(cupti::ReadSurroundings());
  }

  void Add(Context context, uint32_t path) {
    if (ended_) return;
    if (trace_ != nullptr) trace_->BeginIn(path);
    contexts_.push_back(cupti::Attach(library_, context, group_, trace_.get()));
    live_.push_back(context);
    Attached& last = contexts_.back();
    if (last.session != nullptr) last.session->Enter(path);
  }

  // What was launched in these before, in this path, is not counted.
  void AttachPending(uint32_t path) {
    std::vector<Context> pending, gone;
    {
      const std::lock_guard lock(pending_mutex_);
      pending.swap(pending_);
      gone.swap(gone_);
    }
    for (const Context context : gone) {
      constexpr char kWhy[] = "a CUDA context was destroyed by a thread at a boundary of a region";
      if (cupti::Session* session = SessionIn(context)) session->Abandon(kWhy);
      if (trace_ != nullptr) trace_->Abandon(context, kWhy);
      Forget(context);
    }
    for (const Context context : pending) {
      Add(context, path);
      if (path != 0) LoseIn(context, path);
    }
  }

  void LoseIn(Context context, uint32_t path) {
    if (cupti::Session* session = SessionIn(context)) session->Lose(path);
    if (trace_ != nullptr) trace_->Lose(context, path);
  }

  // Of a context that exists: the address of one that is gone may be another's.
  cupti::Session* SessionIn(Context context) const {
    for (size_t i = contexts_.size(); i-- > 0;) {
      if (live_[i] == context) return contexts_[i].session.get();
    }
    return nullptr;
  }
  void Forget(Context context) { std::replace(live_.begin(), live_.end(), context, Context{}); }

  cupti::Library library_;
  cupti::Subscriber subscriber_ = nullptr;
  cupti::Group group_ = cupti::Group::kKernels;
  std::unique_ptr<cupti::Trace> trace_;  // of Group::kTime
  mutable std::mutex mutex_;
  std::vector<Attached> contexts_;  // all that there were
  std::vector<Context> live_;       // of each: nullptr once it is gone
  std::atomic<uint32_t> path_{0};
  std::atomic<bool> seen_{false};  // a context
  bool ended_ = false;
  std::string around_;  // what may be why counts are missing, if any are
  std::atomic<bool> no_memory_{false};
  std::mutex pending_mutex_;
  std::vector<Context> pending_, gone_;
};

}  // namespace

std::unique_ptr<Collector> MakeCuptiCollector() { return std::make_unique<CuptiCollector>(); }

}  // namespace roofmark
