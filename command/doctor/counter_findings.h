// SPDX-License-Identifier: BSD-3-Clause
//
// Findings about the kernel's counters.
#ifndef ROOFMARK_COMMAND_DOCTOR_COUNTER_FINDINGS_H_
#define ROOFMARK_COMMAND_DOCTOR_COUNTER_FINDINGS_H_

#include <optional>

#include "collectors/hardware/events/cpu.h"
#include "command/doctor/finding.h"
#include "command/doctor/system_facts.h"

namespace roofmark::cli {

// The system call, software events, the core's cycles and instructions, kernel mode, reading
// without a system call, how many counters there are and how many of them are free.
Findings FindCoreCounters(const SystemFacts& facts);

// What the event table has for this CPU, metric by metric; metrics that fare alike stand together.
// `cpu`: none if it is not known.
Findings FindTableEvents(const std::optional<events::CpuModel>& cpu, const SystemFacts& facts);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_DOCTOR_COUNTER_FINDINGS_H_
