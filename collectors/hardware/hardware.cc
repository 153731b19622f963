// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/hardware.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "collectors/hardware/events/cpu.h"
#include "collectors/hardware/memory.h"
#include "lib/core/descriptor.h"

namespace roofmark {
namespace {

// Hands everything on, and keeps the last-level misses by path.
class WatchMisses final : public HarvestSink {
 public:
  explicit WatchMisses(HarvestSink& next) : next_(next) {}

  void Add(uint32_t worker, uint32_t path, MetricId metric, uint64_t value) override {
    if (metric == metric::kLastLevelMisses) {
      if (misses_.size() <= path) misses_.resize(path + 1);
      misses_[path] += value;
    }
    next_.Add(worker, path, metric, value);
  }
  void AddInclusive(uint32_t path, MetricId metric, uint64_t value) override {
    next_.AddInclusive(path, metric, value);
  }
  void AddShared(std::string_view path, MetricId metric, const Distribution& value,
                 Status status) override {
    next_.AddShared(path, metric, value, status);
  }
  void Doubt(uint32_t path, MetricId metric, Status status) override {
    // A part of them would make a wrong share.
    believed_ = believed_ && (metric != metric::kLastLevelMisses || HasValue(status));
    next_.Doubt(path, metric, status);
  }

  std::vector<uint64_t> TakeMisses() {
    return believed_ ? std::move(misses_) : std::vector<uint64_t>();
  }

