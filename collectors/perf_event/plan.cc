// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/perf_event/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "collectors/hardware/events/attributes.h"
#include "collectors/hardware/events/cpu.h"
#include "collectors/hardware/events/encode.h"
#include "collectors/hardware/events/groups.h"
#include "collectors/hardware/events/sysfs.h"
#include "collectors/hardware/perf/pack.h"
#include "collectors/hardware/placing.h"
#include "collectors/perf_event/user_plan.h"

namespace roofmark::perf {
namespace {

using events::FpPrecision;
using events::Measure;

// One formula, its terms encoded.
struct Candidate {
  const events::Formula* formula;
  MetricId metric;
  std::vector<WeighedEvent> terms;  // of the planner's events, later of the set's
};

// What a roofline needs of almost every program.
bool IsEssential(const events::Quantity& quantity) {
  switch (quantity.measure) {
    case Measure::kFlops:
      return quantity.precision != FpPrecision::kHalf &&
             quantity.precision != FpPrecision::kBfloat16;
    case Measure::kCycles:
    case Measure::kInstructions:
      return true;
    default:
      return false;
  }
}

class Planner {
 public:
  explicit Planner(const std::string& root) : sysfs_(root) {}

  // A metric of which a part cannot be counted is not counted at all.
  void Refuse(MetricId metric, Status status, std::string reason) {
    if (first_reason_.empty()) first_reason_ = reason;
    refused_.try_emplace(metric, Explanation{status, std::move(reason)});
  }
  void RefuseFlops(const std::string& reason) {
    for (MetricId id = 0; IsFlops(id); ++id) Refuse(id, Status::kUnsupported, reason);
  }

  // What the CPU has, but the user did not ask for.
  void LeaveOut(const events::Formula& formula, std::string_view group) {
    if (const auto metric = MetricOf(formula)) {
      left_out_.try_emplace(*metric, fmt::format("not in ROOFMARK_GROUP={}", group));
    }
  }

  void Consider(const events::Formula& formula) {
    const std::optional<MetricId> metric = MetricOf(formula);
    const std::string name = events::QuantityName(formula.quantity);
    // Two groups may both have it: it is counted once.
    if (!considered_.insert(name).second) return;
    if (!metric) {
      unplaced_.insert(name);
      if (formula.quantity.measure == Measure::kFlops) {
        RefuseFlops(fmt::format(
            "this CPU's events do not tell enough about {}; ROOFMARK_GROUP=mix may", name));
      }
      return;
    }
    if (IsOfPackage(formula)) {
      const std::string why_not = AddToPackage(sysfs_, formula, *metric, plan_.hardware.packages);
      if (!why_not.empty()) Refuse(*metric, Status::kUnsupported, why_not);
      left_out_.erase(*metric);
      return;
    }
    Candidate candidate{&formula, *metric, {}};
    for (const events::Term& term : formula.terms) {
      const Result<events::Encoding> encoding = events::EncodeTableEvent(sysfs_, term.event);
      if (!encoding) {
        Refuse(*metric, Status::kUnsupported, encoding.error());
        return;
      }
      for (const events::EncodedEvent& event : encoding->events) {
        candidate.terms.push_back({NumberOf(event), term.Weight(events::SveVectorBits())});
      }
    }
    candidates_.push_back(std::move(candidate));
  }

  // Of everything considered from here on: it is counted only if nothing has to take turns for it.
  void OnlyIfItFits() { must_ = events_.size(); }

