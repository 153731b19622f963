// SPDX-License-Identifier: BSD-3-Clause
//
// Memory controllers by the names that the firmware's catalogue gives them in sysfs.
#include <fmt/format.h>

#include "collectors/hardware/events/cpus/power.h"

namespace roofmark::events::cpus {
namespace {

void AddMemory(EventTable& to, Measure measure, std::string_view direction) {
  // Known by name only: the codes come from the firmware. The name carries the controller's number.
  to.formulas.push_back(
      One({measure},
          On("nest_mba#_imc", "", fmt::format("PM_MBA_{}_BYTES", direction),
             fmt::format("PM_MBA{{}}_{}_BYTES", direction)),
          64, "bare metal only; one count means 64 bytes, although the name says otherwise"));
}

void FillPower9(EventTable& to) {
  power::AddCore(to);
  to.formulas.push_back(One({Measure::kMemoryStallCycles},
                            Core("event=0x2c012", "PM_CMPLU_STALL_DCACHE_MISS"), 1,
                            "only where a load missed L1"));
  AddMemory(to, Measure::kDramReadBytes, "READ");
  AddMemory(to, Measure::kDramWriteBytes, "WRITE");
}

}  // namespace

const Cpu power9 = {"power9", "IBM POWER9",
                    [](const CpuFacts& facts) { return facts.cpu.starts_with("POWER9"); }, nullptr,
                    &FillPower9};

}  // namespace roofmark::events::cpus
