// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/papi/plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "collectors/hardware/events/attributes.h"
#include "collectors/hardware/events/cpu.h"
#include "collectors/hardware/events/groups.h"
#include "collectors/hardware/events/table.h"
#include "collectors/hardware/events/user_list.h"
#include "collectors/hardware/memory.h"
#include "collectors/hardware/package_events.h"
#include "collectors/hardware/papi/api.h"
#include "collectors/hardware/perf/explain.h"
#include "collectors/hardware/perf/user_events.h"
#include "collectors/papi/event_set.h"
#include "collectors/papi/meaning.h"
#include "lib/core/thread.h"

namespace roofmark::papi {
namespace {

constexpr char kTurns[] =
    "more events than the CPU can count at once: name fewer, or let them take turns with "
    "ROOFMARK_ROTATE=visits";

bool IsPreset(std::string_view name) { return name.starts_with("PAPI_"); }

struct Wanted {
  std::string name;
  Definition definition;
  std::optional<size_t> user;  // UserMetric(user)
};

class Planner {
 public:
  explicit Planner(const Settings& settings) : settings_(settings) {
    plan_.sets.kernels.with_kernel = settings.kernel;
  }

  void Refuse(std::optional<size_t> user, const std::string& name, std::string reason) {
    refused_.emplace_back(name, reason);
    if (user) Offer(*user, Status::kUnsupported, std::move(reason), name, "count");
  }

  void Want(const std::string& name, std::optional<size_t> user) {
    Result<Definition> definition = FindEvent(name);
    if (!definition) return Refuse(user, name, definition.error());
    if (!IsTotal(*definition)) {
      return Refuse(user, name, "it is a rate or a ratio, which has no sum");
    }
    Take({name, std::move(*definition), user});
  }

  // Nothing is left of the list that PAPI could not name.
  void TakeFromKernel(const std::vector<perf::NamedEvent>& events) {
    if (events.empty()) return;
    perf::UserPlan kernels = perf::PlanUserEvents(events, settings_.kernel);
    for (const perf::UserRule& rule : kernels.rules) {
      Offer(rule.user, rule.status, rule.reason, rule.label, rule.unit, "perf_event");
      if (!HasValue(rule.status)) continue;
      threads::MetricRule shifted{UserMetric(rule.user), {}};
      for (const threads::WeighedEvent& term : rule.terms) {
        shifted.terms.push_back({CountedByPapi() + term.event, term.weight});
      }
      Feed(std::move(shifted));
      if (rule.also) {
        threads::MetricRule also = plan_.hardware.rules.back();
        also.metric = *rule.also;
        FeedStandard(std::move(also), Status::kMeasured, "", "perf_event");
      }
    }
    plan_.sets.kernels = std::move(kernels.set);
  }

  void TakeMemory() { AddMemoryOfPapi(settings_, plan_.hardware); }

  void TakeFromPackages(const std::vector<perf::NamedEvent>& events) {
    AddPackageEvents(events, Counted(Status::kMeasured), plan_.hardware);
  }

  Result<Plan> Finish() {
    if (plan_.hardware.rules.empty() && plan_.hardware.packages.rules.empty()) {
      return Error{settings_.events.empty() ? WhyNone() : perf::WhyNothing(plan_.hardware.offered)};
    }
    plan_.hardware.why_no_rules = WhyNone();
    std::string names;
    for (const std::string& name : names_) names += (names.empty() ? "" : " ") + name;
    plan_.facts["events"] = names;
    plan_.facts["papi_version"] = Version();
    plan_.sets.in_turns = settings_.rotate;
    plan_.facts["event_groups"] =
        std::to_string(plan_.sets.codes.size() + plan_.sets.kernels.groups.size());
    plan_.facts["counted_modes"] = settings_.kernel ? "user and kernel" : "user";
    return std::move(plan_);
  }

  bool Has(MetricId metric) const {
    return std::any_of(plan_.hardware.rules.begin(), plan_.hardware.rules.end(),
                       [&](const threads::MetricRule& rule) { return rule.metric == metric; });
  }