  Result<Plan> Finish(bool with_kernel, bool sampled) {
    Packed packed = Pack(events_, with_kernel);
    tried_ = events_.size();
    if (must_ && *must_ < events_.size()) PreferFewerGroups(packed, with_kernel);
    DropWhatWasLeftOut(packed);
    RefuseWhatDidNotOpen(packed);
    for (const Candidate& candidate : candidates_) Offer(candidate, packed, sampled);
    if (plan_.hardware.rules.empty() && plan_.hardware.packages.rules.empty()) {
      return Error{first_reason_.empty()
                       ? "roofmark's table has no event of this group for this CPU"
                       : first_reason_};
    }
    if (plan_.hardware.rules.empty()) plan_.hardware.why_no_rules = first_reason_;
    plan_.set = std::move(packed.set);
    for (const auto& [metric, why] : refused_) {
      plan_.hardware.offered.push_back({metric, why.status, why.reason});
    }
    for (const auto& [metric, reason] : left_out_) {
      if (refused_.contains(metric)) continue;
      plan_.hardware.offered.push_back({metric, Status::kUnsupported, reason});
    }
    std::string names;
    for (size_t i = 0; i < names_.size(); ++i) {
      if (packed.number[i]) names += (names.empty() ? "" : " ") + names_[i];
    }
    plan_.facts["events"] = names;
    plan_.facts["event_groups"] = std::to_string(plan_.set.groups.size());
    plan_.facts["counted_modes"] = with_kernel ? "user and kernel" : "user";
    if (!unplaced_.empty()) {
      plan_.facts["not_kept"] = fmt::format("{}", fmt::join(unplaced_, " "));
    }
    return std::move(plan_);
  }

 private:
  size_t NumberOf(const events::EncodedEvent& event) {
    const perf_event_attr attr = events::Attributes(event);
    const auto same = std::find_if(events_.begin(), events_.end(), [&](const auto& known) {
      return events::SameEvent(known, attr);
    });
    if (same != events_.end()) return static_cast<size_t>(same - events_.begin());
    events_.push_back(attr);
    names_.push_back(event.name);
    return events_.size() - 1;
  }

  void PreferFewerGroups(Packed& packed, bool with_kernel) {
    const auto end = events_.begin() + static_cast<ptrdiff_t>(*must_);
    Packed fewer = Pack({events_.begin(), end}, with_kernel);
    if (fewer.set.groups.size() >= packed.set.groups.size()) return;
    packed = std::move(fewer);
    tried_ = *must_;
    packed.number.resize(events_.size());
    packed.refused.resize(events_.size(),
                          {Status::kUnsupported,
                           "left out, so that fewer events take turns on the counters; "
                           "ROOFMARK_GROUP=mix counts it"});
  }

  // Formulas that were not even tried; a metric that others fill keeps what they give.
  void DropWhatWasLeftOut(const Packed& packed) {
    const auto left_out = [&](const Candidate& candidate) {
      return std::any_of(candidate.terms.begin(), candidate.terms.end(),
                         [&](const WeighedEvent& term) { return term.event >= tried_; });
    };
    const auto first = std::stable_partition(candidates_.begin(), candidates_.end(),
                                             [&](const Candidate& c) { return !left_out(c); });
    for (auto dropped = first; dropped != candidates_.end(); ++dropped) {
      const bool filled = std::any_of(candidates_.begin(), first, [&](const Candidate& kept) {
        return kept.metric == dropped->metric;
      });
      if (filled) {
        unplaced_.insert(events::QuantityName(dropped->formula->quantity));
      } else {
        Refuse(dropped->metric, packed.refused.back().status, packed.refused.back().reason);
      }
    }
    candidates_.erase(first, candidates_.end());
  }

  // Nothing opened, and for one reason: it is not the fault of any single event, which the user may
  // never have asked for.
  bool AllRefusedAlike(const Packed& packed) const {
    for (size_t event = 0; event < tried_; ++event) {
      if (packed.number[event] || packed.refused[event].reason != packed.refused[0].reason) {
        return false;
      }
    }
    return true;
  }

  void RefuseWhatDidNotOpen(const Packed& packed) {
    const bool alike = AllRefusedAlike(packed);
    for (const Candidate& candidate : candidates_) {
      for (const WeighedEvent& term : candidate.terms) {
        if (packed.number[term.event]) continue;
        const Explanation& why = packed.refused[term.event];
        Refuse(candidate.metric, why.status,
               alike ? why.reason : fmt::format("{}: {}", names_[term.event], why.reason));
      }
    }
  }

