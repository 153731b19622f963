// SPDX-License-Identifier: BSD-3-Clause
#include "command/doctor/event_probe.h"

#include <cerrno>
#include <map>
#include <utility>

#include "command/doctor/diagnose.h"
#include "command/doctor/open_event.h"

namespace roofmark::cli {
namespace {

bool IsWorse(const Diagnosis& a, const Diagnosis& b) { return a.state > b.state; }

// The device is not there, or not in the shape that the table expects.
Diagnosis NotEncoded(const events::Event& event, const std::string& why, const events::Sysfs& sysfs,
                     const SystemFacts& facts) {
  for (const std::string& name : sysfs.DeviceNames()) {
    if (events::MatchesDevice(event.device, name)) return {State::kUnsupported, 0, why, ""};
  }
  if (!event.OnCore()) return DiagnoseNoDevice(event.device, facts);
  return DiagnoseOpen(ENOENT, Target::kCore, facts);
}

// Many formulas share events; each is opened once.
class Prober {
 public:
  Prober(const events::Sysfs& sysfs, const SystemFacts& facts) : sysfs_(sysfs), facts_(facts) {}

  ProbedFormula Probe(const events::Formula& formula) {
    ProbedFormula probed{&formula, {}, {}, 0};
    for (const events::Term& term : formula.terms) {
      const Result<events::Encoding> encoding = events::EncodeTableEvent(sysfs_, term.event);
      if (!encoding) {
        Note(probed, NotEncoded(term.event, encoding.error(), sysfs_, facts_));
        continue;
      }
      for (const events::EncodedEvent& event : encoding->events) {
        const Diagnosis diagnosis = Once(event);
        if (diagnosis.state == State::kOk) ++probed.opened;
        Note(probed, diagnosis);
        probed.events.push_back({event, diagnosis});
      }
    }
    return probed;
  }

 private:
  static void Note(ProbedFormula& probed, const Diagnosis& diagnosis) {
    if (IsWorse(diagnosis, probed.diagnosis)) probed.diagnosis = diagnosis;
  }
  Diagnosis Once(const events::EncodedEvent& event) {
    const auto key = std::pair(event.type, event.config);
    const auto known = known_.find(key);
    if (known != known_.end()) return known->second;
    return known_[key] = ProbeEvent(event, facts_);
  }

  const events::Sysfs& sysfs_;
  const SystemFacts& facts_;
  std::map<std::pair<uint32_t, events::ConfigWords>, Diagnosis> known_;
};

}  // namespace

Diagnosis ProbeEvent(const events::EncodedEvent& event, const SystemFacts& facts) {
  const Opened opened = TryEvent(event);
  const Target target = event.scope == Scope::kPackage     ? Target::kPackage
                        : event.type == PERF_TYPE_SOFTWARE ? Target::kSoftware
                                                           : Target::kCore;
  if (opened.error == 0 && !opened.runs) return DiagnoseNeverRuns(facts);
  return DiagnoseOpen(opened.error, target, facts);
}

std::vector<ProbedFormula> ProbeTable(const events::EventTable& table, const events::Sysfs& sysfs,
                                      const SystemFacts& facts) {
  Prober prober(sysfs, facts);
  std::vector<ProbedFormula> probed;
  for (const events::Formula& formula : table.formulas) probed.push_back(prober.Probe(formula));
  return probed;
}

}  // namespace roofmark::cli
