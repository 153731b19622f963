// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/events/cpus/zen.h"

namespace roofmark::events::cpus {
namespace {

void FillZen2(EventTable& to) {
  zen::AddBasics(to, "amd64_fam17h_zen2");
  zen::AddZen2Flops(to, "amd64_fam17h_zen2", false);
  zen::RefuseStalls(to);
  zen::AddDataFabric(
      to, 2,
      "reads and writes together; the meaning of one count depends on the NPS setting, and was "
      "wrong by a factor of 2 to 3 on desktop parts: check it with `roofmark doctor --self-test`");
  zen::AddOldFills(to);
  zen::AddOuterCaches(to);
}

}  // namespace

const Cpu zen2 = {"zen2", "AMD Zen 2",
                  [](const CpuFacts& facts) { return zen::Is(facts, 0x17) && facts.model >= 0x30; },
                  nullptr, &FillZen2};

}  // namespace roofmark::events::cpus