 private:
  HarvestSink& next_;
  std::vector<uint64_t> misses_;
  bool believed_ = true;
};

// What the user's own metrics are called stands with what was offered for them before.
void AdoptLabels(const std::vector<OfferedMetric>& planned, std::vector<OfferedMetric>& offered) {
  for (OfferedMetric& offer : offered) {
    const auto known = std::find_if(planned.begin(), planned.end(), [&](const OfferedMetric& each) {
      return each.metric == offer.metric;
    });
    if (known == planned.end()) continue;
    offer.label = known->label;
    offer.unit = known->unit;
    offer.scope = known->scope;
  }
}

// What the same events tell of what the threads do for MPI and for OpenMP runtimes.
std::set<MetricId> ApartOf(const std::vector<threads::MetricRule>& rules) {
  std::set<MetricId> apart;
  for (const threads::MetricRule& rule : rules) {
    for (const Layer layer : {Layer::kMpi, Layer::kRuntime}) {
      const std::optional<MetricId> metric = threads::InLayer(rule.metric, layer);
      if (metric && *metric != rule.metric) apart.insert(*metric);
    }
  }
  return apart;
}

}  // namespace

Result<std::vector<OfferedMetric>> HardwareCollector::Open(const Settings& settings) {
  Result<HardwareSource> found = Plan(settings);
  if (!found) return Error{found.error()};
  source_ = std::move(*found);
  if (const std::string why = TakeListedMemory(settings, source_.plan); !why.empty()) {
    return Error{why};
  }
  const auto cpu = kPapiHasAWayOfItsOwn ? events::ReadCpuFacts() : events::CpuFacts();
  if (cpu) AskPapiIfDenied(settings, *cpu, source_.plan);
  const threads::Source& source = *source_.threads;
  std::vector<OfferedMetric> offered = OpenPackages(settings);
  if (source_.plan.rules.empty() && !CountsPackages()) {
    return Error{source_.plan.why_no_rules.empty() && !offered.empty() ? offered.front().reason
                                                                       : source_.plan.why_no_rules};
  }
  const size_t budget = threads::DescriptorBudget();
  if (budget < source.Descriptors()) {
    return Error{
        fmt::format("each thread needs {} file descriptors, and roofmark may use {}: half of the "
                    "free ones, none of fewer than {}; raise the limit with `ulimit -n`",
                    source.Descriptors(), budget, kFewFiles)};
  }
  for (const OfferedMetric& planned : source_.plan.offered) {
    const bool told = std::any_of(offered.begin(), offered.end(), [&](const OfferedMetric& each) {
      return each.metric == planned.metric;
    });
    if (!told) offered.push_back(planned);
  }
  const std::set<MetricId> apart = ApartOf(source_.plan.rules);
  for (const MetricId metric : apart) offered.push_back({metric, Status::kMeasured, ""});
  follows_layers_ = !apart.empty();
  threads_.emplace(*source_.threads, budget, settings.rotate);
  return offered;
}

// What the plan wants of memory controllers, and whether it can be had.
std::vector<OfferedMetric> HardwareCollector::OpenPackages(const Settings& settings) {
  if (source_.plan.packages.rules.empty()) return {};
  packages_.emplace(source_.plan.packages, settings.sync_node);
  std::vector<OfferedMetric> offered = packages_->Open(threads::DescriptorBudget());
  AdoptLabels(source_.plan.offered, offered);
  const bool misses = std::any_of(
      source_.plan.rules.begin(), source_.plan.rules.end(),
      [](const threads::MetricRule& rule) { return rule.metric == metric::kLastLevelMisses; });
  if (misses && CountsPackages()) {
    offered.push_back({metric::kApportionedDramBytes, Status::kModelled, ""});
  }
  for (const OfferedMetric& offer : offered) {
    if (HasValue(offer.status)) package_metrics_.push_back(offer.metric);
  }
  return offered;
}

void HardwareCollector::DefinePath(uint32_t path, uint32_t parent, std::string_view name) {
  if (CountsPackages()) packages_->DefinePath(path, parent, name);
}

// Reading the controllers is kept out of what the threads count in the inner of both paths.
void HardwareCollector::EnterTeam(uint32_t path, bool measured,
                                  const counts::FinishedVisit* finished) noexcept {
  const bool begins = path > team_path_;
  team_path_ = path;
  if (begins && packages_) packages_->EnterTeam(path, measured);
  threads_->EnterTeam(measured ? path : threads::kNotMeasured, finished);
  if (!begins && packages_) packages_->EnterTeam(path, measured);
}

void HardwareCollector::EnterOwn(uint32_t path, bool measured,
                                 const counts::FinishedVisit* finished) noexcept {
  if (path != 0 && packages_) packages_->EnterOwn(path, measured);
  threads_->EnterOwn(measured ? path : threads::kNotMeasured, finished);
  if (path == 0 && packages_) packages_->EnterOwn(path, measured);
}

void HardwareCollector::KeepIn(counts::CountStore& store) {
  if (source_.plan.rules.empty()) return;
  counts::KeptPlan plan;
  for (const size_t size : source_.threads->Groups()) {
    plan.groups.push_back(static_cast<uint32_t>(size));
  }
  plan.events = static_cast<uint32_t>(source_.threads->Events());
  plan.rules = source_.plan.rules;
  if (store.Describe(plan)) threads_->KeepIn(store);
}

void HardwareCollector::HarvestThreads(HarvestSink& sink) {
  least_share_ = threads::Harvest(*threads_, source_.plan.rules, Name(), sink);
}

void HardwareCollector::Harvest(HarvestSink& sink) {
  WatchMisses watched(sink);
  HarvestThreads(watched);
  if (CountsPackages()) packages_->Harvest(watched.TakeMisses(), sink);
}

// A package is handed over once, by whichever of its processes ends last.
std::vector<OfferedMetric> HardwareCollector::HarvestSoFar(HarvestSink& sink) {
  HarvestThreads(sink);
  std::vector<OfferedMetric> later;
  for (const MetricId id : package_metrics_) {
    later.push_back({id, Status::kUnsupported,
                     "the counts of the memory controllers are known only when the job ends"});
  }
  return later;
}

std::vector<Background> HardwareCollector::BackgroundTraffic() const {
  return packages_ ? packages_->BackgroundTraffic() : std::vector<Background>();
}

std::map<std::string, std::string> HardwareCollector::Facts() const {
  std::map<std::string, std::string> facts = source_.facts;
  if (packages_) facts.merge(packages_->Facts());
  if (least_share_ < 1) facts["least_running_share"] = fmt::format("{:.3f}", least_share_);
  return facts;
}

}  // namespace roofmark
