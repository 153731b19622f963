// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "command/doctor/counter_findings.h"
#include "command/doctor/event_probe.h"

namespace roofmark::cli {
namespace {

using events::Measure;

// What stands together on one line.
struct EventFamily {
  std::string_view id, section, title;
  std::vector<Measure> measures;
};

const std::vector<EventFamily>& Families() {
  using M = Measure;
  static const std::vector<EventFamily> families = {
      {"flops", "What roofmark counts on this CPU", "FLOPs", {M::kFlops}},
      {"cycles",
       "What roofmark counts on this CPU",
       "cycles and stalls",
       {M::kCycles, M::kInstructions, M::kMemoryStallCycles}},
      {"caches",
       "What roofmark counts on this CPU",
       "cache traffic",
       {M::kLastLevelMisses, M::kL1ReadBytes, M::kL1WriteBytes, M::kL2ReadBytes, M::kL2WriteBytes,
        M::kL3ReadBytes}},
      {"dram",
       "What roofmark counts on this CPU",
       "DRAM traffic",
       {M::kDramReadBytes, M::kDramWriteBytes, M::kDramBytes}},
      {"hbm",
       "What roofmark counts on this CPU",
       "HBM traffic",
       {M::kHbmReadBytes, M::kHbmWriteBytes}},
  };
  return families;
}

bool Has(const EventFamily& family, Measure measure) {
  return std::find(family.measures.begin(), family.measures.end(), measure) !=
         family.measures.end();
}

bool SameReason(const Diagnosis& a, const Diagnosis& b) {
  return a.state == b.state && a.error == b.error && a.cause == b.cause;
}

// " (5 of 6 devices open, not uncore_imc_3)": of those outside the cores.
std::string Devices(const std::vector<const ProbedFormula*>& formulas) {
  std::set<std::string> all, closed;
  for (const ProbedFormula* formula : formulas) {
    for (const ProbedEvent& event : formula->events) {
      if (event.event.scope != Scope::kPackage) continue;
      all.insert(event.event.device);
      if (event.diagnosis.state != State::kOk) closed.insert(event.event.device);
    }
  }
  if (all.empty()) return "";
  const bool some = !closed.empty() && closed.size() < all.size();
  return fmt::format(" ({} of {} devices open{})", all.size() - closed.size(), all.size(),
                     some ? fmt::format(", not {}", fmt::join(closed, ", ")) : std::string());
}

std::string Names(const std::vector<const ProbedFormula*>& formulas) {
  constexpr size_t kMost = 4;
  std::string names;
  for (size_t i = 0; i < formulas.size(); ++i) {
    if (i == kMost && formulas.size() > kMost + 1) {
      return names + fmt::format(" and {} more", formulas.size() - kMost);
    }
    names += (i == 0 ? "" : ", ") + events::QuantityName(formulas[i]->formula->quantity);
  }
  return names;
}

// Each reason once.
template <class Add>
void AddRefusals(const EventFamily& family, const events::EventTable& table, const Add& add) {
  std::vector<std::pair<std::string, std::string>> names;  // by reason
  for (const events::Refusal& refusal : table.refusals) {
    if (!Has(family, refusal.measure)) continue;
    auto same = std::find_if(names.begin(), names.end(),
                             [&](const auto& each) { return each.first == refusal.reason; });
    if (same == names.end()) same = names.insert(same, {refusal.reason, ""});
    same->second += same->second.empty() ? "" : ", ";
    same->second += events::MeasureName(refusal.measure);
  }
  for (size_t i = 0; i < names.size(); ++i) {
    add(fmt::format("{}_refused{}", family.id, i == 0 ? "" : fmt::format("_{}", i + 1)),
        names[i].second, Diagnosis{State::kUnsupported, 0, names[i].first, ""});
  }
}

void AddFamily(const EventFamily& family, const std::vector<ProbedFormula>& probed,
               const events::EventTable& table, Findings& findings) {
  std::vector<std::vector<const ProbedFormula*>> alike;
  for (const ProbedFormula& formula : probed) {
    if (!Has(family, formula.formula->quantity.measure)) continue;
    auto same = std::find_if(alike.begin(), alike.end(), [&](const auto& group) {
      return SameReason(group[0]->diagnosis, formula.diagnosis);
    });
    if (same == alike.end()) same = alike.insert(same, std::vector<const ProbedFormula*>{});
    same->push_back(&formula);
  }
  const auto add = [&](std::string id, std::string found, Diagnosis diagnosis) {
    findings.push_back({std::move(id), std::string(family.section), std::string(family.title),
                        std::move(found), std::move(diagnosis)});
  };
  for (const auto& group : alike) {
    add(fmt::format("{}{}", family.id,
                    &group == &alike[0] ? "" : fmt::format("_{}", &group - &alike[0] + 1)),
        Names(group) + Devices(group), group[0]->diagnosis);
  }
  AddRefusals(family, table, add);
}

}  // namespace

Findings FindTableEvents(const std::optional<events::CpuModel>& cpu, const SystemFacts& facts) {
  if (!cpu) return {};
  const events::EventTable table = events::TableOf(*cpu);
  const events::Sysfs sysfs;
  const std::vector<ProbedFormula> probed = ProbeTable(table, sysfs, facts);
  Findings findings;
  for (const EventFamily& family : Families()) AddFamily(family, probed, table, findings);
  return findings;
}

}  // namespace roofmark::cli
