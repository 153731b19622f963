// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/events/cpus/power.h"

namespace roofmark::events::cpus {
namespace {

void FillPower10(EventTable& to) {
  power::AddCore(to);
  to.refusals.push_back(
      {Measure::kMemoryStallCycles, "POWER10's stall events are not in roofmark's table"});
  to.refusals.push_back(
      {Measure::kDramBytes, "POWER10's memory controllers are not in roofmark's table"});
}

}  // namespace

const Cpu power10 = {"power10", "IBM POWER10",
                     [](const CpuFacts& facts) { return facts.cpu.starts_with("POWER10"); },
                     nullptr, &FillPower10};

}  // namespace roofmark::events::cpus