 private:
  // Of events that all fail for one reason none is to blame. Who asked for a group did not name its
  // presets.
  std::string WhyNone() const {
    if (refused_.empty()) return {};
    std::vector<std::string> reasons;
    for (const auto& [name, reason] : refused_) {
      if (std::find(reasons.begin(), reasons.end(), reason) == reasons.end()) {
        reasons.push_back(reason);
      }
    }
    if (reasons.size() == 1) return reasons.front();
    if (!settings_.events.empty()) {
      return fmt::format("{}: {}", refused_.front().first, reasons.front());
    }
    for (std::string& reason : reasons)
      reason = fmt::format("{}: {}", NamesRefused(reason), reason);
    return fmt::format("PAPI counts nothing of ROOFMARK_GROUP={} ({})", settings_.group,
                       fmt::join(reasons, "; "));
  }

  std::string NamesRefused(const std::string& for_reason) const {
    std::string names;
    for (const auto& [name, reason] : refused_) {
      if (reason == for_reason) names += (names.empty() ? "" : ", ") + name;
    }
    return names;
  }

  size_t CountedByPapi() const {
    size_t events = 0;
    for (const auto& codes : plan_.sets.codes) events += codes.size();
    return events;
  }

  // Into the last set if it still opens with the event in it.
  void Take(const Wanted& wanted) {
    auto& sets = plan_.sets.codes;
    threads::OpenFailure failure;
    const bool room = !sets.empty() && sets.back().size() < threads::kMostInGroup;
    if (room && Opens(sets.back(), wanted.definition.code, failure)) {
      sets.back().push_back(wanted.definition.code);
    } else if (!Opens({}, wanted.definition.code, failure)) {
      return Refuse(wanted.user, wanted.name, Explain(failure.error));
    } else if (!sets.empty() && !settings_.rotate) {
      return Refuse(wanted.user, wanted.name, kTurns);
    } else {
      sets.push_back({wanted.definition.code});
    }
    plan_.sets.natives += wanted.definition.natives.size();
    names_.push_back(wanted.name);
    AddRules(wanted, CountedByPapi() - 1);
  }

  bool Opens(std::vector<int> codes, int code, threads::OpenFailure& failure) const {
    codes.push_back(code);
    const pid_t tid = ThisThread();
    std::optional<EventSet> set =
        EventSet::Open(codes, tid, {.with_kernel = settings_.kernel}, &failure);
    if (!set) return false;
    failure = {set->Start(), 0};
    return failure.error == 0;
  }

  std::string Explain(int error) const {
    if (error < 0) return ExplainError(error, settings_.kernel);
    return perf::ExplainOpen(error, settings_.kernel).reason;
  }

  void AddRules(const Wanted& wanted, size_t event) {
    if (wanted.user) {
      Feed({UserMetric(*wanted.user), {{event, 1}}});
      Offer(*wanted.user, Counted(Status::kMeasured), "", wanted.name, "count");
    }
    if (const std::optional<Meaning> meaning = MeaningOf(wanted.name, wanted.definition)) {
      FeedStandard({meaning->metric, {{event, meaning->weight}}}, meaning->status, meaning->note,
                   "");
    } else if (!wanted.user) {
      Refuse({}, wanted.name, "roofmark does not know what it counts on this CPU");
    }
  }

  void Feed(threads::MetricRule rule) { plan_.hardware.rules.push_back(std::move(rule)); }

  // Once, whatever else of the list means the same; FLOPs of all precisions only where none of a
  // single one are counted, which they contain.
  void FeedStandard(threads::MetricRule rule, Status status, std::string note, std::string origin) {
    if (Has(rule.metric)) return;
    const bool precise =
        Has(WholeFlops(WholePrecision::kDouble)) || Has(WholeFlops(WholePrecision::kSingle));
    if (rule.metric == WholeFlops(WholePrecision::kMixed) && precise) return;
    const MetricId metric = rule.metric;
    Feed(std::move(rule));
    OfferedMetric offered{metric, Counted(status), std::move(note)};
    offered.origin = std::move(origin);
    plan_.hardware.offered.push_back(std::move(offered));
  }

