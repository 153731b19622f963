// SPDX-License-Identifier: BSD-3-Clause
#include "collectors/hardware/events/cpus/intel.h"

namespace roofmark::events::cpus {
namespace {

void FillSandyBridge(EventTable& table) {
  intel::Maker to(table, "snb_ep", "snb", "snbep_unc_imc");
  AddBasics(to, "LLC_MISSES");
  AddSandyBridgeFlops(to);
  AddStalls(to, "event=0xa3,umask=0x06,cmask=0x06", "CYCLE_ACTIVITY.STALLS_L1D_PENDING",
            "CYCLE_ACTIVITY:STALLS_L1D_PENDING", "only where a load missed L1");
  AddOldCaches(to);
  AddOldMemory(to);
  to.RefuseL3();
}

}  // namespace

const Cpu sandy_bridge = {
    "snb", "Sandy Bridge-EP", [](const CpuFacts& facts) { return intel::Is(facts, {45}); },
    [](const CpuFacts& facts) { return intel::Is(facts, {42}); }, &FillSandyBridge};

}  // namespace roofmark::events::cpus
