// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/events/cpus/zen.h"

namespace roofmark::events::cpus {
namespace {

void FillZen4(EventTable& to) {
  zen::AddBasics(to, "amd64_fam19h_zen4");
  zen::AddZen2Flops(to, "amd64_fam19h_zen4", true);
  zen::AddStalls(to, "amd64_fam19h_zen4::CYCLES_NO_RETIRE:NOT_COMPLETE_MISSING_LOAD");
  zen::AddMemoryControllers(to);
  zen::AddFills(to, "0xdf");
  zen::AddOuterCaches(to);
}

}  // namespace

const Cpu zen4 = {"zen4", "AMD Zen 4",
                  [](const CpuFacts& facts) {
                    return zen::Is(facts, 0x19) &&
                           ((facts.model >= 0x10 && facts.model < 0x20) || facts.model >= 0x60);
                  },
                  nullptr, &FillZen4};

}  // namespace roofmark::events::cpus
