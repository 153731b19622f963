// SPDX-License-Identifier: BSD-3-Clause
//
// The event table of a CPU, formula by formula, opened on this machine.
#ifndef ROOFMARK_COMMAND_DOCTOR_EVENT_PROBE_H_
#define ROOFMARK_COMMAND_DOCTOR_EVENT_PROBE_H_

#include <string>
#include <vector>

#include "collectors/hardware/events/encode.h"
#include "collectors/hardware/events/sysfs.h"
#include "collectors/hardware/events/table.h"
#include "command/doctor/finding.h"
#include "command/doctor/system_facts.h"

namespace roofmark::cli {

struct ProbedEvent {
  events::EncodedEvent event;
  Diagnosis diagnosis;
};

struct ProbedFormula {
  const events::Formula* formula;
  std::vector<ProbedEvent> events;  // of all terms, on all devices
  Diagnosis diagnosis;              // kOk: every event opens and counts
  size_t opened = 0;                // how many of `events` do
};

// `table` must outlive what is returned.
std::vector<ProbedFormula> ProbeTable(const events::EventTable& table, const events::Sysfs& sysfs,
                                      const SystemFacts& facts);

// Of one event, by opening it.
Diagnosis ProbeEvent(const events::EncodedEvent& event, const SystemFacts& facts);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_DOCTOR_EVENT_PROBE_H_