  Status Counted(Status status) const {
    const bool sampled = !settings_.visits.AreAll();
    return std::max(status, sampled ? Status::kScaled : Status::kMeasured);
  }

  void Offer(size_t user, Status status, std::string reason, const std::string& label,
             std::string unit, std::string origin = "") {
    OfferedMetric offered{UserMetric(user), HasValue(status) ? Counted(status) : status,
                          std::move(reason)};
    offered.label = label;
    offered.unit = std::move(unit);
    offered.origin = std::move(origin);
    plan_.hardware.offered.push_back(std::move(offered));
  }

  const Settings& settings_;
  Plan plan_;
  std::vector<std::string> names_;
  std::vector<std::pair<std::string, std::string>> refused_;  // names and reasons
};

// What the event table says of FLOPs on this CPU where PAPI has none: that of Haswell cannot count
// them, say.
std::string WhyNoFlops() {
  const auto facts = events::ReadCpuFacts();
  const auto cpu = facts ? events::IdentifyCpu(*facts) : Result<events::CpuModel>(Error{""});
  if (!cpu) return "PAPI has no preset of FLOPs for this CPU";
  for (const events::Refusal& refusal : events::TableOf(*cpu).refusals) {
    if (refusal.measure == events::Measure::kFlops) return refusal.reason;
  }
  return "PAPI has no preset of FLOPs for this CPU; ROOFMARK_COLLECTOR=perf_event counts them";
}

Result<Plan> OfGroup(const Settings& settings) {
  Planner planner(settings);
  for (const std::string& preset : PresetsOfGroup(settings.group)) {
    const bool has_flops = planner.Has(WholeFlops(WholePrecision::kDouble)) ||
                           planner.Has(WholeFlops(WholePrecision::kSingle));
    if (preset != "PAPI_FP_OPS" || !has_flops) planner.Want(preset, {});
  }
  const bool flops = planner.Has(WholeFlops(WholePrecision::kDouble)) ||
                     planner.Has(WholeFlops(WholePrecision::kSingle)) ||
                     planner.Has(WholeFlops(WholePrecision::kMixed));
  planner.TakeMemory();
  Result<Plan> plan = planner.Finish();
  if (!plan) return plan;
  plan->facts["group"] = settings.group;
  const std::string why = flops ? "" : WhyNoFlops();
  for (MetricId id = 0; !flops && IsFlops(id); ++id) {
    plan->hardware.offered.push_back({id, Status::kUnsupported, why});
  }
  return plan;
}

// In the user's order for PAPI, whose sets come first.
Result<Plan> OfList(const Settings& settings) {
  const Result<std::vector<std::string>> names = events::ParseUserList(settings.events);
  if (!names) return Error{names.error()};
  Planner planner(settings);
  const events::Sysfs sysfs;
  std::vector<perf::NamedEvent> kernels, packages;
  for (size_t i = 0; i < names->size(); ++i) {
    const std::string& name = (*names)[i];
    if (IsPreset(name)) {
      planner.Want(name, i);
      continue;
    }
    Result<events::ListedEvent> listed = events::EncodeListed(sysfs, name);
    if (listed && listed->scope == Scope::kPackage) {
      packages.push_back({i, name, std::move(*listed)});
    } else if (listed) {
      kernels.push_back({i, name, std::move(*listed)});
    } else {
      planner.Refuse(i, name, listed.error());
    }
  }
  planner.TakeFromKernel(kernels);
  planner.TakeFromPackages(packages);
  return planner.Finish();
}

}  // namespace

Result<Plan> MakePlan(const Settings& settings) {
  if (const std::string why = WhyNoPapi(); !why.empty()) return Error{why};
  return settings.events.empty() ? OfGroup(settings) : OfList(settings);
}

}  // namespace roofmark::papi
