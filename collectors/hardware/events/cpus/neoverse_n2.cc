// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/events/cpus/arm.h"

namespace roofmark::events::cpus {
namespace {

void FillNeoverseN2(EventTable& to) {
  arm::AddBasics(to);
  arm::RefuseNeoverseFlops(to);
  arm::AddNeoverseStalls(to);
  arm::AddNeoverseCaches(to);
  arm::RefuseNeoverseMemory(to);
  arm::RefuseL3(to);
}

}  // namespace

const Cpu neoverse_n2 = {"n2", "Arm Neoverse N2",
                         [](const CpuFacts& facts) { return arm::Is(facts, 0x41, 0xd49); }, nullptr,
                         &FillNeoverseN2};

}  // namespace roofmark::events::cpus
