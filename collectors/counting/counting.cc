// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/counting.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <mutex>
#include <utility>

#include "collectors/counting/engines.h"
#include "collectors/counting/extrapolate.h"
#include "collectors/counting/found_paths.h"
#include "collectors/counting/metric_sink.h"
#include "collectors/counting/native/engine.h"
#include "collectors/counting/offer.h"
#include "collectors/counting/scaled_visits.h"
#include "collectors/counting/turns.h"
#include "lib/core/engine_facts.h"
#include "lib/core/first_names.h"
#include "lib/core/log.h"
#include "lib/core/messages/collectors.h"

namespace roofmark {
namespace counting {
namespace {

using counts::CountStore;
using counts::Covers;
using counts::FinishedVisit;
using counts::KeptPlan;

class CountingCollector final : public Collector {
 public:
  CountingCollector(std::unique_ptr<Engine> engine, const Listeners& listeners)
      : engine_(std::move(engine)), listeners_(listeners) {}

  std::string_view Name() const override { return "counting"; }
  bool WantsContexts() const override { return true; }
  // Where visits take turns those that are timed are executed as without it.
  bool TimesAreReal() const override { return turns_; }
  bool TakesTurns() const override { return turns_; }
  bool CountsOutside() const override { return engine_->CountsOutside(); }

  Result<std::vector<OfferedMetric>> Open(const Settings& settings) override {
    Result<CacheModel> model = engine_->Open(settings);
    if (!model) return Error{model.error()};
    model_ = *model;
    turns_ = settings.visits.kind == VisitPolicy::Kind::kInTurns;
    if (turns_) {
      const std::string why = WhyNoTurns(engine_->HowItExecutes(), model_, settings);
      turns_ = why.empty();
      if (!turns_) return Error{why};
    }
    const std::string why_not = found_.Start(*engine_, settings);
    if (!why_not.empty()) return Error{why_not};
    latencies_ = settings.latencies;
    samples_ = model_.bursts || (!settings.visits.AreAll() && !turns_);
    offer_ = OfferOf(model_, engine_->GetLayers());
    if (samples_) OfferMargins(model_, offer_);
    if (turns_) OfferScaled(offer_);
    StartListening();
    if (settings.executed) {
      blocks_ = Need("executed", engine_->GetBlocks());
      const std::string why_none = blocks_ == nullptr ? "" : blocks_->Start(/*by_path=*/true);
      if (!why_none.empty()) {
        blocks_ = Need("executed", Capability<Blocks>(Error{why_none}));
      }
    }
    return offer_.metrics;
  }

  void DefinePath(uint32_t path, uint32_t, std::string_view name) override {
    const std::lock_guard lock(names_mutex_);
    names_[path] = name;
  }
  void EnterTeam(uint32_t path, bool measured, const FinishedVisit*) noexcept override {
    engine_->EnterTeam(path, measured);
  }
  void EnterOwn(uint32_t path, bool measured, const FinishedVisit*) noexcept override {
    engine_->EnterOwn(path, measured);
  }
  void SetCounting(Extent extent) noexcept override { engine_->SetCounting(extent); }
  bool CountsEveryVisit() const override { return true; }

  void KeepIn(CountStore& store) override {
    Capability<KeptCounts> kept = engine_->GetKeptCounts();
    if (!kept) return;
    KeptPlan plan;
    plan.covers = Covers::kUpToHandOver;
    plan.events = ROOF_COUNTERS;
    for (const Mapping& mapping : offer_.given) {
      plan.rules.push_back({mapping.metric, {{static_cast<size_t>(mapping.counter), 1}}});
    }
    if (store.Describe(plan)) (*kept)->KeepIn(store);
  }

  void Harvest(HarvestSink& sink) override {
    found_.Define(sink);
    MetricSink counts(offer_, found_, sink);
    TakeSums([this](CountSink& to) { engine_->Harvest(to); }, counts, sink);
    DoubtIfGivenUp(counts);
    // Code that is not counted builds the profile of many regions in a third of the time.
    engine_->SetCounting(Extent::kNothing);
    counts.HandOverCritical();
    incomplete_ = counts.TakeIncomplete();
  }

  std::optional<Executed> TakeExecuted() override {
    if (blocks_ == nullptr) return std::nullopt;
    Executed executed = blocks_->HandOver();
    if (const uint64_t lost = blocks_->Lost(); lost > 0) {
      Complain(message::kExecutedCodeLost, lost);
    }
    NamePaths(executed);
    return MergeExecuted({std::move(executed)});
  }

