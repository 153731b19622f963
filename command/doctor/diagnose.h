// SPDX-License-Identifier: BSD-3-Clause
//
// From an errno and what the system says of itself to the cause and the cure. Pure, so that every
// rule can be tested without the machine that needs it.
#ifndef ROOFMARK_COMMAND_DOCTOR_DIAGNOSE_H_
#define ROOFMARK_COMMAND_DOCTOR_DIAGNOSE_H_

#include <string>
#include <string_view>

#include "command/doctor/finding.h"
#include "command/doctor/system_facts.h"

namespace roofmark::cli {

// What was opened; each needs its own perf_event_paranoid at most.
enum class Target : uint8_t {
  kSoftware,  // 2
  kCore,      // 2: a thread's own user mode
  kKernel,    // 1: a thread's own kernel mode
  kPackage,   // 0: everything on a CPU
};

// Of a failed perf_event_open; error 0 is a state of kOk.
Diagnosis DiagnoseOpen(int error, Target target, const SystemFacts& facts);

// Of an event that opens and then never gets a counter.
Diagnosis DiagnoseNeverRuns(const SystemFacts& facts);

// Of perf_event_open itself, called with flags that no kernel has: EINVAL means that the kernel
// looked at them, anything else that something stands before it.
Diagnosis DiagnoseSystemCall(int error, const SystemFacts& facts);

// Of a memory controller whose device is not in /sys/bus/event_source/devices. `pattern` as in
// events::Event::device.
Diagnosis DiagnoseNoDevice(std::string_view pattern, const SystemFacts& facts);

// How to make this hypervisor hand the counters on.
std::string HypervisorCure(std::string_view hypervisor);

}  // namespace roofmark::cli

#endif  // ROOFMARK_COMMAND_DOCTOR_DIAGNOSE_H_
