// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/events/cpus/arm.h"

namespace roofmark::events::cpus {
namespace {

void FillNeoverseV1(EventTable& to) {
  arm::AddBasics(to);
  arm::AddNeoverseFlops(to);
  arm::AddNeoverseStalls(to);
  arm::AddNeoverseCaches(to);
  arm::RefuseNeoverseMemory(to);
  arm::RefuseL3(to);
}

}  // namespace

const Cpu neoverse_v1 = {"v1", "Arm Neoverse V1",
                         [](const CpuFacts& facts) { return arm::Is(facts, 0x41, 0xd40); }, nullptr,
                         &FillNeoverseV1};

}  // namespace roofmark::events::cpus