  std::vector<OfferedMetric> HarvestSoFar(HarvestSink& sink) override {
    Capability<PeriodicHarvest> periodic = engine_->GetPeriodicHarvest();
    if (!periodic) return NotYet(periodic.error());
    found_.Define(sink);
    MetricSink counts(offer_, found_, sink);
    TakeSums([&](CountSink& to) { (*periodic)->HarvestSoFar(to); }, counts, sink);
    DoubtIfGivenUp(counts);
    return {};
  }

  std::map<std::string, std::string> Facts() const override {
    std::map<std::string, std::string> facts = refused_;
    facts["engine"] = engine_->Name();
    if (const std::string why = WhyChosen(); !why.empty()) facts["engine_choice"] = why;
    facts["cache"] = Geometry();
    if (model_.geometry.levels > 0) {
      facts["line_sampling"] = std::to_string(model_.line_sampling);
      facts["not_modelled"] =
          "traffic of prefetchers, coherence, the TLB, the operating system, and the zeroing of "
          "pages";
    }
    if (model_.bursts) {
      facts["sampled"] =
          "traffic was modelled for two fifths of the time, in bursts whose first part warms the "
          "caches, and is extrapolated in proportion to the bytes that were loaded and stored; "
          "dependences in proportion to instructions. Intervals (95 %) come from what 8 groups of "
          "bursts differ by";
      if (const uint64_t cold = engine_->ColdBursts(); cold > 0) {
        facts[kColdBurstsFact] = fmt::format(
            "{} bursts measured nothing: the CPUs were busy with other programs, so that the "
            "caches did not get warm in time",
            cold);
      }
    } else if (samples_) {
      facts["sampled"] =
          "traffic is extrapolated from the visits that were modelled, in proportion to the bytes "
          "that all visits loaded and stored; dependences in proportion to instructions. Intervals "
          "(95 %) come from what up to 8 groups of these visits differ by";
    }
    if (turns_) facts["scaled"] = kHowItIsScaled;
    if (model_.windows) facts["latencies"] = latencies_;
    if (!incomplete_.empty()) facts[kIncompleteFact] = DescribeIncomplete();
    for (const std::string& note : found_.notes()) {
      std::string& all = facts["functions"];
      all += (all.empty() ? "" : "; ") + note;
    }
    if (found_.is_empty()) facts["nests"] = "ROOFMARK_NESTS names no loop and no function";
    if (found_.lost() > 0) {
      facts["nests"] = fmt::format(
          "{} entries of loops and functions count to the regions around them: there are too many "
          "paths",
          found_.lost());
    }
    return facts;
  }

 private:
  // What `harvest` gives, to `counts`, and extrapolated where it has to be.
  template <typename Harvest>
  void TakeSums(Harvest harvest, MetricSink& counts, HarvestSink& sink) const {
    if (turns_) {
      ScaledVisits visits;
      harvest(visits);
      return HandOverScaled(visits, MarkedPaths(), offer_, counts, sink);
    }
    if (!samples_) return harvest(counts);
    Extrapolation all;
    harvest(all);
    for (const uint32_t path : all.HandOver(counts)) {
      for (const Mapping& mapping : offer_.given) {
        if (IsTraffic(mapping.counter))
          sink.Doubt(found_.PathOf(path), mapping.metric, Status::kUnsupported);
      }
    }
    AddMargins(all, sink);
  }

  std::vector<uint32_t> MarkedPaths() const {
    const std::lock_guard lock(names_mutex_);
    std::vector<uint32_t> paths;
    for (const auto& [path, name] : names_) paths.push_back(path);
    return paths;
  }

  // Those of all threads together are said to be the main thread's.
  void AddMargins(const Extrapolation& all, HarvestSink& sink) const {
    for (const PathMargin& margin : all.Margins()) {
      for (size_t l = 0; l < kMarginMetrics.size(); ++l) {
        const uint32_t path = found_.PathOf(margin.path);
        if (margin.bytes[l]) {
          sink.Add(kMainThread, path, kMarginMetrics[l],
                   static_cast<uint64_t>(std::llround(*margin.bytes[l])));
        } else {
          sink.Doubt(path, kMarginMetrics[l], Status::kUnsupported);
        }
      }
    }
  }

  // The full name of a path of the engine; empty for what is in no region.
  std::string NameOf(uint32_t path) const {
    const auto found = found_.names().find(path);
    if (found != found_.names().end()) return found->second;
    const auto marked = names_.find(path);
    return marked == names_.end() ? "" : marked->second;
  }

  // Parts have indices of names in place of the engine's numbers.
  void NamePaths(Executed& executed) const {
    const std::lock_guard lock(names_mutex_);
    std::map<uint32_t, uint32_t> index;
    for (ExecutedModule& module : executed.modules) {
      for (ExecutedPart& part : module.parts) {
        const auto [known, is_new] =
            index.try_emplace(part.path, static_cast<uint32_t>(executed.paths.size()));
        if (is_new) executed.paths.push_back(NameOf(part.path));
        part.path = known->second;
      }
    }
  }

