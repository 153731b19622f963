// SPDX-License-Identifier: BSD-3-Clause
//
// Model 86 is Xeon D.
#include "collectors/hardware/events/cpus/intel.h"

namespace roofmark::events::cpus {
namespace {

void FillBroadwell(EventTable& table) {
  intel::Maker to(table, "bdw_ep", "bdw", "bdx_unc_imc");
  AddBasics(to, "LONGEST_LAT_CACHE:MISS");
  AddRetiredFlops(to, false);
  AddStalls(to, "event=0xa3,umask=0x06,cmask=0x06", "CYCLE_ACTIVITY.STALLS_LDM_PENDING",
            "CYCLE_ACTIVITY:STALLS_LDM_PENDING");
  AddOldCaches(to);
  AddOldMemory(to);
  to.RefuseL3();
}

}  // namespace

const Cpu broadwell = {"bdw", "Broadwell-EP",
                       [](const CpuFacts& facts) {
                         return intel::Is(facts, {79, 86});
                       },
                       [](const CpuFacts& facts) {
                         return intel::Is(facts, {61, 71});
                       },
                       &FillBroadwell};

}  // namespace roofmark::events::cpus
