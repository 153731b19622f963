// SPDX-License-Identifier: BSD-3-Clause
//
// Findings about everything that is not a counter.
#ifndef ROOFMARK_COMMAND_DOCTOR_ENVIRONMENT_FINDINGS_H_
#define ROOFMARK_COMMAND_DOCTOR_ENVIRONMENT_FINDINGS_H_

#include <cstddef>
#include <optional>

#include "collectors/hardware/events/cpu.h"
#include "command/doctor/finding.h"
#include "command/doctor/system_facts.h"
#include "lib/core/result.h"

namespace roofmark::cli {

// CPU, virtual machine, container.
Findings FindMachineKind(const Result<events::CpuModel>& cpu, const SystemFacts& facts);

// Descriptors for `events` per thread (0: not known) and CPUs.
Findings FindLimits(const SystemFacts& facts, size_t events);
Finding FindDescriptors(const SystemFacts& facts, size_t events);
Finding FindAffinity(const SystemFacts& facts);

// Shared memory, and the machine file of this machine.
Findings FindFiles();

// libpapi and what its components say of themselves.
Findings FindPapi();

// The counting engines: are they there, and do they count?
Findings FindEngines();

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_DOCTOR_ENVIRONMENT_FINDINGS_H_