  // The part, or nullptr after its reason was noted.
  template <typename Part>
  Part* Need(const char* what, Capability<Part> part) {
    if (part) return *part;
    refused_[what] = "not available: " + part.error();
    return nullptr;
  }

  void StartListening() {
    const Listeners& to = listeners_;
    if (to.accesses != nullptr) {
      AddressTrace* trace = Need("address_trace", engine_->GetAddressTrace());
      if (trace != nullptr) trace->Start(*to.accesses, to.line_sampling);
    }
    if (to.windows != nullptr) {
      Windows* windows = Need("windows", engine_->GetWindows());
      if (windows != nullptr) windows->Start(*to.windows, to.window_plan);
    }
    if (to.events != nullptr) {
      Events* events = Need("events", engine_->GetEvents());
      if (events != nullptr) events->Start(*to.events);
    }
  }

  std::vector<OfferedMetric> NotYet(const std::string& reason) const {
    std::vector<OfferedMetric> missing;
    for (const Mapping& mapping : offer_.given) {
      missing.push_back({mapping.metric, Status::kUnsupported, reason});
    }
    for (const ApartMapping& mapping : offer_.apart) {
      missing.push_back({mapping.metric, Status::kUnsupported, reason});
    }
    for (MetricId id = metric::kFirstDependence;
         offer_.dependences && id <= metric::kLastDependence; ++id) {
      missing.push_back({id, Status::kUnsupported, reason});
    }
    return missing;
  }

  std::string Geometry() const {
    const roof_geometry& geometry = model_.geometry;
    if (geometry.levels == 0) return "not modelled";
    std::string text;
    for (uint32_t i = 0; i < geometry.levels; ++i) {
      text += fmt::format("{}L{}:{}K:{}", i == 0 ? "" : ",", i + 1, geometry.size_bytes[i] / 1024,
                          geometry.ways[i]);
    }
    return text;
  }

  void DoubtIfGivenUp(CountSink& counts) const {
    const std::string why = engine_->WhyGivenUp();
    if (why.empty()) return;
    const std::lock_guard lock(names_mutex_);
    for (const auto& [path, name] : names_) counts.Incomplete({path, why, 1});
  }

  // Each reason once: "code was made at run time (solve, solve/spmv; exits: 3)".
  std::string DescribeIncomplete() const {
    constexpr size_t kNamed = 5;
    struct Regions {
      std::vector<std::string> names;
      uint64_t exits = 0;
    };
    std::map<std::string, Regions> by_reason;
    const std::lock_guard lock(names_mutex_);
    for (const IncompletePath& path : incomplete_) {
      Regions& regions = by_reason[path.reason];
      const auto name = names_.find(path.path);
      regions.names.push_back(name == names_.end() ? "outside of all regions" : name->second);
      regions.exits += path.exits;
    }
    std::string text;
    for (const auto& [reason, regions] : by_reason) {
      text += fmt::format("{}{} ({}; exits: {})", text.empty() ? "" : "; ", reason,
                          FirstNames(regions.names, kNamed), regions.exits);
    }
    return text;
  }

  const std::unique_ptr<Engine> engine_;
  const Listeners listeners_;
  CacheModel model_;
  bool samples_ = false;   // visits: ROOFMARK_VISITS
  bool turns_ = false;     // they take turns
  std::string latencies_;  // of the windows
  Offer offer_;
  FoundPaths found_;
  Blocks* blocks_ = nullptr;                    // to be handed over
  std::map<std::string, std::string> refused_;  // what -> why not
  std::vector<IncompletePath> incomplete_;
  mutable std::mutex names_mutex_;
  std::map<uint32_t, std::string> names_;  // of paths
};

}  // namespace

std::unique_ptr<Collector> MakeCollector(std::unique_ptr<Engine> engine,
                                         const Listeners& listeners) {
  return std::make_unique<CountingCollector>(std::move(engine), listeners);
}

}  // namespace counting

std::string StartEngine(const Settings& settings, const std::string& library_path) {
  return counting::ChooseEngine(settings, library_path).start(settings, library_path);
}

std::unique_ptr<Collector> MakeCountingCollector() {
  return counting::MakeCollector(counting::ChosenEngine().make(), {});
}

void FollowThreads(const counting::ThreadQuestions& questions) noexcept {
  counting::SetNativeThreadQuestions(questions);
}
bool EngineIsInProcess() {
  return counting::ChosenEngine().make()->HowItExecutes() == counting::Execution::kInProcess;
}
void ThreadBegan() noexcept { counting::NativeThreadBegan(); }
void ThreadEnded() noexcept { counting::NativeThreadEnded(); }

}  // namespace roofmark
