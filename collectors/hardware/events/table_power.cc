// SPDX-License-Identifier: BSD-3-Clause
//
// Events of IBM's POWER9 and POWER10: core codes as in the kernel's lists for perf, memory
// controllers by the names that the firmware's catalogue gives them in sysfs.
#include <fmt/format.h>

#include "collectors/hardware/events/builders.h"

namespace roofmark::events {
namespace {

void AddMemory(EventTable& to, Measure measure, std::string_view direction) {
  // Known by name only: the codes come from the firmware. The name carries the controller's number.
  to.formulas.push_back(
      One({measure},
          On("nest_mba#_imc", "", fmt::format("PM_MBA_{}_BYTES", direction),
             fmt::format("PM_MBA{{}}_{}_BYTES", direction)),
          64, "bare metal only; one count stands for 64 bytes, whatever the name says"));
}

}  // namespace

EventTable PowerTable(const CpuModel& cpu) {
  EventTable to{cpu, {}, {}, 128, {}};
  const auto add = [&](Formula formula) { to.formulas.push_back(std::move(formula)); };
  add(One({Measure::kCycles}, Core("event=0x1e", "PM_CYC")));
  add(One({Measure::kInstructions}, Core("event=0x02", "PM_INST_CMPL")));
  add({Flops(kMix),
       {{Core("event=0x4d054", "PM_8FLOP_CMPL"), 8},
        {Core("event=0x45052", "PM_4FLOP_CMPL"), 4},
        {Core("event=0x4d052", "PM_2FLOP_CMPL"), 2},
        {Core("event=0x45050", "PM_1FLOP_CMPL"), 1}},
       Status::kMixedPrecision,
       "all precisions together; the four events have one counter between them, so that each is "
       "counted a quarter of the time"});
  to.exclusive = {{"PM_8FLOP_CMPL", "PM_4FLOP_CMPL", "PM_2FLOP_CMPL", "PM_1FLOP_CMPL"}};
  add(One({Measure::kLastLevelMisses}, Core("event=0x300fe", "PM_DATA_FROM_L3MISS"), 1,
          "demand loads only; lines of 128 bytes"));
  for (const Measure measure :
       {Measure::kL1ReadBytes, Measure::kL1WriteBytes, Measure::kL2ReadBytes,
        Measure::kL2WriteBytes, Measure::kL3ReadBytes})
    to.refusals.push_back({measure, "POWER's cache traffic events are not in roofmark's table"});
  if (cpu.microarch == Microarch::kPower9) {
    add(One({Measure::kMemoryStallCycles}, Core("event=0x2c012", "PM_CMPLU_STALL_DCACHE_MISS"), 1,
            "only where a load missed L1"));
    AddMemory(to, Measure::kDramReadBytes, "READ");
    AddMemory(to, Measure::kDramWriteBytes, "WRITE");
  } else {
    to.refusals.push_back(
        {Measure::kMemoryStallCycles, "POWER10's stall events are not in roofmark's table"});
    to.refusals.push_back(
        {Measure::kDramBytes, "POWER10's memory controllers are not in roofmark's table"});
  }
  return to;
}

}  // namespace roofmark::events
