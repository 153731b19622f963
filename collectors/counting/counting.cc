// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/counting/counting.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <utility>

#include "collectors/counting/dependences.h"
#include "collectors/counting/engines.h"
#include "collectors/counting/extrapolate.h"
#include "collectors/counting/found_paths.h"
#include "collectors/counting/native/engine.h"
#include "collectors/counting/offer.h"
#include "collectors/counting/scaled_visits.h"

namespace roofmark {
namespace counting {
namespace {

using counts::CountStore;
using counts::Covers;
using counts::FinishedVisit;
using counts::KeptPlan;

// From an engine's contexts to metrics. Only work is the region's; other layers have metrics of
// their own, and roofmark's own layer has none.
class MetricSink final : public CountSink {
 public:
  // `found` has its paths defined in `sink`.
  MetricSink(const Offer& offer, const FoundPaths& found, HarvestSink& sink)
      : offer_(offer), found_(found), sink_(sink) {}

  void Add(const Context& from, std::span<const uint64_t, ROOF_COUNTERS> counters) override {
    const Context context = {from.thread, found_.PathOf(from.path), from.layer, from.extent};
    if (context.layer == Layer::kWork) {
      for (const Mapping& mapping : offer_.given) {
        Add(context, mapping.metric, counters[mapping.counter]);
      }
      if (offer_.dependences) AddDependences(context, counters);
      critical_[context.path].of_cycles += counters[ROOF_C_WINDOW_CYCLES];
    }
    for (const ApartMapping& mapping : offer_.apart) {
      if (mapping.layer != context.layer) continue;
      uint64_t sum = 0;
      for (const roof_counter counter : mapping.counters) sum += counters[counter];
      Add(context, mapping.metric, sum);
    }
  }
  void Incomplete(const IncompletePath& path) override {
    for (const Mapping& mapping : offer_.given) {
      sink_.Doubt(path.path, mapping.metric, Status::kInvalid);
    }
    for (const ApartMapping& mapping : offer_.apart) {
      sink_.Doubt(path.path, mapping.metric, Status::kInvalid);
    }
    for (MetricId id = metric::kFirstDependence;
         offer_.dependences && id <= metric::kLastDependence; ++id) {
      sink_.Doubt(path.path, id, Status::kInvalid);
    }
    incomplete_.push_back(path);
  }
  void Critical(const Context& context, const SourceLine& line, uint64_t cycles) override {
    critical_[found_.PathOf(context.path)].cycles[{line.file, line.line}] += cycles;
  }
  void Entered(const Context& context, uint64_t times) override {
    sink_.AddVisits(context.thread, found_.PathOf(context.path), times);
  }
  // Of each path the line with most cycles of all threads.
  void HandOverCritical() {
    for (const auto& [path, known] : critical_) {
      const auto most = std::max_element(
          known.cycles.begin(), known.cycles.end(),
          [](const auto& one, const auto& other) { return one.second < other.second; });
      if (most == known.cycles.end()) continue;
      const auto& [file, line] = most->first;
      sink_.Critical(path, {file, line, most->second, known.of_cycles});
    }
  }
  std::vector<IncompletePath> TakeIncomplete() { return std::move(incomplete_); }

 private:
  struct CriticalPath {
    std::map<std::pair<std::string, uint32_t>, uint64_t> cycles;  // by source line
    uint64_t of_cycles = 0;
  };

  void AddDependences(const Context& context, std::span<const uint64_t, ROOF_COUNTERS> counters) {
    const std::array<uint64_t, kDependences> cycles = DependencesOf(counters);
    for (size_t i = 0; i < kDependences; ++i) {
      Add(context, static_cast<MetricId>(metric::kFirstDependence + i), cycles[i]);
    }
  }
  void Add(const Context& context, MetricId id, uint64_t value) {
    if (value != 0) sink_.Add(context.thread, context.path, id, value);
  }

  const Offer& offer_;
  const FoundPaths& found_;
  HarvestSink& sink_;
  std::vector<IncompletePath> incomplete_;
  std::map<uint32_t, CriticalPath> critical_;  // by path
};

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
    if (const std::string why = turns_ ? WhyNoTurns(settings) : ""; !why.empty()) {
      turns_ = false;
      return Error{why};
    }
    const std::string why_not = found_.Start(*engine_, settings);
    if (!why_not.empty()) return Error{why_not};
    latencies_ = settings.latencies;
    samples_ = settings.visits.kind != VisitPolicy::Kind::kAll && !turns_;
    offer_ = OfferOf(model_, engine_->GetLayers());
    if (samples_) OfferMargins(model_, offer_);
    if (turns_) offer_.metrics.push_back({metric::kFlopsMargin, Status::kScaled, ""});
    StartListening();
    if (settings.executed) {
      blocks_ = Need("executed", engine_->GetBlocks());
      if (blocks_ != nullptr) blocks_->Start(/*by_path=*/true);
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
    // Code that is not counted builds the profile of many regions in a third of the time.
    engine_->SetCounting(Extent::kNothing);
    counts.HandOverCritical();
    incomplete_ = counts.TakeIncomplete();
  }