  // Several formulas may fill one metric (a kind of two precisions): their terms are one sum.
  void Offer(const Candidate& candidate, const Packed& packed, bool sampled) {
    if (refused_.contains(candidate.metric)) return;
    left_out_.erase(candidate.metric);
    auto rule =
        std::find_if(plan_.hardware.rules.begin(), plan_.hardware.rules.end(),
                     [&](const MetricRule& known) { return known.metric == candidate.metric; });
    if (rule == plan_.hardware.rules.end()) {
      rule = plan_.hardware.rules.insert(rule, {candidate.metric, {}});
      const Status counted = sampled ? Status::kScaled : Status::kMeasured;
      plan_.hardware.offered.push_back({candidate.metric,
                                        std::max(candidate.formula->status, counted),
                                        candidate.formula->note});
    }
    for (const WeighedEvent& term : candidate.terms) {
      rule->terms.push_back({*packed.number[term.event], term.weight});
    }
  }

  events::Sysfs sysfs_;
  std::vector<perf_event_attr> events_;
  std::vector<std::string> names_;
  std::optional<size_t> must_;  // events before this one are counted even if they take turns
  size_t tried_ = 0;            // events before this one were opened, or refused
  std::vector<Candidate> candidates_;
  std::set<std::string> considered_;  // quantities
  std::set<std::string> unplaced_;    // quantities that no metric can hold
  std::map<MetricId, Explanation> refused_;
  std::map<MetricId, std::string> left_out_;
  std::string first_reason_;
  Plan plan_;
};

}  // namespace

Result<Plan> MakePlan(const Settings& settings, const std::string& root) {
  if (!settings.events.empty()) return MakeUserPlan(settings, root);
  const Result<events::CpuFacts> facts = events::ReadCpuFacts(root);
  if (!facts) return Error{facts.error()};
  const Result<events::CpuModel> cpu = events::IdentifyCpu(*facts);
  if (!cpu) return Error{cpu.error()};
  const events::EventTable table = events::TableOf(*cpu);
  const bool automatic = settings.group == "auto";
  const events::Group* group = events::FindGroup(automatic ? "mix" : settings.group);
  if (group == nullptr) {
    return Error{fmt::format("ROOFMARK_GROUP={} is not a group of events", settings.group)};
  }
  const events::Selection selection = events::Select(table, *group);
  // The planner refers to formulas until it is done.
  const events::Selection memory = events::Select(table, *events::FindGroup("mem"));
  Planner planner(root);
  for (const events::Formula& formula : table.formulas) planner.LeaveOut(formula, settings.group);
  for (const events::Formula& formula : selection.formulas) {
    if (!automatic || IsEssential(formula.quantity)) planner.Consider(formula);
  }
  if (automatic) {
    planner.OnlyIfItFits();
    for (const events::Formula& formula : memory.formulas) planner.Consider(formula);
    for (const events::Formula& formula : selection.formulas) {
      if (!IsEssential(formula.quantity)) planner.Consider(formula);
    }
  }
  for (const events::Refusal& refusal : selection.missing) {
    if (refusal.measure == Measure::kFlops) {
      planner.RefuseFlops(refusal.reason);
    } else {
      for (const MetricId metric : MetricsOf(refusal.measure)) {
        planner.Refuse(metric, Status::kUnsupported, refusal.reason);
      }
    }
  }
  Result<Plan> plan = planner.Finish(settings.kernel, !settings.visits.AreAll());
  if (plan) {
    plan->facts["cpu_events_of"] = events::CpuKey(*cpu);
    plan->facts["group"] = settings.group;
    plan->facts["line_bytes"] = std::to_string(table.line_bytes);
  }
  return plan;
}

}  // namespace roofmark::perf
