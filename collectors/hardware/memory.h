// SPDX-License-Identifier: BSD-3-Clause
//
// Who reads the memory controllers: perf_event, or PAPI through one of its components.
//
// ROOFMARK_PACKAGE_EVENTS is read through PAPI. Without it, the collector papi takes PAPI's events
// where PAPI names all that count the CPU's memory traffic, else perf_event's. Under `auto` they
// are perf_event's. PAPI is asked instead only where it has a way of its own: on POWER, if the
// kernel does not let this process open them. On other machines PAPI's components need the same
// rights as perf_event.
#ifndef ROOFMARK_COLLECTORS_HARDWARE_MEMORY_H_
#define ROOFMARK_COLLECTORS_HARDWARE_MEMORY_H_

#include <string>

#include "collectors/hardware/events/cpu.h"
#include "collectors/hardware/hardware_plan.h"
#include "lib/core/settings.h"

namespace roofmark {

// What the collector papi counts of memory controllers in ROOFMARK_GROUP.
void AddMemoryOfPapi(const Settings& settings, HardwarePlan& plan);

// Puts what ROOFMARK_PACKAGE_EVENTS names in the place of the plan's DRAM traffic. Empty, or the
// error: the list is malformed.
std::string TakeListedMemory(const Settings& settings, HardwarePlan& plan);

// Where a program may run on POWER. Elsewhere /proc/cpuinfo, which takes long on large machines, is
// not even read.
#ifdef __powerpc__
inline constexpr bool kPapiHasAWayOfItsOwn = true;
#else
inline constexpr bool kPapiHasAWayOfItsOwn = false;
#endif
// For `auto`, on this CPU.
void AskPapiIfDenied(const Settings& settings, const events::CpuFacts& cpu, HardwarePlan& plan);

}  // namespace roofmark

#endif  // ROOFMARK_COLLECTORS_HARDWARE_MEMORY_H_
