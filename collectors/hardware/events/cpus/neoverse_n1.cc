// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/events/cpus/arm.h"

namespace roofmark::events::cpus {
namespace {

void FillNeoverseN1(EventTable& to) {
  arm::AddBasics(to);
  arm::RefuseNeoverseFlops(to);
  arm::Refuse(to, Measure::kMemoryStallCycles,
              "Neoverse N1 counts stalls, but not which of them wait for memory");
  arm::AddNeoverseCaches(to);
  arm::RefuseNeoverseMemory(to);
  arm::RefuseL3(to);
}

}  // namespace

const Cpu neoverse_n1 = {"n1", "Arm Neoverse N1",
                         [](const CpuFacts& facts) { return arm::Is(facts, 0x41, 0xd0c); }, nullptr,
                         &FillNeoverseN1};

}  // namespace roofmark::events::cpus
