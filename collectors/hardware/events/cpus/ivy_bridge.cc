// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/events/cpus/intel.h"

namespace roofmark::events::cpus {
namespace {

void FillIvyBridge(EventTable& table) {
  intel::Maker to(table, "ivb_ep", "ivb", "ivbep_unc_imc");
  AddBasics(to, "LONGEST_LAT_CACHE:MISS");
  AddSandyBridgeFlops(to);
  AddStalls(to, "event=0xa3,umask=0x06,cmask=0x06", "CYCLE_ACTIVITY.STALLS_LDM_PENDING",
            "CYCLE_ACTIVITY:STALLS_LDM_PENDING");
  AddOldCaches(to);
  AddOldMemory(to);
  to.RefuseL3();
}

}  // namespace

const Cpu ivy_bridge = {
    "ivb", "Ivy Bridge-EP", [](const CpuFacts& facts) { return intel::Is(facts, {62}); },
    [](const CpuFacts& facts) { return intel::Is(facts, {58}); }, &FillIvyBridge};

}  // namespace roofmark::events::cpus