  std::optional<Executed> TakeExecuted() override {
    if (blocks_ == nullptr) return std::nullopt;
    Executed executed = blocks_->HandOver();
    NamePaths(executed);
    return MergeExecuted({std::move(executed)});
  }

  std::vector<OfferedMetric> HarvestSoFar(HarvestSink& sink) override {
    Capability<PeriodicHarvest> periodic = engine_->GetPeriodicHarvest();
    if (!periodic) return NotYet(periodic.error());
    found_.Define(sink);
    MetricSink counts(offer_, found_, sink);
    TakeSums([&](CountSink& to) { (*periodic)->HarvestSoFar(to); }, counts, sink);
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
          "traffic of prefetchers, coherence, the TLB, the kernel, and the zeroing of pages";
    }
    if (samples_) {
      facts["sampled"] =
          "traffic is extrapolated from the visits that were modelled, in proportion to the bytes "
          "that all visits loaded and stored; dependences in proportion to instructions. Intervals "
          "(95 %) come from what up to 8 groups of these visits differ by";
    }
    if (turns_) {
      facts["scaled"] =
          "counts are scaled from the visits that were counted to all. The interval of FLOPs (95 "
          "%) comes from what up to 8 groups of these visits differ by";
    }
    if (model_.windows) facts["latencies"] = latencies_;
    if (!incomplete_.empty()) facts["incomplete"] = DescribeIncomplete();
    for (const std::string& note : found_.notes()) {
      std::string& all = facts["functions"];
      all += (all.empty() ? "" : "; ") + note;
    }
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
    if (turns_) return TakeScaled(harvest, counts, sink);
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

  // What keeps visits from taking turns; empty: nothing.
  std::string WhyNoTurns(const Settings& settings) const {
    if (engine_->HowItExecutes() != Execution::kInProcess) {
      return "visits take turns (ROOFMARK_VISITS=in-turns) under ROOFMARK_ENGINE=native alone, "
             "which leaves the others as they are";
    }
    if (model_.geometry.levels > 0) {
      return "ROOFMARK_VISITS=in-turns does not model caches, which needs every visit: set "
             "ROOFMARK_COUNT=flops";
    }
    if (settings.executed || settings.outside) {
      return fmt::format("ROOFMARK_VISITS=in-turns counts in some visits only: set {}=off",
                         VariableName(settings.executed ? "executed" : "outside"));
    }
    return {};
  }

  // Where visits take turns.
  template <typename Harvest>
  void TakeScaled(Harvest harvest, MetricSink& counts, HarvestSink& sink) const {
    ScaledVisits all;
    harvest(all);
    std::vector<uint32_t> paths;
    {
      const std::lock_guard lock(names_mutex_);
      for (const auto& [path, name] : names_) paths.push_back(path);
    }
    for (const uint32_t path : paths) Judge(path, all.Judge(path, sink.VisitsOf(path)), sink);
    all.HandOver(counts, sink);
  }

  // What is said of a path whose visits took turns.
  void Judge(uint32_t path, const ScaledPath& scaled, HarvestSink& sink) const {
    if (scaled.by_other_threads) sink.Doubt(path, metric::kTimeNs, Status::kInvalid);
    if (scaled.status == Status::kMeasured) return;
    for (const Mapping& mapping : offer_.given) sink.Doubt(path, mapping.metric, scaled.status);
    for (const ApartMapping& mapping : offer_.apart) {
      sink.Doubt(path, mapping.metric, scaled.status);
    }
    if (!scaled.flops_margin) {
      sink.Doubt(path, metric::kFlopsMargin, Status::kUnsupported);
    } else {
      sink.Add(kMainThread, path, metric::kFlopsMargin,
               static_cast<uint64_t>(std::llround(*scaled.flops_margin)));
    }
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

  std::string DescribeIncomplete() const {
    const std::lock_guard lock(names_mutex_);
    std::string text;
    for (const IncompletePath& path : incomplete_) {
      const auto name = names_.find(path.path);
      text += fmt::format("{}{}: {} (exits: {})", text.empty() ? "" : "; ",
                          name == names_.end() ? "outside of all regions" : name->second,
                          path.reason, path.exits);
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
