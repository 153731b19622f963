// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/events/cpus/zen.h"

namespace roofmark::events::cpus {
namespace {

void FillZen3(EventTable& to) {
  zen::AddBasics(to, "amd64_fam19h_zen3");
  zen::AddZen2Flops(to, "amd64_fam19h_zen3", false);
  zen::RefuseStalls(to);
  zen::AddDataFabric(to, 8,
                     "reads and writes together; eight channels share four counters, so each is "
                     "counted half of the time; correct with NPS1 only");
  zen::AddFills(to, "0x5f");
  zen::AddOuterCaches(to);
}

}  // namespace

const Cpu zen3 = {"zen3", "AMD Zen 3",
                  [](const CpuFacts& facts) {
                    return zen::Is(facts, 0x19) &&
                           (facts.model < 0x10 || (facts.model >= 0x20 && facts.model < 0x60));
                  },
                  nullptr, &FillZen3};

}  // namespace roofmark::events::cpus
